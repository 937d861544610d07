/** Forwarding to a real application: what it gets, how often, and what is told. */
import { request } from 'node:http';
import { createServer } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { systemClock } from '../../../src/clock.ts';
import { verify } from '../../../src/contract/signature.ts';
import { openInbox } from '../../../src/inbox/open.ts';
import { fingerprint } from '../../../src/listener/event-facts.ts';
import { createEditedDelivery } from '../../../src/listener/forwarding/edited-delivery.ts';
import { parseTargets } from '../../../src/listener/posting/targets.ts';
import type { ForwardOutcome } from '../../../src/listener/store.ts';
import { type Application, startApplication } from '../../support/application.ts';
import { deliver, eventBody, signatureOf, testSecret } from '../../support/delivery.ts';
import { listenOnLoopback } from '../../support/listen-on-loopback.ts';
import { inboxFile, started } from '../../support/listener.ts';

let application: Application;
beforeEach(async () => {
  application = await startApplication();
});
afterEach(() => application.close());

const quick = { policy: { attempts: 3, baseMs: 1, maxMs: 2 }, sweepEveryMs: 10 };
const forwarding = async (more: Parameters<typeof started>[0] = {}) => {
  const setup = await started({ forwardTo: application.url, ...quick, ...more });
  setup.listener.startForwarding();
  return setup;
};

const genuine = (header: string | string[] | undefined, body: Uint8Array) =>
  verify({ secret: testSecret, body, header, now: Date.now(), toleranceMs: 300_000 }).ok;

describe('a first forward', () => {
  it('carries the exact bytes and the headers as they came', async () => {
    const { url, report } = await forwarding();
    const body = '{ "id" : "evt_1",\n "event":"CHARGE_PAID", "n": 1.0, "s": "\\u00e9é" }';
    const signature = signatureOf(body);
    await deliver(url, body, { 'Service-Signature': signature, 'X-Odd-CASE': 'a, b' });
    expect(await report(({ type }) => type === 'event')).toMatchObject({
      id: 'evt_1',
      duplicate: false,
      forward: { status: 200 },
      state: 'DELIVERED',
    });
    const [got] = application.received;
    expect(got?.body.toString()).toBe(body);
    expect(got?.path).toBe('/hook');
    expect(got?.headers['service-signature']).toBe(signature);
    expect(got?.rawHeaders).toContain('X-Odd-CASE');
    expect(got?.headers.host).toBe(`127.0.0.1:${application.port}`);
    expect(got?.headers['content-length']).toBe(String(Buffer.byteLength(body)));
  });

  it('is made once for an event that comes several times', async () => {
    const { url, report, reports } = await forwarding();
    await Promise.all([1, 2, 3].map(() => deliver(url, eventBody('evt_1'))));
    await deliver(url, eventBody('evt_2'));
    await report(({ id, forward }) => id === 'evt_2' && forward !== null);
    expect(application.received.map(({ id }) => id).sort()).toEqual(['evt_1', 'evt_2']);
    expect(reports.filter((one) => one.type === 'event' && one.duplicate)).toHaveLength(2);
  });
});

