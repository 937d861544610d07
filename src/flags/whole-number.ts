/** Counts and ports on the command line. */
import { usageError } from '../errors.ts';

export interface Bounds {
  readonly min: number;
  readonly max: number;
}

/** A flag's number as typed, within inclusive bounds. Throws a usage error (64) that names them. */
export function parseWholeNumber(flag: string, text: string, { min, max }: Bounds, hint?: string): number {
  const number = /^\d{1,10}$/.test(text) ? Number(text) : Number.NaN;
  if (number >= min && number <= max) return number;
  throw usageError(
    `${flag} takes a whole number from ${min} to ${max}, not "${text}". Nothing was sent.`,
    hint,
  );
}

/** Where `webhook listen` listens by default: fixed, so that an endpoint registered once stays right. */
export const defaultPort = 4400;

/** 0 stands for any free port. */
export const portBounds: Bounds = { min: 0, max: 65_535 };
