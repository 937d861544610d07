/** Several applications that each get every event: one that is down, hangs or refuses holds up no other. */
import { afterEach, describe, expect, it } from 'vitest';
import { systemClock } from '../../src/clock.ts';
import { openInbox } from '../../src/inbox/open.ts';
import { laneCapacity } from '../../src/listener/forwarding/lanes.ts';
import { type Application, startApplication } from '../support/application.ts';
import { deliver, eventBody, testSecret } from '../support/delivery.ts';
import { inboxFile, started } from '../support/listener.ts';

const applications: Application[] = [];
afterEach(async () => {
  for (const one of applications.splice(0)) await one.close();
});

const application = async (answer: Application['answer'] = 200): Promise<Application> => {
  const one = Object.assign(await startApplication(), { answer });
  applications.push(one);
  return one;
};

const quick = { policy: { attempts: 3, baseMs: 1, maxMs: 2 }, sweepEveryMs: 10 };
const forwarding = async (to: readonly Application[], more: Parameters<typeof started>[0] = {}) => {
  const setup = await started({ forwardTo: to.map(({ url }) => url), ...quick, ...more });
  setup.listener.startForwarding();
  return setup;
};

const targetsOf = async ({ inbox }: Pick<Awaited<ReturnType<typeof started>>, 'inbox'>, id: string) =>
  (await inbox.find(id))[0]?.targets?.map(({ state, attempts, status }) => [state, attempts, status]);

describe('an event for two applications', () => {
  it('goes to each in the same bytes, with one line that names both and a line for the other', async () => {
    const both = [await application(), await application()];
    const setup = await forwarding(both);
    const body = '{ "id" : "evt_1",\n "event":"CHARGE_PAID" }';
    await deliver(setup.url, body);
    await Promise.all(both.map((one) => one.untilTaken(['evt_1'])));
    for (const { received } of both) expect(received.map((got) => got.body.toString())).toEqual([body]);
    const urls = both.map(({ url }) => url);
    const first = await setup.report(({ type }) => type === 'event');
    expect(first).toMatchObject({ id: 'evt_1', forward: { status: 200 }, state: 'DELIVERED', targets: urls });
    const second = await setup.report(({ type }) => type === 'forward');
    expect(second).toMatchObject({ attempt: 1, forward: { status: 200 }, state: 'DELIVERED' });
    expect([first, second].map((one) => ('target' in one ? one.target : '')).sort()).toEqual(urls.sort());
    expect('key' in first && 'key' in second && first.key === second.key).toBe(true);
    expect(setup.reports).toHaveLength(2);
    expect(await targetsOf(setup, 'evt_1')).toEqual([
      ['DELIVERED', 1, 200],
      ['DELIVERED', 1, 200],
    ]);
  });

  it('is tried again only where it was refused, and given up there alone', async () => {
    const [good, bad] = [await application(), await application(503)];
    const setup = await forwarding([good, bad]);
    await deliver(setup.url, eventBody('evt_1'));
    await setup.report((one) => one.type === 'forward' && one.state === 'GIVEN_UP');
    expect([good.received.length, bad.received.length]).toEqual([1, 3]);
    expect(await targetsOf(setup, 'evt_1')).toEqual([
      ['DELIVERED', 1, 200],
      ['GIVEN_UP', 3, 503],
    ]);
    expect((await setup.inbox.find('evt_1'))[0]).toMatchObject({ state: 'GIVEN_UP', attempts: 4 });
  });

  it('that is repeated goes again only to the one that had given it back', async () => {
    const [good, bad] = [await application(), await application(503)];
    const setup = await forwarding([good, bad]);
    await deliver(setup.url, eventBody('evt_1'));
    await setup.report((one) => one.type === 'forward' && one.state === 'GIVEN_UP');
    bad.answer = 200;
    await deliver(setup.url, eventBody('evt_1'));
    await bad.untilTaken(['evt_1']);
    expect([good.received.length, bad.received.length]).toEqual([1, 4]);
  });

  it('reaches the second at once while the first is down, which gets it when it is back', async () => {
    const [down, healthy] = [await application(), await application()];
    await down.down();
    const setup = await forwarding([down, healthy]);
    await deliver(setup.url, eventBody('evt_1'));
    await healthy.untilTaken(['evt_1']);
    const held = await setup.report((one) => one.type !== 'rejected' && one.target === down.url);
    expect(held).toMatchObject({ forward: { error: expect.any(String) }, state: 'WAITING' });
    await down.up();
    await down.untilTaken(['evt_1']);
    expect(healthy.received).toHaveLength(1);
  });

  it('reaches the second while the first hangs and has no more room', async () => {
    const [hanging, healthy] = [await application('hang'), await application()];
    const setup = await forwarding([hanging, healthy], { concurrency: 1, forwardTimeoutMs: 600_000 });
    const ids = Array.from({ length: laneCapacity + 20 }, (_, at) => `evt_${at}`);
    await Promise.all(ids.map((id) => deliver(setup.url, eventBody(id))));
    await healthy.untilTaken(ids);
    expect(hanging.received.length).toBeLessThanOrEqual(1);
    hanging.answer = 200;
    await hanging.down();
    await hanging.up();
    await hanging.untilTaken(ids);
    expect(healthy.received).toHaveLength(ids.length);
  });

  it('made by --poll goes to both as well', async () => {
    const both = [await application(), await application()];
    const { listener } = await forwarding(both);
    await listener.receiveSynthetic([], Buffer.from(eventBody('evt_1')), testSecret);
    await Promise.all(both.map((one) => one.untilTaken(['evt_1'])));
  });

  it('goes on where each was after a restart, also when the flags are the other way round', async () => {
    const file = inboxFile();
    const [down, healthy] = [await application(), await application()];
    await down.down();
    const first = await forwarding([down, healthy], { file });
    await deliver(first.url, eventBody('evt_1'));
    await first.report((one) => one.type !== 'rejected' && one.state === 'DELIVERED');
    await first.end();
    await down.up();
    await forwarding([healthy, down], { file });
    await down.untilTaken(['evt_1']);
    expect([down.received.length, healthy.received.length]).toEqual([1, 1]);
  });

  it('keeps its applications for a run that names only one of them', async () => {
    const file = inboxFile();
    const [down, healthy] = [await application(), await application()];
    await down.down();
    const first = await forwarding([healthy, down], { file });
    await deliver(first.url, eventBody('evt_1'));
    await healthy.untilTaken(['evt_1']);
    await first.end();
    await down.up();
    await forwarding([healthy], { file });
    await down.untilTaken(['evt_1']);
    expect(healthy.received).toHaveLength(1);
  });

  it('reaches one that this run does not name while the one that it names is down', async () => {
    let late = 0;
    const clock = { ...systemClock, now: () => systemClock.now() + late };
    const inbox = await openInbox({ url: inboxFile(), clock });
    const [down, refusing] = [await application(), await application(503)];
    const policy = { attempts: 3, baseMs: 60_000, maxMs: 60_000 };
    const first = await forwarding([down, refusing], { inbox, policy });
    await deliver(first.url, eventBody('evt_1'));
    await first.report((one) => one.type !== 'rejected' && one.target === refusing.url);
    await first.listener.stop();
    await inbox.releaseAllClaims();
    await down.down();
    const isDown = Promise.withResolvers<void>();
    const onApplication = (url: string) => void (url === down.url && isDown.resolve());
    const { listener } = await started({ forwardTo: down.url, ...quick, inbox, clock, onApplication });
    listener.startForwarding([refusing.url]);
    await isDown.promise;
    refusing.answer = 200;
    late = 60_001;
    await refusing.untilTaken(['evt_1']);
  });

  it('that one application was owed before the second was named goes to the first', async () => {
    const file = inboxFile();
    const [one, two] = [await application(), await application()];
    await one.down();
    const first = await forwarding([one], { file });
    await deliver(first.url, eventBody('evt_1'));
    await first.end();
    await one.up();
    const second = await forwarding([one, two], { file });
    await deliver(second.url, eventBody('evt_2'));
    await one.untilTaken(['evt_1', 'evt_2']);
    await two.untilTaken(['evt_2']);
    expect(two.received.map(({ id }) => id)).toEqual(['evt_2']);
  });
});