describe('an application that does not take it', () => {
  it.each([[500], [404], [400], [300], [302], [429]])(
    'is asked again after %d, signed afresh, until given up',
    async (status) => {
      application.answer = status;
      const { url, report, inbox } = await forwarding();
      expect((await deliver(url, eventBody('evt_1'))).status).toBe(200);
      const last = await report((one) => one.type === 'forward' && one.state === 'GIVEN_UP');
      expect(last).toMatchObject({ attempt: 3, forward: { status } });
      expect(application.received.map(({ path }) => path)).toEqual(['/hook', '/hook', '/hook']);
      expect(
        application.received.every(({ headers, body }) => genuine(headers['service-signature'], body)),
      ).toBe(true);
      const [event] = await inbox.find('evt_1');
      expect(event).toMatchObject({ state: 'GIVEN_UP', attempts: 3 });
      expect((await inbox.attempts(event?.key ?? '')).map(({ signature }) => signature)).toEqual([
        'original',
        'fresh',
        'fresh',
      ]);
    },
  );

  it('gets it again until it accepts it', async () => {
    application.answer = (_id, before) => (before < 2 ? 503 : 204);
    const { url, report, inbox } = await forwarding();
    await deliver(url, eventBody('evt_1'));
    expect(await report((one) => one.type === 'event')).toMatchObject({
      forward: { status: 503 },
      state: 'WAITING',
    });
    await report((one) => one.type === 'forward' && one.state === 'DELIVERED');
    expect((await inbox.find('evt_1'))[0]).toMatchObject({ state: 'DELIVERED', status: 204, attempts: 3 });
  });

  it('holds up nobody while it hangs: deliveries are answered', async () => {
    application.answer = 'hang';
    const { url } = await forwarding({ forwardTimeoutMs: 600_000, concurrency: 2 });
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, at) => deliver(url, eventBody(`evt_${at}`))),
    );
    expect(answers.every(({ status }) => status === 200)).toBe(true);
    expect(application.received.length).toBeLessThanOrEqual(2);
  });

  it('gets one event at a time while a rush of deliveries waits for its answer, and then all at once', async () => {
    application.answer = 'hang';
    const inbox = await openInbox({ url: inboxFile(), clock: systemClock });
    const { claimDue, stillHolds, postpone, record } = inbox;
    const gate = Promise.withResolvers<void>();
    const add: typeof inbox.add = async (arrival, onWritten) => {
      if (arrival.eventId.startsWith('evt_late')) await gate.promise;
      return inbox.add(arrival, onWritten);
    };
    const store = { add, claimDue, stillHolds, postpone, record };
    const { url, end } = await forwarding({ store, forwardTimeoutMs: 600_000, concurrency: 5 });
    const crowd = Array.from({ length: 16 }, (_, at) => deliver(url, eventBody(`evt_late_${at}`)));
    for (let at = 0; at < 5; at++) await deliver(url, eventBody(`evt_${at}`));
    await application.until(1);
    const before = application.received.length;
    gate.resolve();
    await Promise.all(crowd);
    await application.until(5);
    expect(before).toBe(1);
    await end();
    await inbox.close();
  });

  it('is given up on after the timeout when it hangs', async () => {
    application.answer = 'hang';
    const { url, report } = await forwarding({ forwardTimeoutMs: 1_000 });
    expect((await deliver(url, eventBody('evt_1'))).status).toBe(200);
    expect(await report(({ forward }) => forward !== null)).toMatchObject({
      forward: { error: 'did not answer within 1 s' },
      state: 'WAITING',
    });
  });

  it('gets what was stored for it once it is back, and no attempt is used up meanwhile', async () => {
    const changes: boolean[] = [];
    await application.down();
    const { url, report, inbox } = await forwarding({
      onApplication: (_url, answering) => changes.push(answering),
    });
    await deliver(url, eventBody('evt_1'));
    const told = await report(({ type }) => type === 'event');
    expect(told).toMatchObject({ id: 'evt_1', state: 'WAITING' });
    expect(told.forward).toHaveProperty('error');
    await application.up();
    await application.untilTaken(['evt_1']);
    await report((one) => one.type === 'forward' && one.state === 'DELIVERED');
    expect((await inbox.find('evt_1'))[0]).toMatchObject({ state: 'DELIVERED', failures: 0 });
    expect(changes).toEqual([false, true]);
  });

  it('gets the next event before what became of the last is written, one at a time', async () => {
    const inbox = await openInbox({ url: inboxFile(), clock: systemClock });
    const record = async (outcome: ForwardOutcome) => {
      await application.until(2);
      await inbox.record(outcome);
    };
    const { add, claimDue, stillHolds, postpone } = inbox;
    const store = { add, claimDue, stillHolds, postpone, record };
    const { url, report, end } = await forwarding({ store, concurrency: 1 });
    await deliver(url, eventBody('evt_1'));
    await deliver(url, eventBody('evt_2'));
    await report((one) => one.type === 'event' && one.id === 'evt_2' && one.state === 'DELIVERED');
    expect(application.received.map(({ id }) => id)).toEqual(['evt_1', 'evt_2']);
    await end();
    await inbox.close();
  });

  it('gets it again in the same run if its outcome could not be written at first', async () => {
    const inbox = await openInbox({ url: inboxFile(), clock: systemClock });
    let full = true;
    const troubles: unknown[] = [];
    const store = {
      add: inbox.add,
      claimDue: inbox.claimDue,
      stillHolds: inbox.stillHolds,
      postpone: inbox.postpone,
      record: (outcome: ForwardOutcome) => (full ? Promise.reject(new Error('full')) : inbox.record(outcome)),
    };
    application.answer = (_id, before) => (before === 0 ? 500 : 200);
    const clock = {
      ...systemClock,
      sleep: (_: number, signal?: AbortSignal) => systemClock.sleep(5, signal),
    };
    const { url, report, end } = await forwarding({
      ...{ store, clock },
      onTrouble(cause) {
        troubles.push(cause);
        full = false;
      },
    });
    await deliver(url, eventBody('evt_1'));
    await application.untilTaken(['evt_1']);
    await report((one) => one.type === 'forward' && one.state === 'DELIVERED');
    expect(application.received).toHaveLength(2);
    expect(troubles).toHaveLength(1);
    await end();
    await inbox.close();
  });

  it('gets nothing from a listener that was suspended until another had taken over', async () => {
    let late = 0;
    const clock = { ...systemClock, now: () => systemClock.now() + late };
    const file = inboxFile();
    const inbox = await openInbox({ url: file, clock });
    const asked = Promise.withResolvers<void>();
    const awake = Promise.withResolvers<void>();
    const stillHolds = async (key: string) => {
      asked.resolve();
      await awake.promise;
      return inbox.stillHolds(key);
    };
    const { url, report } = await forwarding({
      ...{ inbox, store: { ...inbox, stillHolds }, sweepEveryMs: 600_000 },
    });
    await deliver(url, eventBody('evt_1'));
    await asked.promise;
    late = 20_000;
    const other = await openInbox({ url: file, clock });
    const [taken] = await other.claimDue(fingerprint(testSecret), 1);
    awake.resolve();
    expect(await report(({ type }) => type === 'event')).toMatchObject({
      ...{ forward: null, state: 'WAITING', takenOver: true },
    });
    expect(taken?.eventId).toBe('evt_1');
    expect(application.received).toEqual([]);
    await other.close();
  });

  it('that closes the connection without an answer is asked again', async () => {
    const rude = createServer((socket) => socket.on('data', () => socket.destroy()));
    const port = await listenOnLoopback(rude);
    const { url, report } = await forwarding({ forwardTo: `127.0.0.1:${port}` });
    await deliver(url, eventBody('evt_1'));
    expect(await report((one) => one.type === 'forward' && one.state === 'GIVEN_UP')).toMatchObject({
      attempt: 3,
      forward: { error: 'closed the connection without an answer' },
    });
    rude.close();
  });
});

