/** A ledger whose server does not answer is given up once the run is asked to stop; one that answers is opened. */
import { once } from 'node:events';
import type { Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { setImmediate as turn } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Clock, systemClock } from '../../src/clock.ts';
import type { Cents, IdempotencyKey } from '../../src/contract/brand.ts';
import { openDatabase } from '../../src/database/open.ts';
import { scopeOf } from '../../src/ledger/intent.ts';
import { migrations } from '../../src/ledger/migrations.ts';
import { openLedger } from '../../src/ledger/open.ts';
import { startFreezingProxy } from '../support/freezing-proxy.ts';
import { bareServer } from '../support/hostile-server.ts';
import { noSignals } from '../support/platform.ts';
import { type Postgres, postgresMissing, startPostgres } from '../support/postgres.ts';
import { start } from '../support/run.ts';
import { openBench, payArgs } from '../support/withdrawal-bench.ts';

/** Whose moment of grace is over at once. */
const hasty: Clock = { ...systemClock, sleep: async () => {} };

const addressOf = (url: string) => `postgres://pixctl@${new URL(url).host}/ledger`;

it.each([
  ['SIGINT', 'interrupted'],
  ['SIGTERM', 'terminated'],
])('whose server never greets: %s, and its connection is broken', async (name, kind) => {
  const come = Promise.withResolvers<Socket>();
  await using server = await bareServer(come.resolve);
  const stop = new AbortController();
  const opening = openLedger({
    url: addressOf(server.url),
    expectedId: null,
    clock: hasty,
    signal: stop.signal,
  });
  const [socket] = await Promise.all([
    come.promise,
    expect(opening).rejects.toMatchObject({
      kind,
      code: 'INTERRUPTED',
      message: expect.stringMatching(new RegExp(`^Stopped by ${name} .*; nothing was sent in this run\\.$`)),
    }),
    come.promise.then(() => stop.abort(name)),
  ]);
  if (!socket.closed) await once(socket.resume(), 'close');
});

it.skipIf(noSignals !== null).each([
  ['withdraw', ['withdraw', '--amount', '100', '--to', 'a@example.com', '--idempotency-key', 'k', '--yes']],
  ['withdrawal status', ['withdrawal', 'status', 'k']],
  ['withdrawal reconcile', ['withdrawal', 'reconcile']],
  ['charge create with a key', ['charge', 'create', '--amount', '100', '--idempotency-key', 'k']],
])('ends a %s with 130, which says that nothing was sent', async (_name, args) => {
  await using server = await bareServer(() => child.kill('SIGINT'));
  const env = {
    PIXCTL_LEDGER_URL: addressOf(server.url),
    PIXCTL_BASE_URL: 'http://127.0.0.1:9',
    PIXCTL_API_KEY: 'svc_sandbox_canary',
  };
  const child = start(args, { env });
  const said = text(child.stderr);
  expect(await once(child, 'close')).toEqual([130, null]);
  expect(await said).toMatch(/Stopped by SIGINT .*; nothing was sent in this run\.\n/);
});

