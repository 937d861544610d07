/** The id that a key has in every ledger: written by one version, looked for by the next. */
import { expect, it } from 'vitest';
import type { IdempotencyKey } from '../../src/contract/brand.ts';
import { scopeOf } from '../../src/ledger/intent.ts';
import { intentId } from '../../src/ledger/intent-id.ts';

it.each([
  ['acme', 'https://pay.example', 'rent-2026-03', '5de2396a-d531-83d6-8a75-0ef8c1dcd337'],
  ['bakery', 'https://pay.example', 'rent-2026-03', 'cb41b28c-ae21-8774-8b22-e298bf27fd4e'],
  ['acme', 'https://other.example', 'rent-2026-03', 'd59fbf77-1f6e-8a21-81cb-222eafc64c7f'],
  ['acme', 'https://pay.example', 'rent-2026-04', 'b1bf8f66-8e3b-8e68-89da-1e1b8f31d090'],
])('never changes, and is that of one merchant, address and key: %s %s %s', (merchant, baseUrl, key, id) => {
  expect(intentId(scopeOf({ merchant, baseUrl }), key as IdempotencyKey)).toBe(id);
});