describe('the next run', () => {
  it('forwards what the last one still owed', async () => {
    application.answer = 500;
    const file = inboxFile();
    const first = await forwarding({ file, policy: { attempts: 9, baseMs: 1, maxMs: 1 } });
    await deliver(first.url, eventBody('evt_1'));
    await first.report(({ type }) => type === 'event');
    await first.end();
    application.answer = 200;
    const second = await forwarding({ file });
    expect(await second.report(({ type }) => type === 'forward')).toMatchObject({
      id: 'evt_1',
      state: 'DELIVERED',
    });
  });

  it('forwards it even if the store cannot be asked at first, and reports that', async () => {
    const inbox = await openInbox({ url: inboxFile(), clock: systemClock });
    const body = new TextEncoder().encode(eventBody('evt_1'));
    const owed = { eventId: 'evt_1', event: 'CHARGE_PAID', body, headers: [], origin: 'delivery' } as const;
    await inbox.add({ ...owed, source: fingerprint(testSecret), forward: 'leave' });
    let asked = 0;
    const claimDue: typeof inbox.claimDue = (...choice) =>
      asked++ === 0 ? Promise.reject(new Error('busy')) : inbox.claimDue(...choice);
    const troubles: unknown[] = [];
    await forwarding({
      ...{ inbox, store: { ...inbox, claimDue } },
      onTrouble: (cause) => troubles.push(String(cause)),
    });
    await application.untilTaken(['evt_1']);
    expect(troubles).toEqual(['Error: busy']);
  });

  it('gives up a copy that was owed to another machine if this run does not allow that', async () => {
    const inbox = await openInbox({ url: inboxFile(), clock: systemClock });
    const source = fingerprint(testSecret);
    const body = new TextEncoder().encode(eventBody('evt_1'));
    const edits = { edits: 'data.amount=1', signature: 't=1,v1=0', signatureHeader: 'Service-Signature' };
    const target = 'https://staging.invalid/hook';
    const copy = createEditedDelivery({ source, headers: [] }, { body, ...edits, target });
    const { key } = await inbox.add({ ...copy, forward: 'leave' });
    const { report } = await forwarding({ inbox });
    await report(({ type }) => type === 'forward');
    expect((await inbox.find(key))[0]?.state).toBe('GIVEN_UP');
    expect(await inbox.attempts(key)).toMatchObject([
      {
        url: target,
        status: null,
        error: 'staging.invalid is not this machine; replay it with --allow-remote',
      },
    ]);
    expect(application.received).toEqual([]);
  });

  it('leaves alone what another signer sent', async () => {
    const file = inboxFile();
    const body = eventBody('evt_other');
    const first = await started({ file, forwardTo: application.url, ...quick }, ['whsec_other']);
    application.answer = 500;
    await deliver(first.url, body, { 'Service-Signature': signatureOf(body, 'whsec_other') });
    await first.report(({ type }) => type === 'event');
    await first.end();
    application.answer = 200;
    const second = await forwarding({ file });
    await deliver(second.url, eventBody('evt_mine'));
    await second.report(({ id }) => id === 'evt_mine');
    expect([...application.taken]).toEqual(['evt_mine']);
  });
});

