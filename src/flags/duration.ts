/** Durations on the command line: `90s`, `15m`, `24h`, `30d` or bare seconds. */
import { usageError } from '../errors.ts';
import type { Globals } from './globals.ts';

const unitMs: Readonly<Record<string, number>> = {
  '': 1000,
  s: 1000,
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
};

/**
 * Milliseconds of a duration as typed. Throws a usage error (64) that names the rule and the `flag`. `0` is a duration;
 * a fraction, a sign or another unit is not.
 */
export function parseDuration(text: string, flag?: string): number {
  const match = /^(\d{1,10})([smhd]?)$/.exec(text.trim());
  const unit = unitMs[match?.[2] ?? ''];
  if (match?.[1] === undefined || unit === undefined) {
    throw usageError(
      `${flag === undefined ? '' : `${flag}: `}"${text}" is not a duration. Nothing was sent.`,
      'Give a whole number with s, m, h or d, like 90s, 15m, 24h or 30d; a bare number is seconds.',
    );
  }
  return Number(match[1]) * unit;
}

/**
 * Milliseconds of a limit as typed. Throws (64) for what is no duration, and for 0, within which nothing can be done.
 */
export function parsePositiveDuration(text: string, flag: string): number {
  const ms = parseDuration(text, flag);
  if (ms > 0) return ms;
  throw usageError(
    `${flag} takes a duration longer than 0, not "${text}". Nothing was sent.`,
    'For example, 30s or 5m.',
  );
}

/** Refuses a duration of more than `mostMs`, 24 hours or whole days. Throws a usage error (64). */
export function refuseLonger(ms: number, mostMs: number, text: string, flag: string, hint?: string): void {
  if (ms <= mostMs) return;
  const days = mostMs / 86_400_000;
  const most = days === 1 ? '24h' : `${days}d`;
  throw usageError(`${flag} takes at most ${most}, not "${text}". Nothing was sent.`, hint);
}

/** Milliseconds of `--timeout`; undefined if it was not given. Throws a usage error (64). */
export const timeoutOf = ({ timeout }: Pick<Globals, 'timeout'>): number | undefined =>
  timeout === undefined ? undefined : parsePositiveDuration(timeout, '--timeout');
