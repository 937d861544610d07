/** The same scheme as an independent library signs and verifies it, both ways. */
import fc from 'fast-check';
import Stripe from 'stripe';
import { describe, expect, it } from 'vitest';
import { sign, verify } from '../../src/contract/signature.ts';

const { webhooks } = new Stripe('sk_test_unused');
const secrets = fc.stringMatching(/^whsec_[a-zA-Z0-9]{8,40}$/);
const bodies = fc.oneof(
  fc.json(),
  fc.constantFrom('{}', '{"a":"ç ✓ 𝄞"}', '{\r\n}\n', '{"a":1e3,"a":2}', '{"a":"\\u0000"}'),
);

describe('an independent library of the same scheme', () => {
  it('accepts what we sign', () => {
    fc.assert(
      fc.property(secrets, bodies, (secret, body) => {
        const header = sign({ secret, body, timestamp: Math.floor(Date.now() / 1000) });
        expect(webhooks.constructEvent(body, header, secret)).toEqual(JSON.parse(body));
      }),
    );
  });

  it('signs what we accept, and what we refuse when anything differs', () => {
    fc.assert(
      fc.property(
        secrets,
        bodies,
        fc.integer({ min: 1, max: 4_000_000_000 }),
        (secret, payload, timestamp) => {
          const header = webhooks.generateTestHeaderString({ payload, secret, timestamp });
          const judge = (key: string, body: string) =>
            verify({ secret: key, body, header, now: timestamp * 1000, toleranceMs: 0 });
          expect(judge(secret, payload)).toEqual({ ok: true, timestamp });
          expect(judge(`${secret}x`, payload)).toMatchObject({ reason: 'signature-mismatch' });
          expect(judge(secret, `${payload} `)).toMatchObject({ reason: 'signature-mismatch' });
        },
      ),
    );
  });
});