describe('--ack app', () => {
  it.each([[200], [204], [404], [500]])('answers with the status %d of the application', async (status) => {
    application.answer = status;
    const { url, inbox, reports } = await forwarding({ ack: 'app' });
    expect((await deliver(url, eventBody('evt_1'))).status).toBe(status);
    // For what is said to people: only of what was passed on does the service deliver again.
    expect(reports).toMatchObject([{ id: 'evt_1', forward: { status }, relayed: true }]);
    const taken = { state: 'DELIVERED', failures: 0 };
    expect((await inbox.find('evt_1'))[0]).toMatchObject(
      status < 300 ? taken : { state: 'GIVEN_UP', failures: 1 },
    );
    expect(application.received).toHaveLength(1);
  });

  it('answers 502 if the application wants another protocol', async () => {
    const other = createServer((socket) => {
      socket.on('error', () => {}).write('HTTP/1.1 101 x\r\nConnection: upgrade\r\nUpgrade: x\r\n\r\n');
    });
    const port = await listenOnLoopback(other);
    const { url } = await forwarding({ ack: 'app', forwardTo: String(port) });
    expect(await deliver(url, eventBody('evt_1'))).toEqual({
      status: 502,
      body: '{"error":"the application answered 101"}',
    });
    other.close();
  });

  it('answers 502 while there is no application, and forwards again when the service sends again', async () => {
    await application.down();
    const { url, inbox, reports } = await forwarding({ ack: 'app' });
    expect((await deliver(url, eventBody('evt_1'))).status).toBe(502);
    await application.up();
    expect((await deliver(url, eventBody('evt_1'))).status).toBe(200);
    expect((await deliver(url, eventBody('evt_1'))).status).toBe(200);
    expect(application.received).toHaveLength(1);
    const again = reports.filter((report) => report.type === 'event' && report.duplicate);
    expect(again).toMatchObject([{ asked: true, state: 'GIVEN_UP' }, { state: 'DELIVERED' }]);
    expect(again[1]).not.toHaveProperty('asked');
    expect((await inbox.find('evt_1'))[0]).toMatchObject({ state: 'DELIVERED', attempts: 2 });
  });
});

describe('--ack app at the end of a run', () => {
  const clock = {
    ...systemClock,
    sleep: (ms: number, signal?: AbortSignal) => systemClock.sleep(ms === 2_000 ? 0 : ms, signal),
  };

  it('records and reports what the application had not answered', async () => {
    application.answer = 'hang';
    const { url, listener, inbox, reports } = await forwarding({ ack: 'app', clock });
    const delivery = request(url, {
      method: 'POST',
      headers: { 'Service-Signature': signatureOf(eventBody('evt_1')) },
    });
    delivery.on('error', () => {}).end(eventBody('evt_1'));
    await application.until(1);
    delivery.destroy();
    await listener.stop();
    const error = 'had not answered when pixctl stopped';
    expect(reports).toMatchObject([{ id: 'evt_1', forward: { error }, state: 'GIVEN_UP', cutOff: true }]);
    expect(reports[0]).not.toHaveProperty('relayed');
    expect((await inbox.find('evt_1'))[0]).toMatchObject({ state: 'GIVEN_UP', attempts: 1, error });
  });

  it('reports as cut off what it could not record', async () => {
    const inbox = await openInbox({ url: inboxFile(), clock: systemClock });
    const troubles: unknown[] = [];
    const { url, listener, reports } = await forwarding({
      ...{ ack: 'app', inbox },
      store: { ...inbox, record: () => Promise.reject(new Error('the disk is full')) },
      onTrouble: (cause) => troubles.push(cause),
    });
    expect((await deliver(url, eventBody('evt_1'))).status).toBe(500);
    await listener.stop();
    expect(reports).toMatchObject([{ id: 'evt_1', forward: null, state: 'NOT_FORWARDED', cutOff: true }]);
    expect(troubles).toEqual([new Error('the disk is full')]);
  });
});

