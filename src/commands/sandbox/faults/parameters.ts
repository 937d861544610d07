/** The flags of `sandbox fault add` that shape an effect, and the effects that they go with. */
import { usageError } from '../../../errors.ts';
import { parseBound, parseDuration } from '../../../flags/duration.ts';
import { wholeNumber } from '../../../flags/whole-number.ts';
import { locationForm, locationWords, longestWaitMs, withoutBody } from '../../../sandbox/faults/limits.ts';

interface Parameter {
  readonly effects: readonly string[];
  readonly read: (text: string, effect: string) => Record<string, unknown>;
}

/** By the name of the flag. */
export const parameters: Readonly<Record<string, Parameter>> = {
  when: { effects: ['error', 'html', 'reset', 'hang'], read: (when) => ({ when }) },
  status: {
    effects: ['error', 'html'],
    read: (text, effect) => ({ status: answered(text, effect) }),
  },
  code: { effects: ['error'], read: (code) => ({ code }) },
  message: { effects: ['error'], read: (message) => ({ message }) },
  body: { effects: ['html'], read: (body) => ({ body }) },
  location: { effects: ['html'], read: (text) => ({ location: addressed(text) }) },
  retryAfter: {
    effects: ['rate-limit'],
    read: (text) => ({ retryAfter: Math.ceil(parseDuration(text, '--retry-after') / 1_000) }),
  },
  wait: {
    effects: ['latency', 'hang', 'delay', 'reorder'],
    read: (text) => ({ ms: waited(text) }),
  },
  copies: {
    effects: ['duplicate'],
    read: (text) => ({ copies: wholeNumber('--copies', text, { min: 1, max: 100 }) }),
  },
  skew: {
    effects: ['stale-timestamp', 'future-timestamp'],
    read: (text) => ({ seconds: parseBound(text, '--skew') / 1_000 }),
  },
  cursor: { effects: ['stale-cursor'], read: (mode) => ({ mode }) },
  name: { effects: ['unknown-field'], read: (name) => ({ name }) },
  value: { effects: ['unknown-field', 'unknown-status'], read: (value) => ({ value }) },
};

function answered(text: string, effect: string): number {
  const status = wholeNumber('--status', text, { min: effect === 'error' ? 400 : 200, max: 599 });
  if (withoutBody.includes(status)) {
    throw usageError(
      `--status ${status} does not go with --effect ${effect}: such an answer has no body. Nothing was sent.`,
    );
  }
  return status;
}

function addressed(text: string): string {
  if (locationForm.test(text)) return text;
  throw usageError(`--location ${locationWords}. Nothing was sent.`);
}

function waited(text: string): number {
  const ms = parseDuration(text, '--wait');
  if (ms > longestWaitMs) throw usageError(`--wait takes at most 24h, not "${text}". Nothing was sent.`);
  return ms;
}