describe('--ack app with two applications', () => {
  it.each([
    ['both accept it', [200, 204], 200],
    ['the second refuses it', [200, 422], 422],
    ['the first refuses it', [422, 200], 422],
    ['one refuses it and one fails: the service has to deliver it again', [422, 503], 503],
  ] as const)('answers, when %s, %j with %d', async (_what, [a, b], status) => {
    const both = [await application(a), await application(b)];
    const { url } = await forwarding(both, { ack: 'app' });
    expect((await deliver(url, eventBody('evt_1'))).status).toBe(status);
    expect(both.map(({ received }) => received.length)).toEqual([1, 1]);
  });

  it('answers 502 when one cannot be reached, and asks only that one when the event comes again', async () => {
    const [good, down] = [await application(), await application()];
    await down.down();
    const setup = await forwarding([good, down], { ack: 'app' });
    expect((await deliver(setup.url, eventBody('evt_1'))).status).toBe(502);
    await down.up();
    expect((await deliver(setup.url, eventBody('evt_1'))).status).toBe(200);
    expect(await deliver(setup.url, eventBody('evt_1'))).toMatchObject({
      status: 200,
      body: '{"received":true,"duplicate":true}',
    });
    expect([good.received.length, down.received.length]).toEqual([1, 1]);
    expect((await targetsOf(setup, 'evt_1'))?.map(([state]) => state)).toEqual(['DELIVERED', 'DELIVERED']);
  });
});
