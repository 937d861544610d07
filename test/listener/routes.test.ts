/** Several applications behind one listener: what hangs or is down keeps its own events waiting, and no others. */
import { afterEach, describe, expect, it } from 'vitest';
import { systemClock } from '../../src/clock.ts';
import { openInbox } from '../../src/inbox/open.ts';
import { fingerprint } from '../../src/listener/event-facts.ts';
import { laneCapacity } from '../../src/listener/forwarding/lanes.ts';
import { parseTargets } from '../../src/listener/posting/targets.ts';
import type { OwedEvent, Store } from '../../src/listener/store.ts';
import { type Application, startApplication } from '../support/application.ts';
import { deliver, eventBody, signatureOf, testSecret } from '../support/delivery.ts';
import { inboxFile, started } from '../support/listener.ts';

const applications: Application[] = [];
afterEach(async () => {
  for (const one of applications.splice(0)) await one.close();
});

const application = async (): Promise<Application> => {
  const one = await startApplication();
  applications.push(one);
  return one;
};

/** Charges go to one address, refunds to another. */
const routes = (charges: string, refunds: string, events: string[] | null = null) =>
  parseTargets({ forwardTo: [charges], routes: [`REFUND_COMPLETED=${refunds}`], events, allowRemote: false });

const sweepEveryMs = 777;

/** An inbox with events of an earlier run, its writes written down, and sweeps and time in the hands of the test. */
async function owing() {
  let late = 0;
  const sweeps: (() => void)[] = [];
  const now = () => systemClock.now() + late;
  const inbox = await openInbox({ url: inboxFile(), clock: { ...systemClock, now } });
  const claimed: string[] = [];
  const written: string[] = [];
  const store: Store = {
    add: inbox.add,
    async claimDue(...asked) {
      const events = await inbox.claimDue(...asked);
      claimed.push(...events.map(({ key }) => key));
      return events;
    },
    stillHolds: inbox.stillHolds,
    record(outcome) {
      written.push(outcome.key);
      return inbox.record(outcome);
    },
    postpone(key, nextAt) {
      written.push(key);
      return inbox.postpone(key, nextAt);
    },
  };
  const clock = {
    ...systemClock,
    now,
    sleep(ms: number, signal?: AbortSignal) {
      if (ms !== sweepEveryMs) return systemClock.sleep(Math.min(ms, 5), signal);
      return new Promise<void>((resolve) => {
        sweeps.push(resolve);
        signal?.addEventListener('abort', () => resolve());
      });
    },
  };
  return {
    ...{ claimed, written },
    setUp: { inbox, store, clock, sweepEveryMs, policy: { attempts: 99, baseMs: 1, maxMs: 1 } },
    /** Stores so many; answers their ids and keys, oldest first. */
    async owe(count: number, event: string) {
      const ids = Array.from({ length: count }, (_, at) => `evt_${event}_${String(at).padStart(3, '0')}`);
      const body = (id: string) => Buffer.from(eventBody(id, event));
      const source = fingerprint(testSecret);
      const common = { source, event, headers: [], origin: 'delivery', forward: 'leave' } as const;
      const stored = await Promise.all(
        ids.map((eventId) => inbox.add({ ...common, eventId, body: body(eventId) })),
      );
      return { ids, keys: new Set(stored.map(({ key }) => key)) };
    },
    /** Signed at the listener's time: after three hundred sweeps, a signature of the real one is too old for it. */
    async deliverNow(url: string, body: string) {
      const signature = signatureOf(body, testSecret, Math.floor(now() / 1000));
      expect(await deliver(url, body, { 'Service-Signature': signature })).toMatchObject({ status: 200 });
    },
    /** A second passes, and one sweep that has ended. */
    async sweep() {
      await expect.poll(() => sweeps.length).toBe(1);
      late += 1_001;
      for (const wake of sweeps.splice(0)) wake();
      await expect.poll(() => sweeps.length).toBe(1);
    },
  };
}

describe('an application that hangs', () => {
  it("keeps no other application's event waiting, whatever it is owed, and gets all its own once it is restarted", async () => {
    const [hanging, healthy] = [await application(), await application()];
    hanging.answer = 'hang';
    const { owe, setUp } = await owing();
    const charges = await owe(600, 'CHARGE_PAID');
    const refunds = await owe(20, 'REFUND_COMPLETED');
    const targets = routes(hanging.url, healthy.url);
    const { listener, url } = await started({ ...setUp, targets, concurrency: 4, forwardTimeoutMs: 600_000 });
    listener.startForwarding();
    await hanging.until(4);
    await deliver(url, eventBody('evt_now', 'REFUND_COMPLETED'));
    await healthy.untilTaken([...refunds.ids, 'evt_now']);
    expect(hanging.received.length).toBe(4);
    hanging.answer = 200;
    await hanging.down();
    await hanging.up();
    await hanging.untilTaken(charges.ids);
  });

  it('at one address takes no connection from another address of the same application', async () => {
    const both = await application();
    both.answer = (id) => (id.startsWith('evt_hanging') ? 'hang' : 200);
    const targets = routes(`${both.port}/charges`, `${both.port}/refunds`);
    const { listener, url } = await started({ targets, concurrency: 2, forwardTimeoutMs: 600_000 });
    listener.startForwarding();
    await Promise.all([1, 2, 3, 4].map((at) => deliver(url, eventBody(`evt_hanging_${at}`))));
    await both.until(2);
    await Promise.all([1, 2, 3].map((at) => deliver(url, eventBody(`evt_${at}`, 'REFUND_COMPLETED'))));
    await both.untilTaken(['evt_1', 'evt_2', 'evt_3']);
    expect(both.received.filter(({ path }) => path === '/charges')).toHaveLength(2);
  });
});

