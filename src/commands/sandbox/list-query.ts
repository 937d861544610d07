/** How to query the lists of the control plane. */
import { parseWholeNumber } from '../../flags/whole-number.ts';

/** Reads `--limit`, 1 to 1000. Throws usage (64). */
export const limitOf = (text: string): number => parseWholeNumber('--limit', text, { min: 1, max: 1_000 });

/** Returns `?a=1&b=2` from what was given; empty if nothing was. */
export function queryOf(parameters: Readonly<Record<string, string | number | undefined>>): string {
  const query = new URLSearchParams();
  for (const [key, value] of Object.entries(parameters)) {
    if (value !== undefined) query.set(key, String(value));
  }
  return query.size === 0 ? '' : `?${query}`;
}
