/** An idempotency key that this ledger does not hold, for this merchant and address (88). */
import { PixctlError } from '../../errors.ts';

export const noSuchKey = (key: string): PixctlError =>
  new PixctlError(
    'notFound',
    'NO_SUCH_KEY',
    `This ledger holds no withdrawal under the key ${JSON.stringify(key)} for this merchant and address.`,
    {
      hint: 'Was it sent with another profile, or from another machine? pixctl withdrawal list shows what the service has.',
    },
  );
