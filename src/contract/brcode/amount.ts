/** Field 54: reais with a dot, up to 13 characters, read into cents without a float. */
import type { Cents } from '../brand.ts';
import { toCents } from '../money.ts';
import { error, type Finding } from './finding.ts';

/** Reads the amount: null if the code states none, or none that can be read. `account` decides what a zero means. */
export function readAmount(
  value: string | null,
  account: { url: string | null; facilitator: string | null },
): { cents: Cents | null; findings: readonly Finding[] } {
  if (value === null) return { cents: null, findings: [] };
  const [, whole = '', decimals = ''] = /^(\d+)(?:\.(\d{1,2}))?$/.exec(value) ?? [];
  if (whole === '' || value.length > 13)
    return { cents: null, findings: [error('54', `the amount "${value.slice(0, 20)}" is not like 10.50`)] };
  const cents = toCents(Number(whole + decimals.padEnd(2, '0')));
  const zeroMeans = cents > 0 || account.url !== null || account.facilitator !== null;
  return {
    cents,
    findings: zeroMeans ? [] : [error('54', 'the amount is zero; leave it out to let the payer choose')],
  };
}
