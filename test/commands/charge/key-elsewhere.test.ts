/** A key that has a charge at another address of the same merchant: it is charged again, and a warning tells it. */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { systemClock } from '../../../src/clock.ts';
import type { Cents, IdempotencyKey } from '../../../src/contract/brand.ts';
import { type IntentState, scopeOf } from '../../../src/ledger/intent.ts';
import { intentId } from '../../../src/ledger/intent-id.ts';
import { openLedger } from '../../../src/ledger/open.ts';
import { startSandbox } from '../../../src/sandbox/index.ts';
import { emptyHome, run } from '../../support/run.ts';

const key = 'order 42' as IdempotencyKey;
const old = 'https://old.example';

interface Earlier {
  readonly baseUrl?: string;
  readonly merchant?: string;
  readonly state?: IntentState;
}

/** A ledger in which the key has a charge already, of the merchant at the address. */
async function bench({ baseUrl = old, merchant = 'default', state = 'ACCEPTED' }: Earlier = {}) {
  const directory = join(emptyHome(), 'state');
  mkdirSync(directory, { mode: 0o700 });
  const url = join(directory, 'ledger.sqlite');
  const ledger = await openLedger({ url, expectedId: null, clock: systemClock });
  const scope = scopeOf({ merchant, baseUrl });
  const id = intentId(scope, key);
  const request = JSON.stringify({ method: 'PIX', amount: 1050 });
  const { intent } = await ledger.plan(
    { id, kind: 'charge', scope, idempotencyKey: key, amount: 1050 as Cents, request },
    { id: 'planned', at: 1, what: 'planned' },
  );
  const owner = { host: 'h', boot: 'b', pid: 7, started: '99' };
  const sending = { owner, at: 2, expectedFence: 0, baseline: [] };
  const begun = await ledger.markSending(intent, sending, { id: 'sending', at: 2, what: 'sending' });
  if (begun.kind !== 'sending') throw new Error(begun.kind);
  const resourceId = state === 'ACCEPTED' ? 'chg_old' : null;
  await ledger.record(begun.intent, { state, resourceId }, { id: 'ended', at: 3, what: 'ended' });
  await ledger.close();
  const sandbox = await startSandbox();
  const service = { PIXCTL_BASE_URL: sandbox.url, PIXCTL_API_KEY: sandbox.apiKey };
  const env = { ...service, PIXCTL_STATE_DIR: directory };
  const home = emptyHome();
  const create = async (...flags: string[]) => {
    const args = ['charge', 'create', '-a', '1050', '-k', key, '-o', 'json', ...flags];
    const { code, stdout, stderr } = await run(args, { home, env });
    return { code, id: JSON.parse(stdout).id, warned: /^warning: (.*)/m.exec(stderr)?.[1] ?? '' };
  };
  return { create, [Symbol.asyncDispose]: () => sandbox.close() };
}

it('is told where the second charge is created, or would be, and not again', async () => {
  await using it = await bench();
  const said = (made: string) =>
    `The ledger also has chg_old under the key order 42, at ${old}. A key counts at one address: ${made}. If both are for one order, only one should be paid.`;
  const dry = await it.create('--dry-run');
  expect(dry).toEqual({ code: 0, id: undefined, warned: said('a run creates a second charge') });
  const { id, ...second } = await it.create();
  expect(second).toEqual({ code: 0, warned: said(`${id} is a second charge`) });
  expect(await it.create()).toEqual({ code: 0, id, warned: '' });
});

it('is told of one whose outcome is not known', async () => {
  await using it = await bench({ state: 'UNKNOWN' });
  expect((await it.create()).warned).toContain(
    'The ledger also has a charge of R$ 10,50 whose outcome is not known under the key order 42, at https://old.example.',
  );
});

it.each<[string, Earlier]>([
  ['another merchant', { merchant: 'bakery' }],
  ['a service on this machine', { baseUrl: 'http://127.0.0.1:9' }],
  ['one that was refused', { state: 'REFUSED' }],
])('is nothing to tell of %s', async (_whose, earlier) => {
  await using it = await bench(earlier);
  expect(await it.create()).toMatchObject({ code: 0, warned: '' });
});