it('--ack app forwards what --poll made until it is accepted, and reports it once', async () => {
  application.answer = (_id, before) => (before === 0 ? 500 : 200);
  const { listener, reports } = await forwarding({ ack: 'app' });
  const made = Buffer.from(eventBody('evt_1'));
  const headers = [['Service-Signature', signatureOf(made)]] as const;
  const take = () => listener.receiveSynthetic(headers, made, testSecret);
  await take();
  await application.untilTaken(['evt_1']);
  expect((await take()).duplicate).toBe(true);
  await expect.poll(() => reports.length).toBe(2);
  expect(reports).toMatchObject([
    { type: 'event', synthetic: 'poll', duplicate: false, state: 'WAITING' },
    { type: 'forward', attempt: 2, state: 'DELIVERED' },
  ]);
});

describe('--ack app on a slow disk', () => {
  it('asks the application once, when a repeat comes while it answers and is flushed afterwards', async () => {
    const inbox = await openInbox({ url: inboxFile(), clock: systemClock });
    const repeated = Promise.withResolvers<void>();
    const flushed = Promise.withResolvers<void>();
    const store: typeof inbox = {
      ...inbox,
      async add(arrival, onWritten) {
        const stored = await inbox.add(arrival, onWritten);
        if (stored.duplicate) {
          repeated.resolve();
          await flushed.promise;
        }
        return stored;
      },
      async record(outcome) {
        await repeated.promise;
        await inbox.record(outcome);
      },
    };
    const { url } = await forwarding({ ack: 'app', inbox, store });
    const first = deliver(url, eventBody('evt_1'));
    await application.until(1);
    const again = deliver(url, eventBody('evt_1'));
    expect((await first).status).toBe(200);
    flushed.resolve();
    expect((await again).status).toBe(200);
    expect(application.received).toHaveLength(1);
  });
});

describe('the end of a run', () => {
  it('waits for what is being claimed: its caller then closes the store', async () => {
    const inbox = await openInbox({ url: inboxFile(), clock: systemClock });
    const order: string[] = [];
    const asked = Promise.withResolvers<void>();
    const grace = Promise.withResolvers<void>();
    const release = Promise.withResolvers<void>();
    const store: typeof inbox = {
      ...inbox,
      async claimDue() {
        asked.resolve();
        await release.promise;
        order.push('claimed');
        return [];
      },
    };
    const clock = {
      ...systemClock,
      sleep: (ms: number, signal?: AbortSignal) => {
        if (ms === 2_000) grace.resolve();
        return systemClock.sleep(ms, signal);
      },
    };
    const { listener } = await forwarding({ inbox, store, clock });
    await asked.promise;
    const stopped = listener.stop().then(() => order.push('stopped'));
    await grace.promise;
    for (let turn = 0; turn < 5; turn++) await new Promise(setImmediate);
    release.resolve();
    await stopped;
    expect(order).toEqual(['claimed', 'stopped']);
  });
});

describe('routes', () => {
  it('send one event elsewhere, and keep what is not wanted', async () => {
    const other = await startApplication();
    const targets = parseTargets({
      forwardTo: [String(application.port)],
      routes: [`REFUND_COMPLETED=${other.url}`],
      events: ['REFUND_COMPLETED', 'CHARGE_PAID'],
      allowRemote: false,
    });
    const { url, inbox } = await forwarding({ targets });
    await deliver(url, eventBody('evt_paid'));
    await deliver(url, eventBody('evt_refund', 'REFUND_COMPLETED'));
    await deliver(url, eventBody('evt_withdrawal', 'WITHDRAWAL_FAILED'));
    await application.untilTaken(['evt_paid']);
    await other.untilTaken(['evt_refund']);
    expect((await inbox.find('evt_withdrawal'))[0]?.state).toBe('NONE');
    expect([...application.taken]).toEqual(['evt_paid']);
    await other.close();
  });
});
