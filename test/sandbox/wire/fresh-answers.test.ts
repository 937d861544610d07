/** Whatever happened, a read is told what a sandbox that remembers nothing would tell. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Refusal } from '../../../src/sandbox/rules/refusal.ts';
import { type Served, serve } from '../support/over-http.ts';

interface Scene {
  readonly sandbox: Served;
  /** The headers of two merchants. */
  readonly asks: readonly { authorization: string }[];
  readonly charges: string[];
  readonly customers: string[];
  snapshot: Uint8Array;
}

type Happening = (scene: Scene, pick: number) => unknown;

const one = <T>(of: readonly T[], pick: number): T | undefined => of[pick % of.length];

/** By the second merchant when `pick` is odd; lives for one to ten minutes. */
const create =
  (withCustomer: boolean): Happening =>
  async ({ sandbox, asks, charges, customers }, pick) => {
    const customerId = withCustomer ? one(customers, pick) : undefined;
    const body = { method: 'PIX', amount: 100 + pick, expiresIn: 60 * (1 + (pick % 10)), customerId };
    const made = await sandbox.post('/transparents/create', body, withCustomer ? {} : one(asks, pick));
    if (made.status === 201) charges.push(made.body.data.id);
  };

/** Of the latest ones, so that it is mostly one that is read below. */
const onCharge =
  (act: (sandbox: Served, id: string) => unknown): Happening =>
  ({ sandbox, charges }, pick) =>
    act(sandbox, one(charges.slice(-4), pick) ?? 'chg_none');

const happenings: Record<string, Happening> = {
  create: create(false),
  'create for a customer': create(true),
  'create several at once': (scene, pick) =>
    Promise.all([0, 1, 2].map((more) => create(false)(scene, pick + more))),
  pay: onCharge((sandbox, id) => sandbox.pay(id)),
  expire: onCharge((sandbox, id) => sandbox.expire(id)),
  dispute: onCharge((sandbox, id) => sandbox.dispute(id)),
  refund: onCharge((sandbox, id) => sandbox.post(`/transparents/refund?id=${id}`)),
  'pay and refund': onCharge(async (sandbox, id) => {
    sandbox.pay(id);
    await sandbox.post(`/transparents/refund?id=${id}`);
  }),
  advance: ({ sandbox }, pick) => sandbox.clock.advance(pick * 1_000),
  'add a customer': ({ sandbox, customers }, pick) => {
    const email = `c${pick}@example.com`;
    customers.push(sandbox.addCustomer({ name: `C ${pick}`, email, taxId: '11144477735' }).id);
  },
  'remove a customer': ({ sandbox, customers }, pick) => sandbox.removeCustomer(one(customers, pick) ?? ''),
  withdraw: ({ sandbox }, pick) =>
    sandbox.post('/withdrawals', { amount: 100 + pick, pixKey: 'a@b.co', pixKeyType: 'EMAIL' }),
  seed: ({ sandbox }, pick) => sandbox.seed({ charges: pick % 3 }),
  'change the merchant': ({ sandbox }, pick) => sandbox.setMerchant({ name: `M ${pick}` }),
  'a fault on the next lists': ({ sandbox }, pick) =>
    sandbox.faults.add({
      target: 'api',
      operations: ['listCharges'],
      times: 1 + (pick % 3),
      effect: { kind: pick % 2 === 0 ? 'unknown-status' : 'unknown-field' },
    }),
  'take a snapshot': (scene) => {
    scene.snapshot = scene.sandbox.snapshot();
  },
  'restore it': ({ sandbox, snapshot }) => sandbox.restore(snapshot),
  reset: ({ sandbox }) => sandbox.reset(),
};

/** What cannot happen now is refused, and changes nothing. */
async function happen(scene: Scene, name: string, pick: number): Promise<void> {
  try {
    await happenings[name]?.(scene, pick);
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
  }
}

async function readAll({ sandbox, asks, charges }: Scene): Promise<unknown[]> {
  const checks = charges.slice(-4).map((id) => `check?id=${id}`);
  const targets = ['list', 'list?limit=2', ...checks];
  return Promise.all(
    asks.flatMap((ask) =>
      targets.map(async (target) => {
        const { status, headers, body } = await sandbox.get(`/transparents/${target}`, ask);
        return { target, status, rests: headers.get('x-sandbox-assumption'), body };
      }),
    ),
  );
}

describe('a read after anything that may happen', () => {
  it('returns the present state', async () => {
    const step = fc.tuple(fc.constantFrom(...Object.keys(happenings)), fc.nat(400));
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 3, maxLength: 12 }), async (steps) => {
        const sandbox = await serve();
        sandbox.clock.freeze();
        const authorization = `Bearer ${sandbox.addMerchant().apiKey}`;
        const asks = [{ authorization: `Bearer ${sandbox.apiKey}` }, { authorization }];
        const scene: Scene = { sandbox, asks, charges: [], customers: [], snapshot: sandbox.snapshot() };
        await happen(scene, 'add a customer', 0);
        await happen(scene, 'create several at once', 0);
        for (const [name, pick] of steps) {
          await readAll(scene);
          await happen(scene, name, pick);
          const told = await readAll(scene);
          sandbox.faults.clear();
          const now = name.startsWith('a fault') ? await readAll(scene) : told;
          // Any write makes the sandbox forget what it read before.
          sandbox.addKey();
          expect(now).toEqual(await readAll(scene));
        }
      }),
      { numRuns: 30 },
    );
  });
});
