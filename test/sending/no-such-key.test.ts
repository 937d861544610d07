/** What is said of an idempotency key that the ledger does not have, or has for something else. */
import { expect, it } from 'vitest';
import type { Intent } from '../../src/ledger/intent.ts';
import { requireKind } from '../../src/sending/no-such-key.ts';

const charge = { kind: 'charge' } as Intent;
const withdrawal = { kind: 'withdrawal' } as Intent;

it.each<[Intent['kind'], Intent | null, string]>([
  [
    'withdrawal',
    null,
    'Was it sent with another profile, or from another machine? pixctl withdrawal ledger --all-labels shows what this ledger has, pixctl withdrawal list what the service has.',
  ],
  [
    'charge',
    null,
    'Was it created with another profile, or from another machine? pixctl charge ledger --all-labels shows what this ledger has.',
  ],
  ['withdrawal', charge, 'It is the key of a charge: pixctl charge resolve k-1'],
  ['charge', withdrawal, 'It is the key of a withdrawal: pixctl withdrawal status k-1'],
])('where a %s is looked for and there is %j', (kind, found, hint) => {
  expect(() => requireKind(kind, 'k-1', found)).toThrow(
    expect.objectContaining({
      ...{ exit: 88, code: 'NO_SUCH_KEY', hint },
      message: `This ledger holds no ${kind} under the key "k-1" for this merchant and address.`,
    }),
  );
});

it('what is of the kind is returned', () => {
  expect([requireKind('charge', 'k-1', charge), requireKind('withdrawal', 'k-1', withdrawal)]).toEqual([
    charge,
    withdrawal,
  ]);
});
