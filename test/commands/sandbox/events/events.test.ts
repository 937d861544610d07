/** `pixctl sandbox events|emit|deliveries|replay` as a user runs them, against a sandbox in this process. */
import { once } from 'node:events';
import { createServer, request as httpRequest, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { systemClock } from '../../../../src/clock.ts';
import { replayEvent } from '../../../../src/commands/sandbox/events/delivery.ts';
import { createRuntime } from '../../../../src/runtime/create-runtime.ts';
import { type Sandbox, startSandbox } from '../../../../src/sandbox/index.ts';
import { visit } from '../../../sandbox/page/visitor.ts';
import { listenOnLoopback } from '../../../support/listen-on-loopback.ts';
import { memoryIo } from '../../../support/memory-io.ts';
import { noSignals, skipped } from '../../../support/platform.ts';
import { emptyHome, type Finished, run, start } from '../../../support/run.ts';

let sandbox: Sandbox;
let shop: Server;
/** What the shop answers, 0 for never, and what it got. */
let status = 200;
const got: { body: string; signature: string }[] = [];
const home = emptyHome();
const pixctl = (...args: string[]) =>
  run(['sandbox', ...args], {
    home,
    env: { PIXCTL_BASE_URL: sandbox.url, PIXCTL_API_KEY: sandbox.apiKey },
  });

const register = async (events: string[]) => {
  const { port } = shop.address() as AddressInfo;
  const response = await fetch(`${sandbox.url}/webhooks`, {
    method: 'POST',
    headers: { authorization: `Bearer ${sandbox.apiKey}`, 'content-type': 'application/json' },
    body: JSON.stringify({ url: `http://127.0.0.1:${port}/`, events }),
  });
  expect(response.status).toBe(201);
};

beforeAll(async () => {
  sandbox = await startSandbox();
  shop = createServer((request, response) => {
    let body = '';
    request.on('data', (chunk) => {
      body += chunk;
    });
    request.on('end', () => {
      got.push({ body, signature: String(request.headers['service-signature']) });
      if (status !== 0) response.writeHead(status).end();
    });
  });
  await listenOnLoopback(shop);
  await register(['CHECKOUT_PAID', 'CHECKOUT_REFUNDED']);
});
afterAll(async () => {
  await sandbox.close();
  shop.close();
});

describe('an event made by hand', () => {
  /** The event of these tests, and what the shop has got of it. */
  let made: Finished;
  let eventId = '';
  const gotOfIt = () => got.filter(({ body }) => body.includes(eventId));
  const deliveries = async () =>
    JSON.parse((await pixctl('deliveries', '--event', eventId, '-o', 'json')).stdout);

  beforeAll(async () => {
    made = await pixctl('emit', 'CHECKOUT_PAID', '--data', '{"id":"chk_1","amount":5000}', '-o', 'json');
    eventId = JSON.parse(made.stdout).id;
    await sandbox.clock.advance(1);
  });

  it('carries the given data, and is delivered to whoever subscribed', async () => {
    expect(made.code).toBe(0);
    expect(made.stderr).toMatch(/^Its deliveries: pixctl sandbox deliveries --event evt_\w+\n$/);
    expect(JSON.parse(made.stdout)).toMatchObject({
      event: 'CHECKOUT_PAID',
      data: { id: 'chk_1', amount: 5000 },
    });
    expect(JSON.parse(gotOfIt()[0]?.body ?? '')).toMatchObject({ id: eventId, data: { id: 'chk_1' } });
  });

  it('is in the list, with what it is about', async () => {
    const { stderr } = await pixctl('emit', 'CHARGE_EXPIRED');
    expect(stderr).toMatch(
      /^No endpoint of this merchant subscribes to CHARGE_EXPIRED, so it is delivered to nobody\./,
    );
    const { stdout } = await pixctl('events');
    expect(stdout.trim()).toMatch(/CHECKOUT_PAID.*chk_1[\s\S]*CHARGE_EXPIRED[^\n]*$/);
    const one = await pixctl('events', '--about', 'chk_1', '--limit', '1', '-o', 'ndjson');
    expect(JSON.parse(one.stdout)).toMatchObject({ id: eventId });
  });

  it('has its deliveries listed with the reason in words', async () => {
    const { stdout } = await pixctl('deliveries', '--event', eventId);
    expect(stdout.split('\n')[0]).toBe('No\tEvent\tEvent id\tTo\tState\tAttempts\tWhy');
    expect(stdout).toMatch(/DELIVERED.*1.*delivered: HTTP 200/);
    expect((await pixctl('deliveries', '--event', 'CHARGE_EXPIRED', '-o', 'json')).stdout.trim()).toBe('[]');
  });

  it('is sent again to whoever got it: signed afresh, or as the very same request', async () => {
    const [first] = gotOfIt();
    const [before, listed] = [gotOfIt().length, (await deliveries()).length];
    expect((await pixctl('replay', eventId)).stdout).toContain('delivered: HTTP 200');
    expect((await pixctl('replay', eventId, '--identical', '-o', 'json')).code).toBe(0);
    const [resigned, identical, ...more] = gotOfIt().slice(before);
    expect([resigned?.body, identical?.body, more]).toEqual([first?.body, first?.body, []]);
    expect(await deliveries()).toHaveLength(listed + 2);
  });

  it('that is an edited copy of another is sent again too', async () => {
    const page = await visit(sandbox);
    const [{ id } = { id: 0 }] = await deliveries();
    await page.submit(`deliveries/${id}/edit`, { data: '{"id":"chk_1","amount":7}' });
    const copy = sandbox.events({ order: 'newest-first', limit: 1 })[0]?.id;
    await sandbox.clock.advance(1);
    const before = got.length;
    for (let times = 0; times < 2; times += 1)
      expect(await pixctl('replay', String(copy))).toMatchObject({ code: 0 });
    expect(got.slice(before).map(({ body }) => JSON.parse(body).data.amount)).toEqual([7, 7]);
  });

  it('that was not sent yet cannot be sent again as the same request, which the help names', async () => {
    sandbox.faults.add({ target: 'delivery', effect: { kind: 'delay', ms: 60_000 }, times: 1 });
    const { id } = sandbox.trigger('CHECKOUT_PAID');
    const { code, stderr } = await pixctl('replay', id, '--identical');
    expect([code, stderr]).toEqual([80, expect.stringContaining('There is no attempt of this delivery yet')]);
    expect((await pixctl('replay', '--help')).stdout).toMatch(/^ {2}80 /m);
  });

  it('that is not taken ends a replay with 83 and the reason', async () => {
    status = 410;
    const { code, stdout, stderr } = await pixctl('replay', eventId);
    expect(code).toBe(83);
    expect(stdout).toContain('HTTP 410 is a definitive rejection');
    expect(stderr).toContain('1 of 1 did not accept the event');
    status = 200;
  });
});

it.each([
  [['replay', 'evt_none'], 88, 'There is no delivery of evt_none to repeat. Nothing was sent.'],
  [['emit', 'lower'], 80, 'upper-case event name'],
  [['emit', 'CHECKOUT_PAID', '--data', '[1]'], 64, 'not a JSON object'],
  [['emit', 'CHECKOUT_PAID', '--data', '@/nowhere.json'], 64, 'cannot be read: there is no such file'],
  [['events', '--limit', '0'], 64, 'from 1 to 1000'],
  [['deliveries', '--state', 'lost'], 64, 'lost'],
])('%o ends with %i', async (args, code, words) => {
  const result = await pixctl(...args);
  expect(result.code).toBe(code);
  expect(result.stderr).toContain(words);
});

it.each([
  [['emit', 'CHARGE_PAYD']],
  [['events', '--event', 'CHARGE_PAYD']],
  [['deliveries', '--event', 'CHARGE_PAYD']],
  [['fault', 'add', '--effect', 'duplicate', '--on', 'CHARGE_PAID,CHARGE_PAYD']],
])('%o warns of a name that may be misspelt, and accepts it', async (args) => {
  const { code, stderr } = await pixctl(...args);
  expect(code).toBe(0);
  expect(stderr).toContain(
    'CHARGE_PAYD is not a documented event; it is used as it is. Did you mean CHARGE_PAID?',
  );
  sandbox.faults.clear();
});

it('follows what happens, one line per event, until it is told to stop', async () => {
  const lines: string[] = [];
  const stop = new AbortController();
  const { port } = new URL(sandbox.url);
  const following = (async () => {
    const { follow } = await import('../../../../src/commands/sandbox/events/event.ts');
    const call = async (_: string, path: string) => {
      const response = await fetch(`http://127.0.0.1:${port}/__sandbox${path}`, {
        headers: { authorization: `Bearer ${sandbox.apiKey}` },
        signal: stop.signal,
      });
      return response.json();
    };
    const control = { url: sandbox.url, call, bytes: call } as never;
    for await (const { event } of follow(stop.signal, control, { event: 'FOLLOWED' }, [])) {
      lines.push(event);
      if (lines.length === 2) stop.abort();
    }
  })();
  sandbox.trigger('OTHER_ONE');
  sandbox.trigger('FOLLOWED');
  sandbox.trigger('FOLLOWED');
  await following;
  expect(lines).toEqual(['FOLLOWED', 'FOLLOWED']);
});

it.each(['table', 'ndjson'])(
  'follows for as long as --timeout says, which is no failure: %s',
  async (format) => {
    sandbox.trigger('CHECKOUT_REFUNDED');
    const args = [
      '--event',
      'CHECKOUT_REFUNDED',
      '--limit',
      '1',
      '--follow',
      '--timeout',
      '1s',
      '-o',
      format,
    ];
    const { code, stdout, stderr } = await pixctl('events', ...args);
    expect(stdout).toContain('CHECKOUT_REFUNDED');
    expect([code, stderr]).toEqual([0, format === 'table' ? 'Waiting for events; Ctrl-C stops it.\n' : '']);
  },
);

it('follows with the fields that were named, as it lists them', async () => {
  const { id } = sandbox.trigger('FIELDS_NAMED');
  const named = ['--event', 'FIELDS_NAMED', '--fields', 'id,event'];
  const { stdout } = await pixctl('events', '--follow', '--timeout', '1s', ...named);
  expect(stdout).toBe(`ID\tEvent\n${id}\tFIELDS_NAMED\n`);
});

it('says why there is no delivery where no endpoint is registered', async () => {
  const lonely = await startSandbox();
  const env = { PIXCTL_BASE_URL: lonely.url, PIXCTL_API_KEY: lonely.apiKey };
  const { code, stdout, stderr } = await run(['sandbox', 'deliveries', '-o', 'json'], { home, env });
  await lonely.close();
  expect({ code, stdout: stdout.trim() }).toEqual({ code: 0, stdout: '[]' });
  expect(stderr).toContain('No endpoint is registered');
  expect((await pixctl('deliveries', '--event', 'CHARGE_EXPIRED')).stderr).not.toContain('No endpoint');
});

it.each(['table', 'ndjson', 'csv'])('follows no longer than somebody reads it, in %s', async (format) => {
  const event = `READ_ONCE_${format.toUpperCase()}`;
  const args = ['sandbox', 'events', '--event', event, '--follow', '-o', format];
  const env = { PIXCTL_BASE_URL: sandbox.url, PIXCTL_API_KEY: sandbox.apiKey };
  sandbox.trigger(event);
  const child = start(args, { home, env });
  const ended = once(child, 'close');
  await once(child.stdout, 'data');
  child.stdout.destroy();
  sandbox.trigger(event);
  expect(await ended).toEqual([0, null]);
});

describe('a replay to two that is cut short', () => {
  const eventOfTwo = async (name: string) => {
    await register([name]);
    await register([name]);
    const { id } = sandbox.trigger(name);
    await sandbox.clock.advance(1);
    return id;
  };
  /** What stands between: it asks `end` before each call of the control plane, which may end it all. */
  const between = async (end: (method: string, posts: number) => boolean) => {
    let posts = 0;
    const { port } = new URL(sandbox.url);
    const proxy = createServer((request, response) => {
      if (end(request.method ?? '', posts)) return;
      if (request.method === 'POST') posts += 1;
      const { method, url: path, headers } = request;
      const onwards = httpRequest({ port, method, path, headers }, (answer) => {
        response.writeHead(answer.statusCode ?? 500, answer.headers);
        answer.pipe(response);
      });
      request.pipe(onwards);
    });
    const url = `http://127.0.0.1:${await listenOnLoopback(proxy)}`;
    const env = { PIXCTL_BASE_URL: url, PIXCTL_API_KEY: sandbox.apiKey };
    const close = () => {
      proxy.closeAllConnections();
      proxy.close();
    };
    return { env, close, leave: () => void proxy.close() };
  };

  it.each([
    ['after the first, the second was not sent', 'NONE_SECOND', 'POST', 0, 83, '1 of 2 were sent again'],
    ['in the second, it may have been sent', 'CUT_SECOND', 'POST', 1, 81, '1 of 2 were sent again'],
    ['after both, it is not known how it ended', 'CUT_AFTER', 'GET', 2, 82, '2 of 2 were sent again'],
  ])('%s', async (_, name, at, after, code, words) => {
    const id = await eventOfTwo(name);
    const { env, close, leave } = await between((method, posts) => {
      if (method !== at || posts !== after) return false;
      // The first is answered still.
      (after === 0 ? leave : close)();
      return after !== 0;
    });
    const result = await run(['sandbox', 'replay', id], { home, env });
    expect(result).toMatchObject({ code, stderr: expect.stringContaining(words) });
    expect(result.stderr).toContain(`pixctl sandbox deliveries --event ${id} shows it.`);
  });

  it.skipIf(noSignals !== null)(skipped('by a signal is told with what was sent', noSignals), async () => {
    const id = await eventOfTwo('CUT_BY_SIGNAL');
    const { env, close } = await between((method, posts) => {
      if (method === 'GET' && posts === 2) child.kill('SIGINT');
      return method === 'GET' && posts === 2;
    });
    const child = start(['sandbox', 'replay', id], { home, env });
    const ended = once(child, 'close');
    expect([await text(child.stderr), await ended]).toEqual([
      expect.stringContaining(
        '2 of 2 were sent again, and what became of them is not known. Stopped by SIGINT.',
      ),
      [130, null],
    ]);
    close();
  });
});

it('does not call an event refused that is not answered yet', async () => {
  await register(['CHECKOUT_LATE']);
  const { id } = sandbox.trigger('CHECKOUT_LATE');
  await sandbox.clock.advance(1);
  status = 0;
  let passed = 0;
  // Fast: a busy machine must be through before the sandbox's own ten seconds are.
  const sleep = async (ms: number) => {
    passed += 10 * ms;
  };
  const runtime = createRuntime({
    ...{ io: memoryIo(), uid: undefined, node: null, version: '0', globals: () => ({}) },
    clock: { ...systemClock, monotonic: () => passed, sleep },
    environment: { HOME: home, PIXCTL_BASE_URL: sandbox.url, PIXCTL_API_KEY: sandbox.apiKey },
    ...{ platform: process.platform, signal: new AbortController().signal },
  });
  await expect(replayEvent(runtime, id, {})).rejects.toMatchObject({
    exit: 82,
    message: '1 of 1 have not been answered yet.',
  });
  status = 200;
  shop.closeAllConnections();
});
