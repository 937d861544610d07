/** How the lists of the control plane are asked for. */
import { wholeNumber } from '../../flags/whole-number.ts';

/** 1 to 1000. Throws usage (64). */
export const limitOf = (text: string): number => wholeNumber('--limit', text, { min: 1, max: 1_000 });

/** `?a=1&b=2` of what was given; empty when nothing was. */
export function queryOf(parameters: Readonly<Record<string, string | number | undefined>>): string {
  const query = new URLSearchParams();
  for (const [key, value] of Object.entries(parameters)) {
    if (value !== undefined) query.set(key, String(value));
  }
  return query.size === 0 ? '' : `?${query}`;
}
