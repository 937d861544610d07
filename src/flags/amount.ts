/** Amounts on the command line. */
import type { Cents } from '../contract/brand.ts';
import { parseAmount } from '../contract/money.ts';
import { usageError } from '../errors.ts';

/**
 * The cents of an amount as typed. Throws a usage error (64) that names the `flag`, with both readings if there are
 * two.
 */
export function parseAmountFlag(flag: string, text: string): Cents {
  const parsed = parseAmount(text);
  if (parsed.ok) return parsed.cents;
  throw usageError(
    `${flag}: ${parsed.reason}. Nothing was sent.`,
    'A whole number is cents (1050), two decimals are reais (10,50): pixctl help amounts.',
  );
}
