/**
 * The error (88) for an idempotency key under which this ledger has nothing of the requested kind for this merchant and
 * address.
 */
import { PixctlError } from '../errors.ts';
import { commandLine } from '../flags/command-line.ts';
import type { Intent } from '../ledger/intent.ts';

/** By kind: where else the key may be, and the command that knows it. */
const kinds: Readonly<
  Record<Intent['kind'], { readonly elsewhere: string; readonly verb: readonly string[] }>
> = {
  withdrawal: {
    elsewhere:
      'Was it sent with another profile, or from another machine? pixctl withdrawal ledger --all-labels shows what this ledger has, pixctl withdrawal list what the service has.',
    verb: ['pixctl', 'withdrawal', 'status'],
  },
  charge: {
    elsewhere:
      'Was it created with another profile, or from another machine? pixctl charge ledger --all-labels shows what this ledger has.',
    verb: ['pixctl', 'charge', 'resolve'],
  },
};

/** Returns the error (88). `found`: the intent of another kind that has this key, if there is one. */
export const noSuchKeyError = (kind: Intent['kind'], key: string, found: Intent | null): PixctlError =>
  new PixctlError(
    'notFound',
    'NO_SUCH_KEY',
    `This ledger holds no ${kind} under the key ${JSON.stringify(key)} for this merchant and address.`,
    {
      hint:
        found === null
          ? kinds[kind].elsewhere
          : `It is the key of a ${found.kind}: ${commandLine([...kinds[found.kind].verb, key])}`,
    },
  );

/** Returns `found` if it is of that kind; otherwise throws `noSuchKeyError` (88). */
export function requireKind(kind: Intent['kind'], key: string, found: Intent | null): Intent {
  if (found?.kind !== kind) throw noSuchKeyError(kind, key, found);
  return found;
}
