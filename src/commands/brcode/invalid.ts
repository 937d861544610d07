/** What to say about a code that no bank should accept. */
import type { Finding } from '../../contract/brcode/finding.ts';
import { dataError, type PixctlError } from '../../errors.ts';

/** Returns the error (65) for a code that no bank should accept. */
export function invalidCode(findings: readonly Finding[]): PixctlError {
  const errors = findings.filter(({ severity }) => severity === 'error');
  const more = errors.length > 1 ? ` (and ${errors.length - 1} more)` : '';
  return dataError(
    'BRCODE_INVALID',
    `This BR Code is not valid: ${errors[0]?.text ?? 'unknown'}${more}.`,
    'Do not pay it; ask for the code again.',
  );
}
