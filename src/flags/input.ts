/** What a command line names to be read: stdin or a file, and how much of it at most. */
import { dataError, type PixctlError } from '../errors.ts';

/**
 * The names that shells and scripts have for stdin: a terminal opened a second time would keep reading despite any
 * signal, and a pipe that is read a second time is empty.
 */
const stdinNames: readonly string[] = ['-', '/dev/stdin', '/dev/fd/0', '/proc/self/fd/0'];

export const isStdin = (path: string): boolean => stdinNames.includes(path);

/** In bytes. An input without an end is refused with its limit, before it fills the memory. */
export const inputLimits = {
  /** An API key or a signing secret. */
  secret: 1_000_000,
  /** More than any picture of a QR code needs. */
  picture: 4_000_000,
  /** A body, or a piece of JSON. */
  body: 20_000_000,
  /** A million withdrawals. */
  batch: 100_000_000,
  /** Several million orders. */
  orders: 250_000_000,
  snapshot: 500_000_000,
} as const;

/** The error (65) for what has more bytes than that: `stdin`, or a file. */
export const tooLargeError = (what: string, atMost: number): PixctlError =>
  dataError(
    'TOO_LARGE',
    `The input is too large: ${what} has more than ${inWords(atMost)}, the most that is read here. Nothing was sent.`,
  );

const inWords = (bytes: number): string => (bytes < 1e6 ? `${bytes / 1e3} KB` : `${bytes / 1e6} MB`);
