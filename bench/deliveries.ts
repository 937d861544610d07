/**
 * Offers deliveries to a server over raw sockets. Requests are made and signed beforehand, and answers are only
 * counted, because a generator slower than the server would make every server look alike.
 */
import { createHmac, randomUUID } from 'node:crypto';
import { connect, type Socket } from 'node:net';
import type { Send } from './one-by-one.ts';

export const secret = 'whsec_bench_0123456789abcdef';

/** One kept-alive connection that handles one request at a time. */
interface Connection {
  ask(request: Buffer): Promise<void>;
  close(): void;
}

async function openConnection(url: string): Promise<Connection> {
  const { hostname, port } = new URL(url);
  const socket: Socket = connect(Number(port), hostname);
  socket.setNoDelay(true);
  await new Promise((resolve, reject) => socket.once('connect', resolve).once('error', reject));
  let rest = '';
  let waiting: { resolve: () => void; reject: (cause: Error) => void } | null = null;
  const fail = (cause: Error) => waiting?.reject(cause);
  socket.setEncoding('latin1').on('data', (chunk: string) => {
    rest += chunk;
    const end = endOfAnswer(rest);
    if (end === null) return;
    const status = rest.slice(9, 12);
    rest = rest.slice(end);
    if (status === '200') waiting?.resolve();
    else fail(new Error(`${url} answered ${status}`));
  });
  socket.on('error', fail).on('close', () => fail(new Error(`${url} closed the connection`)));
  return {
    ask: (request) =>
      new Promise((resolve, reject) => {
        waiting = { resolve, reject };
        socket.write(request);
      }),
    close: () => socket.destroy(),
  };
}

/** Returns where the answer ends, by its length or its last chunk; null if more is to come. */
function endOfAnswer(text: string): number | null {
  const head = text.indexOf('\r\n\r\n');
  if (head < 0) return null;
  const length = /content-length: (\d+)/i.exec(text.slice(0, head))?.[1];
  const chunked = text.indexOf('\r\n0\r\n\r\n', head);
  const end = length === undefined ? (chunked < 0 ? -1 : chunked + 7) : head + 4 + Number(length);
  return end < 0 || text.length < end ? null : end;
}

/**
 * What event ids look like, which the document does not say. A store writes a different index page for each random id,
 * and the same page again for consecutive ones.
 */
export type Ids = 'random' | 'ordered';

let made = 0;
const idOf = (ids: Ids): string => (ids === 'random' ? randomUUID() : `${process.pid}_${made++}`);

/** Returns the bytes of a whole signed delivery of an event of its own. */
function createDelivery(url: string, ids: Ids): Buffer {
  const body = JSON.stringify({
    id: `evt_${idOf(ids)}`,
    event: 'CHARGE_PAID',
    createdAt: '2026-01-02T03:04:05.000Z',
    data: { id: 'chg_1', amount: 1050, status: 'PAID' },
  });
  const t = Math.floor(Date.now() / 1000);
  const v1 = createHmac('sha256', secret).update(`${t}.${body}`).digest('hex');
  const head = [
    'POST / HTTP/1.1',
    `Host: ${new URL(url).host}`,
    'Content-Type: application/json',
    `Content-Length: ${Buffer.byteLength(body)}`,
    `Service-Signature: t=${t},v1=${v1}`,
  ];
  return Buffer.from(`${head.join('\r\n')}\r\n\r\n${body}`);
}

const openConnections = (url: string, connections: number) =>
  Promise.all(Array.from({ length: connections }, () => openConnection(url)));

/** Returns `count` deliveries, each of an event of its own. */
export const createDeliveries = (url: string, count: number, ids: Ids = 'random'): Buffer[] =>
  Array.from({ length: count }, () => createDelivery(url, ids));

/** Returns the deliveries answered per second while every connection always has one under way. */
export async function measureRate(
  url: string,
  deliveries: readonly Buffer[],
  connections: number,
): Promise<number> {
  const all = [...deliveries];
  const open = await openConnections(url, connections);
  const begun = performance.now();
  await Promise.all(
    open.map(async (one) => {
      for (let next = all.pop(); next !== undefined; next = all.pop()) await one.ask(next);
    }),
  );
  const seconds = (performance.now() - begun) / 1000;
  for (const one of open) one.close();
  return deliveries.length / seconds;
}

/**
 * The same with a new connection for each delivery, as senders without a pool make them, a limited number at a time.
 */
export async function measureRateWithNewConnections(
  url: string,
  deliveries: readonly Buffer[],
  connections: number,
): Promise<number> {
  const all = [...deliveries];
  const begun = performance.now();
  const deliver = async () => {
    for (let next = all.pop(); next !== undefined; next = all.pop()) {
      const connection = await openConnection(url);
      await connection.ask(next);
      connection.close();
    }
  };
  await Promise.all(Array.from({ length: connections }, deliver));
  return deliveries.length / ((performance.now() - begun) / 1000);
}

/** Milliseconds. */
export interface Latencies {
  readonly median: number;
  readonly p99: number;
}

/** Measures the time from due to answered, for `perSecond` deliveries offered evenly, whatever the server does. */
export async function measureLatencies(
  url: string,
  { perSecond, seconds, connections }: { perSecond: number; seconds: number; connections: number },
): Promise<Latencies> {
  const count = Math.round(perSecond * seconds);
  const all = createDeliveries(url, count);
  const open = await openConnections(url, connections);
  const free = [...open];
  const due: { request: Buffer; at: number }[] = [];
  const times: number[] = [];
  const work: Promise<void>[] = [];
  const begin = async (one: Connection) => {
    for (let next = due.shift(); next !== undefined; next = due.shift()) {
      await one.ask(next.request);
      times.push(performance.now() - next.at);
    }
    free.push(one);
  };
  const begun = performance.now();
  for (let sent = 0; sent < count; ) {
    const owed = Math.min(count, Math.floor(((performance.now() - begun) / 1000) * perSecond));
    for (; sent < owed; sent++) {
      due.push({ request: all[sent] as Buffer, at: performance.now() });
      const one = free.pop();
      if (one !== undefined) work.push(begin(one));
    }
    // A loop that never rests would take the processor away from the server.
    await new Promise((resolve) => setTimeout(resolve, 1));
  }
  await Promise.all(work);
  for (const one of open) one.close();
  times.sort((a, b) => a - b);
  const at = (part: number) => times[Math.floor(times.length * part)] ?? Number.NaN;
  return { median: at(0.5), p99: at(0.99) };
}

/** Opens one connection, with `deliveries` deliveries for it. */
export async function openSender(
  url: string,
  deliveries: number,
): Promise<{ send: Send; close: () => void }> {
  const all = createDeliveries(url, deliveries);
  const connection = await openConnection(url);
  return { send: (number) => connection.ask(all[number] as Buffer), close: () => connection.close() };
}
