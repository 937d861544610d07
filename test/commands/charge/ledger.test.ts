/** `charge ledger`: every key of a charge. What it shares with `withdrawal ledger` is tested there. */
import { readFileSync } from 'node:fs';
import { beforeAll, describe, expect, it } from 'vitest';
import { openStates, statesOf } from '../../../src/ledger/intent.ts';
import { startSandbox } from '../../../src/sandbox/index.ts';
import { emptyHome, hurried, run } from '../../support/run.ts';

describe('charge ledger', () => {
  const home = emptyHome();
  let env: Record<string, string>;
  let customerId: string;
  const ledger = (...flags: string[]) => run(['charge', 'ledger', ...flags], { home, env });

  beforeAll(async () => {
    await using sandbox = await startSandbox({ merchant: { available: 10_000 } });
    const address = { PIXCTL_BASE_URL: sandbox.url };
    const withKey = { home, env: { ...hurried, ...address, PIXCTL_API_KEY: sandbox.apiKey } };
    // The list itself needs no key.
    env = address;
    customerId = sandbox.addCustomer({ name: 'Ana', email: 'ana@example.com', taxId: '52998224725' }).id;
    const create = (key: string, ...flags: string[]) =>
      run(['charge', 'create', '-a', '1050', '-k', key, '--no-qr', ...flags], withKey);
    expect((await create('b-made', '-d', 'Two coffees', '-c', customerId)).code).toBe(0);
    expect((await create('a-refused', '-c', 'cust_none')).code).toBe(88);
    sandbox.faults.preset('lost-response', { operations: ['createCharge'] });
    expect((await create('c-lost')).code).toBe(81);
    sandbox.faults.preset('lost-response', { operations: ['createCharge'] });
    expect((await create('d-named')).code).toBe(81);
    const found = await run(['charge', 'resolve', 'd-named', '--jq', '.[].id'], withKey);
    const [id = ''] = found.stdout.split('\n');
    expect((await run(['charge', 'resolve', 'd-named', '--charge', id, '--yes'], withKey)).code).toBe(0);
    const order = ['-a', '1000', '-t', 'ana@example.com', '-k', 'withdrawal', '--yes'];
    expect((await run(['withdraw', ...order], withKey)).code).toBe(0);
  });

  it('tells what became of each, though the service no longer answers', async () => {
    const { code, stdout } = await ledger('--json');
    expect(code).toBe(0);
    const rest = {
      ...{
        amount: 1_050,
        inferred: false,
        plannedAt: time,
        sentAt: time,
        updatedAt: time,
        description: null,
      },
      ...{ customerId: null, merchant: 'default', baseUrl: env.PIXCTL_BASE_URL },
    };
    const lost = { state: 'UNKNOWN', chargeId: null, reason: 'OUTCOME_UNKNOWN' };
    const made = { state: 'ACCEPTED', chargeId: id, reason: null };
    expect(JSON.parse(stdout)).toEqual([
      {
        ...{ ...rest, idempotencyKey: 'a-refused', customerId: 'cust_none' },
        ...{ state: 'REFUSED', chargeId: null, reason: 'NOT_FOUND' },
      },
      { ...rest, ...made, idempotencyKey: 'b-made', customerId, description: 'Two coffees' },
      { ...rest, ...lost, idempotencyKey: 'c-lost' },
      { ...rest, ...made, idempotencyKey: 'd-named', inferred: true },
    ]);
  });

  it('names what settles an unknown one', async () => {
    const { stdout, stderr } = await ledger('--state', 'unknown', '--fields', 'idempotencyKey');
    expect({ stdout, stderr }).toEqual({
      stdout: 'Idempotency key\nc-lost\n',
      stderr:
        '1 key: 1 UNKNOWN (R$ 10,50). pixctl charge resolve <idempotency key> settles what is unknown.\n',
    });
  });

  it('is asked for every key whose outcome is not known: of a killed run it is SENDING', async () => {
    const helps = await Promise.all(['ledger', 'resolve'].map((verb) => run(['charge', verb, '--help'])));
    const page = readFileSync(new URL('../../../docs/charges.md', import.meta.url), 'utf8');
    const asked = [...helps.map(({ stdout }) => stdout), page].map((text) =>
      [...text.matchAll(/ledger --state ([A-Z,_]*UNKNOWN[A-Z,_]*)/g)].map(([, states]) => states),
    );
    expect(asked).toEqual([[openStates.join()], [openStates.join()], [openStates.join()]]);
  });

  it.each(['charge', 'withdrawal'] as const)(
    'of a %s names in its help the states that it takes',
    async (noun) => {
      const { stdout } = await run(['help', noun, 'ledger', '-o', 'json', '--jq', '.[0].flags[0].does']);
      expect(stdout).toBe(`only these: ${statesOf[noun].join(', ')}\n`);
    },
  );

  it('refuses a state that no key of a charge can be in', async () => {
    const { code, stderr } = await ledger('--state', 'COMPLETED');
    expect(code).toBe(64);
    expect(stderr).toContain('"COMPLETED" is not a state of a charge\'s key.');
    expect(stderr).toContain('States: PLANNED, SENDING, ACCEPTED, REFUSED, NOT_SENT, UNKNOWN.');
  });
});

const time = expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/);
const id = expect.stringMatching(/^chg_/);
