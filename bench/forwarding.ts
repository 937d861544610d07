/**
 * One event at a time on its way to an application, `webhook listen --forward-to` beside `stripe listen
 * --forward-to`: the next is sent when the application has got the last and the sender has been answered, which
 * ours does once the event is on the disk, and theirs once the application has answered.
 */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { oneByOne } from './deliveries.ts';
import type { BenchOptions } from './main.ts';
import { median } from './measure.ts';
import { fetchPeer } from './peers.ts';
import type { Row } from './row.ts';
import { listenServer } from './servers.ts';
import { startStripe } from './stripe.ts';

const part = 'forwarding';
const events = 1_000;

export async function forwarding({ rounds, peers }: BenchOptions): Promise<Row[]> {
  const application = await startApplication();
  const listener = await listenServer('--forward-to', application.url);
  const path = peers ? await fetchPeer('@stripe/cli', 'stripe') : null;
  const stripe = path === null ? null : await startStripe(path, application.url);
  try {
    const own: number[] = [];
    const others: number[] = [];
    for (let round = -1; round < (rounds < 10 ? 3 : 7); round++) {
      const mine = await oneByOne(listener.url, events, application.next);
      const other = stripe === null ? Number.NaN : await stripe.oneByOne(events, application.next);
      if (round < 0) continue;
      own.push(mine);
      others.push(other);
    }
    const told = (values: readonly number[]) => `${Math.round(median(values)).toLocaleString('en-US')}/s`;
    if (stripe === null) return [{ part, name: 'one at a time', value: median(own), unit: '/s' }];
    const ratio = median(own.map((value, round) => value / (others[round] ?? Number.NaN)));
    const detail = `${told(own)}, Stripe CLI ${told(others)}`;
    return [{ part, name: 'one at a time / stripe listen', value: ratio, unit: '', least: 0.8, detail }];
  } finally {
    await listener.stop();
    stripe?.stop();
    application.stop();
  }
}

/** In this process, so that an arrival is known at once. */
async function startApplication() {
  let waiting: (() => void) | null = null;
  const server = createServer((request, response) => {
    request.resume().on('end', () => {
      response.end('{}');
      waiting?.();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    next: () =>
      new Promise<void>((resolve) => {
        waiting = resolve;
      }),
    stop: () => server.close().closeAllConnections(),
  };
}
