/** The flags of `sandbox fault add` that shape an effect, and the effects that they go with. */
import { usageError } from '../../../errors.ts';
import { parseDuration, parsePositiveDuration, refuseLonger } from '../../../flags/duration.ts';
import { parseWholeNumber } from '../../../flags/whole-number.ts';
import {
  locationForm,
  locationWords,
  longestSkewMs,
  longestWaitMs,
  statusesWithoutBody,
} from '../../../sandbox/faults/limits.ts';

interface Parameter {
  readonly effects: readonly string[];
  readonly read: (text: string, effect: string) => Record<string, unknown>;
}

/** By the name of the flag. */
export const parameters: Readonly<Record<string, Parameter>> = {
  when: { effects: ['error', 'html', 'reset', 'hang'], read: (when) => ({ when }) },
  status: {
    effects: ['error', 'html'],
    read: (text, effect) => ({ status: parseStatus(text, effect) }),
  },
  code: { effects: ['error'], read: (code) => ({ code }) },
  message: { effects: ['error'], read: (message) => ({ message }) },
  body: { effects: ['html'], read: (body) => ({ body }) },
  location: { effects: ['html'], read: (text) => ({ location: parseLocation(text) }) },
  retryAfter: {
    effects: ['rate-limit'],
    read: (text) => ({ retryAfter: Math.ceil(parseDuration(text, '--retry-after') / 1_000) }),
  },
  wait: {
    effects: ['latency', 'hang', 'delay', 'reorder'],
    read: (text) => ({ ms: parseWait(text) }),
  },
  copies: {
    effects: ['duplicate'],
    read: (text) => ({ copies: parseWholeNumber('--copies', text, { min: 1, max: 100 }) }),
  },
  skew: {
    effects: ['stale-timestamp', 'future-timestamp'],
    read: (text) => ({ seconds: parseSkew(text) }),
  },
  cursor: { effects: ['stale-cursor'], read: (mode) => ({ mode }) },
  name: { effects: ['unknown-field'], read: (name) => ({ name }) },
  value: { effects: ['unknown-field', 'unknown-status'], read: (value) => ({ value }) },
};

function parseStatus(text: string, effect: string): number {
  const status = parseWholeNumber('--status', text, { min: effect === 'error' ? 400 : 200, max: 599 });
  if (statusesWithoutBody.includes(status)) {
    throw usageError(
      `--status ${status} does not go with --effect ${effect}: such an answer has no body. Nothing was sent.`,
    );
  }
  return status;
}

function parseLocation(text: string): string {
  if (locationForm.test(text)) return text;
  throw usageError(`--location ${locationWords}. Nothing was sent.`);
}

function parseWait(text: string): number {
  const ms = parseDuration(text, '--wait');
  refuseLonger(ms, longestWaitMs, text, '--wait');
  return ms;
}

/** Returns seconds. */
function parseSkew(text: string): number {
  const ms = parsePositiveDuration(text, '--skew');
  refuseLonger(ms, longestSkewMs, text, '--skew');
  return ms / 1_000;
}
