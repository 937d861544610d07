/** An idempotency key under which this ledger holds no withdrawal, for this merchant and address (88). */
import { PixctlError } from '../../errors.ts';
import { commandLine } from '../../flags/command-line.ts';
import type { Intent } from '../../ledger/intent.ts';

/** `found`: what the key stands for instead. */
export const noSuchKey = (key: string, found: Intent | null = null): PixctlError =>
  new PixctlError(
    'notFound',
    'NO_SUCH_KEY',
    `This ledger holds no withdrawal under the key ${JSON.stringify(key)} for this merchant and address.`,
    {
      hint:
        found?.kind === 'charge'
          ? `It is the key of a charge: ${commandLine(['pixctl', 'charge', 'resolve', key])}`
          : 'Was it sent with another profile, or from another machine? pixctl withdrawal list shows what the service has.',
    },
  );

/** What is found under `key`, when it is a withdrawal; else throws 88. */
export function requireWithdrawal(found: Intent | null, key: string): Intent {
  if (found?.kind !== 'withdrawal') throw noSuchKey(key, found);
  return found;
}
