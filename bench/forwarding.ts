/**
 * One event at a time on its way to an application: `webhook listen --forward-to` beside `stripe listen --forward-to`.
 * The next is sent once the application has the last one and the sender has its answer. Ours answers once the event is
 * on disk, theirs once the application has answered.
 */
import { createServer } from 'node:http';
import { listenOnLoopback } from '../test/support/listen-on-loopback.ts';
import { openSender } from './deliveries.ts';
import { median } from './measure.ts';
import { measureOneByOne, type OneByOneResult } from './one-by-one.ts';
import { fetchPeer } from './peers.ts';
import type { BenchOptions, Row } from './row.ts';
import { startListenServer } from './servers.ts';
import { startStripe } from './stripe.ts';

const part = 'forwarding';
const events = 1_000;

export async function benchForwarding({ rounds, peers }: BenchOptions): Promise<Row[]> {
  const application = await startApplication();
  const listener = await startListenServer('--forward-to', application.url);
  const path = peers ? await fetchPeer('@stripe/cli', 'stripe') : null;
  const stripe = path === null ? null : await startStripe(path, application.url);
  try {
    const own: OneByOneResult[] = [];
    const others: OneByOneResult[] = [];
    for (let round = -1; round < (rounds < 10 ? 3 : 7); round++) {
      const sender = await openSender(listener.url, events);
      const mine = await measureOneByOne(events, sender.send, application.next);
      sender.close();
      const other = stripe === null ? null : await measureOneByOne(events, stripe.send, application.next);
      if (round < 0) continue;
      own.push(mine);
      if (other !== null) others.push(other);
    }
    return stripe === null ? rowsWithoutPeer(own) : rowsWithPeer(own, others);
  } finally {
    await listener.stop();
    stripe?.stop();
    application.stop();
  }
}

function rowsWithoutPeer(own: readonly OneByOneResult[]): Row[] {
  const rate = median(own.map(({ perSecond }) => perSecond));
  return [{ part, name: 'one at a time', value: rate, unit: '/s', detail: describeRounds(own) }];
}

function rowsWithPeer(own: readonly OneByOneResult[], others: readonly OneByOneResult[]): Row[] {
  const ratio = (figure: keyof OneByOneResult) =>
    median(own.map((mine, round) => mine[figure] / (others[round]?.[figure] ?? Number.NaN)));
  const detail = `${describeRounds(own)}; Stripe CLI ${describeRounds(others)}`;
  return [
    { part, name: 'one at a time / stripe listen', value: ratio('perSecond'), unit: '', least: 0.8, detail },
    { part, name: 'sent to reached, time / stripe listen', value: ratio('reachedMs'), unit: '', detail },
  ];
}

function describeRounds(rounds: readonly OneByOneResult[]): string {
  const rate = Math.round(median(rounds.map(({ perSecond }) => perSecond))).toLocaleString('en-US');
  return `${rate}/s, reached after ${median(rounds.map(({ reachedMs }) => reachedMs)).toFixed(2)} ms`;
}

/** Runs in this process, so that an arrival is known at once. */
async function startApplication() {
  let waiting: (() => void) | null = null;
  const server = createServer((request, response) => {
    request.resume().on('end', () => {
      response.end('{}');
      waiting?.();
    });
  });
  const port = await listenOnLoopback(server);
  return {
    url: `http://127.0.0.1:${port}/`,
    next: () =>
      new Promise<void>((resolve) => {
        waiting = resolve;
      }),
    stop: () => server.close().closeAllConnections(),
  };
}