describe('an application that is down', () => {
  it("keeps no other application's event waiting, and gets its own, oldest first, once it is back", async () => {
    const [down, healthy] = [await application(), await application()];
    await down.down();
    const { owe, claimed, written, setUp, sweep, deliverNow } = await owing();
    const charges = await owe(600, 'CHARGE_PAID');
    const refunds = await owe(300, 'REFUND_COMPLETED');
    healthy.answer = (_id, before) => (before === 0 ? 500 : 200);
    const { listener, url } = await started({
      ...{ ...setUp, concurrency: 1 },
      targets: routes(down.url, healthy.url),
    });
    listener.startForwarding();
    while (healthy.received.length < 300) await sweep();
    const ofDown = (keys: readonly string[]) => keys.filter((key) => charges.keys.has(key)).length;
    await expect.poll(() => ofDown(written)).toBe(ofDown(claimed));
    const before = ofDown(claimed);
    // All places, and the one that is posted (`concurrency`) when a place has become free.
    expect(before).toBeLessThanOrEqual(laneCapacity + 1);
    for (let at = 0; at < 3 || healthy.taken.size < 300; at++) await sweep();
    expect(healthy.taken).toEqual(new Set(refunds.ids));
    healthy.answer = 200;
    await deliverNow(url, eventBody('evt_now', 'REFUND_COMPLETED'));
    await healthy.untilTaken(['evt_now']);
    expect([ofDown(claimed), ofDown(written)]).toEqual([before, before]);
    await down.up();
    await down.untilTaken(charges.ids);
    expect(down.received.map(({ id }) => id)).toEqual(charges.ids);
  });
});

it('an application that is down when forwarding begins is reported as down, and as answering once it is back', async () => {
  const one = await application();
  await one.down();
  const told: [string, boolean][] = [];
  const { listener } = await started({
    forwardTo: one.url,
    onApplication: (...it) => told.push(it),
  });
  listener.startForwarding();
  await expect.poll(() => told).toHaveLength(1);
  await one.up();
  await expect.poll(() => told).toHaveLength(2);
  expect(told.map(([, answering]) => answering)).toEqual([false, true]);
});

describe('an application that takes everything at once', () => {
  it("keeps no other application's event waiting, although there is always more for it", async () => {
    const [busy, other] = [await application(), await application()];
    const { owe, setUp, sweep } = await owing();
    let made = 0;
    const endless = (): OwedEvent => {
      const eventId = `evt_${made++}`;
      const event = 'CHARGE_PAID';
      const body = Buffer.from(eventBody(eventId, event));
      const known = { source: fingerprint(testSecret), headers: [], target: null, attempts: 0, failures: 0 };
      return { ...known, key: eventId, eventId, event, receivedAt: systemClock.now(), body };
    };
    const store: Store = {
      ...setUp.store,
      async claimDue(source, limit, choice) {
        const { names } = choice ?? { names: { except: [] } };
        const busyToo =
          'only' in names ? names.only.includes('CHARGE_PAID') : !names.except.includes('CHARGE_PAID');
        return busyToo ? Array.from({ length: limit }, endless) : setUp.store.claimDue(source, limit, choice);
      },
      record: async () => {},
    };
    const { listener } = await started({ ...setUp, store, targets: routes(busy.url, other.url) });
    listener.startForwarding();
    await busy.until(500);
    const refunds = await owe(1, 'REFUND_COMPLETED');
    await sweep();
    await other.untilTaken(refunds.ids);
    await busy.until(busy.received.length + 500);
  });
});

it('an event that is forwarded nowhere in this run is left to others', async () => {
  const one = await application();
  const { owe, claimed, setUp, sweep } = await owing();
  await owe(300, 'CHARGE_PAID');
  const refunds = await owe(1, 'REFUND_COMPLETED');
  const targets = routes(one.url, one.url, ['REFUND_COMPLETED']);
  const { listener } = await started({ ...setUp, targets });
  listener.startForwarding();
  await one.untilTaken(refunds.ids);
  await sweep();
  expect(new Set(claimed)).toEqual(refunds.keys);
});
