/** How the lists of the control plane are asked for. */
import { usageError } from '../../errors.ts';

/** 1 to 1000. Throws usage (64). */
export function limitOf(text: string): number {
  const limit = Number(text);
  if (/^\d{1,4}$/.test(text) && limit >= 1 && limit <= 1_000) return limit;
  throw usageError(`--limit "${text}" is not a number from 1 to 1000. Nothing was sent.`);
}

/** `?a=1&b=2` of what was given; empty when nothing was. */
export function queryOf(parameters: Readonly<Record<string, string | number | undefined>>): string {
  const query = new URLSearchParams();
  for (const [key, value] of Object.entries(parameters)) {
    if (value !== undefined) query.set(key, String(value));
  }
  return query.size === 0 ? '' : `?${query}`;
}
