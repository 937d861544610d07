/** A listener most of whose connections are taken by somebody who delivers nothing. */
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { systemClock } from '../../../src/clock.ts';
import { createReceiver, type ReceiverOptions } from '../../../src/listener/receiving/receive.ts';
import { defaultLimits } from '../../../src/listener/receiving/server.ts';
import { serving } from './serving.ts';

const limits = { maxConnections: 6, evictionThreshold: 4, patienceMs: 100, fullPatienceMs: 100 };
const genuine = 'POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\n\r\nhi';
const chunked = 'POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nhi\r\n0\r\n\r\n';

let server: Awaited<ReturnType<typeof serving>>;
let clients: Socket[] = [];
let troubles: unknown[] = [];
let slow: ((status: number) => void)[] = [];

beforeEach(async () => {
  server = await serving(
    (_headers, body) =>
      new Promise((answer) => {
        const said = Buffer.from(body).toString();
        if (said === 'hi') answer({ status: 200, body: '' });
        else if (said === 'no') answer({ status: 400, body: '', refused: true });
        else if (said === 'ap') answer({ status: 400, body: '' });
        else slow.push((status) => answer({ status, body: '' }));
      }),
    troubles,
    { limits },
  );
});

afterEach(async () => {
  for (const client of clients) client.destroy();
  await server.close();
  [clients, troubles, slow] = [[], [], []];
});

async function come(says = '') {
  const client = connect(server.port, '127.0.0.1');
  clients.push(client);
  let got = '';
  client
    .setEncoding('latin1')
    .on('data', (chunk: string) => {
      got += chunk;
    })
    .on('error', () => {});
  await once(client, 'connect');
  client.write(says);
  return { client, got: () => got, isGone: () => client.readableEnded || client.destroyed };
}

const many = (says: string) => Promise.all([1, 2, 3, 4, 5, 6].map(() => come(says)));
const patience = () => systemClock.sleep(3 * limits.patienceMs);

describe.each([
  ['say nothing', ''],
  ['say half a head', 'POST / HTTP/1.1\r\nHost: a\r\n'],
  ['say half a body', 'POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 9\r\n\r\nhi'],
  ['ask for something else', 'GET / HTTP/1.1\r\nHost: a\r\n\r\n'],
  ['deliver what is not genuine', genuine.replace('hi', 'no')],
])('strangers that hold all connections and %s', (_, says) => {
  it('have to make room for a delivery', async () => {
    await many(says);
    await patience();
    const delivery = await come(genuine);
    await expect.poll(delivery.got).toMatch(/^HTTP\/1\.1 200 /);
    expect(String(troubles[0])).toMatch(
      /^More than 4 of the 6 connections .* are in use: .* closed to make room/,
    );
  });
});

it.each([
  ['plain', genuine],
  ['not plain', chunked],
  ['refused by the application itself', genuine.replace('hi', 'ap')],
])('a kept connection that has delivered is never closed to make room, %s', async (_, says) => {
  const service = await come(says);
  await expect.poll(service.got).toMatch(/^HTTP\/1\.1 [24]00 /);
  await many('');
  await patience();
  await many('');
  await patience();
  expect(service.isGone()).toBe(false);
  service.client.write(says);
  await expect.poll(service.got).toMatch(/^HTTP\/1\.1 [24]00 [\s\S]*HTTP\/1\.1 [24]00 /);
});

it('one whose delivery is still being answered keeps its connection until it is', async () => {
  const service = await come(genuine.replace('hi', 'ab'));
  await expect.poll(() => slow.length).toBe(1);
  await many('');
  await patience();
  slow[0]?.(200);
  await expect.poll(service.got).toMatch(/^HTTP\/1\.1 200 /);
});

it('strangers are left alone while there is room', async () => {
  const strangers = await Promise.all([come(), come(), come()]);
  await patience();
  expect(strangers.some(({ isGone }) => isGone())).toBe(false);
  expect(troubles).toEqual([]);
});

it('a connection that is turned away is reported', async () => {
  const strangers = await many('');
  const late = await come();
  await expect.poll(late.isGone).toBe(true);
  expect(strangers.some(({ isGone }) => isGone())).toBe(false);
  expect(String(troubles[0])).toMatch(
    /^All 6 connections .* and others are turned away: a delivery among them/,
  );
});

it.each([
  ['one that is not genuine', new Map([['source', 'whsec_test_0123456789abcdef']]), 400],
  ['one that comes before the secret is known', null, 503],
])('%s does not make its sender known', async (_, secrets, status) => {
  const { receive } = createReceiver({
    clock: systemClock,
    secrets: () => secrets,
    otherSecrets: () => [],
    signatureHeader: 'Service-Signature',
    toleranceMs: null,
    onRejected: () => {},
  } as Partial<ReceiverOptions> as ReceiverOptions);
  const header = `t=1,v1=${'0'.repeat(64)}`;
  const answer = await receive([['Service-Signature', header]], Buffer.from('{}'));
  expect(answer).toMatchObject({ status, refused: true });
});

describe('strangers that have just taken all connections', () => {
  const never = 60_000;

  it('make room sooner than while there is still room', async () => {
    await server.close();
    server = await serving(async () => ({ status: 200, body: '' }), troubles, {
      limits: { ...limits, patienceMs: never, fullPatienceMs: 100 },
    });
    await many('');
    await patience();
    const delivery = await come(genuine);
    await expect.poll(delivery.got).toMatch(/^HTTP\/1\.1 200 /);
  });

  it('do so even if there was more patience with them before', async () => {
    await server.close();
    server = await serving(async () => ({ status: 200, body: '' }), troubles, {
      limits: { ...limits, patienceMs: never, fullPatienceMs: 100 },
    });
    const five = await Promise.all([1, 2, 3, 4, 5].map(() => come()));
    await patience();
    expect(five.some(({ isGone }) => isGone())).toBe(false);
    await come();
    await patience();
    const delivery = await come(genuine);
    await expect.poll(delivery.got).toMatch(/^HTTP\/1\.1 200 /);
  });
});

it.each([
  ['not known', null, 1_000, 900],
  ['many', 1_048_576, 1_000, 900],
  ['1024', 1_024, 496, 446],
  ['very few', 32, 8, 7],
])('a listener leaves files for its inbox and its forwards: %s', (_, files, maxConnections, threshold) => {
  expect(defaultLimits(files)).toMatchObject({ maxConnections, evictionThreshold: threshold });
});