describe.skipIf(postgresMissing !== null)(
  `on a real server${postgresMissing === null ? '' : ` (skipped: ${postgresMissing})`}`,
  () => {
    let server: Postgres;
    beforeAll(async () => {
      server = await startPostgres();
    });
    afterAll(() => server.stop());

    it('whose answer to a question does not come is given up, and keeps its id', async () => {
      const url = await server.createDatabase();
      const made = await openLedger({ url, expectedId: null, clock: systemClock });
      await made.close();
      const [locked, released] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
      const other = await openDatabase(url, { room: 'ledger', migrations, clock: systemClock });
      const holding = other.transaction(async (tx) => {
        await tx.execute('LOCK TABLE ledger_identity IN ACCESS EXCLUSIVE MODE');
        locked.resolve();
        await released.promise;
      });
      await locked.promise;
      const stop = new AbortController();
      const opening = expect(
        openLedger({ url, expectedId: made.id, clock: hasty, signal: stop.signal }),
      ).rejects.toMatchObject({ kind: 'interrupted', code: 'INTERRUPTED' });
      while (server.sql('SELECT count(*) FROM pg_locks WHERE NOT granted').trim() === '0') await turn();
      stop.abort('SIGINT');
      await opening;
      released.resolve();
      await holding;
      await other.close();
      await (await openLedger({ url, expectedId: made.id, clock: systemClock })).close();
    });

    it('which answers is opened although the run is asked to stop, and still tells what earlier runs did', async () => {
      const url = await server.createDatabase();
      const stop = new AbortController();
      stop.abort('SIGINT');
      const ledger = await openLedger({ url, expectedId: null, clock: systemClock, signal: stop.signal });
      expect(await ledger.openElsewhere('nobody' as never)).toEqual([]);
      await ledger.close();
    });

    it('is not broken by a stop that comes between two looks', async () => {
      const url = await server.createDatabase();
      const stop = new AbortController();
      const ledger = await openLedger({ url, expectedId: null, clock: systemClock, signal: stop.signal });
      stop.abort('SIGINT');
      await turn();
      expect(await ledger.openElsewhere('nobody' as never)).toEqual([]);
      await ledger.close();
    });

    /** A ledger whose server stops answering at a word. */
    async function freezing() {
      const proxy = await startFreezingProxy(await server.createDatabase());
      const stop = new AbortController();
      const ledger = await openLedger({
        url: proxy.url,
        expectedId: null,
        clock: hasty,
        signal: stop.signal,
      });
      return { proxy, stop, ledger };
    }

    const scope = scopeOf({ merchant: 'acme', baseUrl: 'https://pay.example' });
    const key = 'rent-2026-03' as IdempotencyKey;
    const order = { id: 'i1', kind: 'withdrawal', scope, idempotencyKey: key, request: '{}' } as const;
    const happens = (what: string) => ({ id: what, at: 1, what });

    it('which stops answering a look is given up, and so is every later look at once', async () => {
      const { proxy, stop, ledger } = await freezing();
      await using _ = proxy;
      const frozen = proxy.freeze();
      const looking = expect(ledger.find(scope, key)).rejects.toMatchObject({
        kind: 'interrupted',
        code: 'INTERRUPTED',
        message: expect.stringMatching(/^Stopped by SIGINT .*; nothing was sent in this run\.$/),
      });
      await frozen;
      stop.abort('SIGINT');
      await looking;
      proxy.thaw();
      await expect(ledger.plan({ ...order, amount: 100 as Cents }, happens('planned'))).rejects.toMatchObject(
        {
          code: 'INTERRUPTED',
        },
      );
      await ledger.close();
    });

    it('is waited for once a send is recorded, also by a look: what became of it is to be recorded', async () => {
      const { proxy, stop, ledger } = await freezing();
      await using _ = proxy;
      const { intent } = await ledger.plan({ ...order, amount: 100 as Cents }, happens('planned'));
      const owner = { host: 'h', boot: 'b', pid: 7, started: '99' };
      const sending = { owner, at: 1, expectedFence: 0, baseline: [] };
      expect(await ledger.markSending(intent, sending, happens('sending'))).toMatchObject({
        kind: 'sending',
      });
      const frozen = proxy.freeze();
      const looking = ledger.find(scope, key);
      await frozen;
      stop.abort('SIGINT');
      await turn();
      proxy.thaw();
      const found = await looking;
      if (found === null) throw new Error('the order is not there');
      expect(await ledger.record(found, { state: 'UNKNOWN' }, happens('unknown'))).toMatchObject({
        state: 'UNKNOWN',
      });
      await ledger.close();
    });

    it('is waited for while it records what became of the send of another run', async () => {
      const { proxy, stop, ledger } = await freezing();
      await using _ = proxy;
      const { intent } = await ledger.plan({ ...order, amount: 100 as Cents }, happens('planned'));
      const sender = await openLedger({ url: proxy.url, expectedId: ledger.id, clock: systemClock });
      const owner = { host: 'h', boot: 'b', pid: 7, started: '99' };
      const sending = { owner, at: 1, expectedFence: 0, baseline: [] };
      const sent = await sender.markSending(intent, sending, happens('sending'));
      await sender.close();
      if (sent.kind !== 'sending') throw new Error('it was not sent');
      const frozen = proxy.freeze();
      const recording = ledger.record(sent.intent, { state: 'UNKNOWN' }, happens('owner-gone'));
      await frozen;
      stop.abort('SIGINT');
      await turn();
      proxy.thaw();
      expect(await recording).toMatchObject({ state: 'UNKNOWN' });
      expect(await ledger.find(scope, key)).toMatchObject({ state: 'UNKNOWN' });
      await ledger.close();
    });

    it.skipIf(noSignals !== null)(
      'ends a withdraw before its send with 130, and nothing is sent',
      async () => {
        await using bench = await openBench();
        await using proxy = await startFreezingProxy(await server.createDatabase());
        const child = bench.start(payArgs('k-1', 1_050), { PIXCTL_LEDGER_URL: proxy.url });
        // The list is read, and the ledger is not heard of any more.
        bench.proxy.intercept = () => {
          void proxy.freeze().then(() => child.kill('SIGINT'));
          return null;
        };
        const said = text(child.stderr);
        expect(await once(child, 'close')).toEqual([130, null]);
        expect(await said).toMatch(/Stopped by SIGINT .*; nothing was sent in this run\./);
        expect(bench.proxy.posts()).toEqual([]);
      },
    );
  },
);
