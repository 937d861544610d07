/** A key that has a charge at another address of the same merchant: it is charged again, and a warning tells it. */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { systemClock } from '../../../src/clock.ts';
import type { Cents, IdempotencyKey } from '../../../src/contract/brand.ts';
import { type IntentState, scopeOf } from '../../../src/ledger/intent.ts';
import { intentId } from '../../../src/ledger/intent-id.ts';
import { openLedger } from '../../../src/ledger/open.ts';
import { createOwners } from '../../../src/owner/create-owners.ts';
import { changeLedger } from '../../support/change-ledger.ts';
import { emptyIndex } from '../../support/empty-index.ts';
import { hostileServer, json, someCharge, success } from '../../support/hostile-server.ts';
import { emptyHome, run } from '../../support/run.ts';

const key = 'order 42' as IdempotencyKey;
const old = 'https://old.example';

interface Bench {
  readonly baseUrl?: string;
  readonly merchant?: string;
  readonly state?: IntentState;
  /** The key of this run, which is a real one by default. */
  readonly apiKey?: string;
  /** The address of this run; by default, a proxy on this machine. */
  readonly own?: string;
  /** Whether its answer to a create is lost. */
  readonly loses?: boolean;
}

/** A ledger in which the key has a charge already, of the merchant at the address. */
async function bench({
  baseUrl = old,
  merchant = 'default',
  state = 'ACCEPTED',
  apiKey = 'svc_real',
  own,
  loses = false,
}: Bench = {}) {
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
  const service = await hostileServer((response, { method }) => {
    if (method === 'POST' && loses) response.socket?.destroy();
    else json(response, method === 'POST' ? 201 : 200, success(someCharge));
  });
  const env = {
    PIXCTL_BASE_URL: own ?? service.url,
    PIXCTL_API_KEY: apiKey,
    PIXCTL_STATE_DIR: directory,
  };
  const home = emptyHome();
  const create = async (...flags: string[]) => {
    const args = ['charge', 'create', '-a', '1050', '-k', key, '-o', 'json', ...flags];
    const { code, stdout, stderr } = await run(args, { home, env });
    const id = stdout === '' ? undefined : JSON.parse(stdout).id;
    return { code, id, warned: /^warning: (The ledger .*)/m.exec(stderr)?.[1] ?? '', stderr };
  };
  return { create, url, service, [Symbol.asyncDispose]: () => service[Symbol.asyncDispose]() };
}

const said = (made: string) =>
  `The ledger also has chg_old under the key order 42, at ${old}. A key counts at one address: ${made}. If both are for one order, only one should be paid.`;

it('is told where the second charge is created, or would be, and not again', async () => {
  await using it = await bench();
  expect(await it.create('--dry-run')).toMatchObject({
    code: 0,
    warned: said('a run creates a second charge'),
  });
  const second = { code: 0, id: someCharge.id, warned: said(`${someCharge.id} is a second charge`) };
  expect(await it.create()).toMatchObject(second);
  expect(await it.create()).toMatchObject({ ...second, warned: '' });
});

it('is told once the charge is shown, which waits for nothing', async () => {
  await using it = await bench();
  const { stderr } = await it.create('--wait', '--timeout', '1s');
  expect(stderr).toMatch(/^Created chg_1\.[\s\S]*^warning: The ledger also has chg_old/m);
});

it('is told where it is not known whether there is a second charge', async () => {
  await using it = await bench({ loses: true });
  expect(await it.create()).toMatchObject({ code: 81, warned: said('a second charge may exist here') });
});

it('is told of one whose outcome is not known', async () => {
  await using it = await bench({ state: 'UNKNOWN' });
  expect((await it.create()).warned).toContain(
    'The ledger also has a charge of R$ 10,50 whose outcome is not known under the key order 42, at https://old.example.',
  );
});

const proxy = 'http://127.0.0.1:9';
const elsewhere = 'https://new.example';
const sandboxKey = 'svc_sandbox_0123456789abcdef';

it.each<[string, Bench]>([
  ['at an address of another machine, from another', { own: elsewhere }],
  ['behind a proxy on this machine, from behind another', { baseUrl: proxy }],
])('is told of a charge %s', async (_where, more) => {
  await using it = await bench(more);
  expect((await it.create('--dry-run')).warned).toContain('The ledger also has chg_old');
});

it.each<[string, Bench]>([
  ['another merchant', { merchant: 'bakery' }],
  ['a rehearsal on this machine', { own: elsewhere, baseUrl: proxy }],
  ['one that was refused', { state: 'REFUSED' }],
  ['a real one, to a sandbox', { apiKey: sandboxKey }],
  ['what another sandbox has, to a sandbox', { apiKey: sandboxKey, baseUrl: proxy }],
])('is nothing to tell of %s', async (_whose, more) => {
  await using it = await bench(more);
  expect(await it.create('--dry-run')).toMatchObject({ code: 0, warned: '' });
});

it.each([
  ['is empty', {}],
  ['has a space in it', { apiKey: 'svc real' }],
])('is told in a dry run whose API key %s', async (_which, more) => {
  await using it = await bench({ apiKey: '', ...more });
  expect(await it.create('--dry-run')).toMatchObject({
    code: 0,
    warned: said('a run creates a second charge'),
  });
});

it('is not looked for where the key has its charge already, so that a damage there does not hide it', async () => {
  await using it = await bench();
  expect((await it.create()).code).toBe(0);
  changeLedger(it.url, `UPDATE ledger_intents SET idempotency_key = 'lost' WHERE resource_id = 'chg_old'`);
  expect(await it.create()).toMatchObject({ code: 0, id: someCharge.id, warned: '' });
});

it.skipIf(process.platform !== 'linux')('is told where this address has only begun to send it', async () => {
  await using it = await bench();
  const ledger = await openLedger({ url: it.url, expectedId: null, clock: systemClock });
  const scope = scopeOf({ merchant: 'default', baseUrl: it.service.url });
  const request = JSON.stringify({ method: 'PIX', amount: 1050 });
  const { intent } = await ledger.plan(
    {
      id: intentId(scope, key),
      kind: 'charge',
      scope,
      idempotencyKey: key,
      amount: 1050 as Cents,
      request,
    },
    { id: 'planned here', at: 4, what: 'planned' },
  );
  const owner = { ...(await createOwners()).self, started: 'before that' };
  const sending = { owner, at: 5, expectedFence: 0, baseline: [] };
  await ledger.markSending(intent, sending, { id: 'sending here', at: 5, what: 'sending' });
  await ledger.close();
  expect(await it.create()).toMatchObject({ code: 0, warned: said(`${someCharge.id} is a second charge`) });
});

it.each([[[]], [['--dry-run']]])(
  'ends a create %j that cannot look for it, and nothing is sent',
  async (flags) => {
    await using it = await bench();
    emptyIndex(it.url, 'sqlite_autoindex_ledger_intents_2');
    const { code, stderr } = await it.create(...flags);
    expect({ code, stderr }).toEqual({ code: 74, stderr: expect.stringContaining('nothing was sent') });
    expect(it.service.received).toEqual([]);
  },
);
