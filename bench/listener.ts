/**
 * Deliveries answered by `webhook listen` (verified, on disk), compared with a bare `node:http` server that only
 * answers 200, and with Express and a verifier; then the same while it forwards.
 */
import {
  createDeliveries,
  type Ids,
  type Latencies,
  measureLatencies,
  measureRate,
  measureRateWithNewConnections,
} from './deliveries.ts';
import { median } from './measure.ts';
import type { BenchOptions, Row } from './row.ts';
import {
  type Server,
  startBareServer,
  startCountingApplication,
  startExpressServer,
  startListenServer,
} from './servers.ts';

const part = 'listener';
const deliveries = 10_000;
const connections = 64;
/** Few connections, so that each flush to disk serves fewer deliveries. */
const few = 10;
/** A quiet load, and fractions of the most that Express can do. */
const offered = [400, 0.5, 0.8] as const;

export async function benchListener({ rounds }: BenchOptions): Promise<Row[]> {
  const servers = {
    bare: await startBareServer(),
    Express: await startExpressServer(),
    listen: await startListenServer(),
  };
  try {
    const turns = rounds < 10 ? 3 : 7;
    const rates = await measureInTurns(servers, turns);
    const { bare, listen } = servers;
    const ordered = await measureInTurns({ bare, listen }, turns, 'ordered');
    const perSecond = (values: readonly number[]) =>
      `${Math.round(median(values)).toLocaleString('en-US')}/s`;
    const rows = [
      row('answered, verified and on the disk / bare 200', medianRatio(rates.listen, rates.bare), {
        least: 0.5,
        detail: `${perSecond(rates.listen)}, bare ${perSecond(rates.bare)}`,
      }),
      row('the same, event ids in order', medianRatio(ordered.listen, ordered.bare), {
        detail: perSecond(ordered.listen),
      }),
      row('the same, events that are stored already', await measureRepeated(servers, turns)),
      row(`the same, ${few} at a time`, await measureFewAtATime(servers, turns)),
      row('the same, a connection for each', await measureNewConnections(servers, turns)),
      row('Express, verified only / bare 200', medianRatio(rates.Express, rates.bare), {
        detail: perSecond(rates.Express),
      }),
      await measureWhileForwarding(servers.listen, turns),
    ];
    for (const load of offered) {
      const perSecond = load < 1 ? Math.round(load * median(rates.Express)) : load;
      const told = load < 1 ? `${load * 100} % of Express's most` : `${load}/s`;
      const options = { perSecond, seconds: 3, connections };
      const own: Latencies[] = [];
      const other: Latencies[] = [];
      // In turns, because a pause of the machine during one of them would otherwise be all that shows.
      for (let round = 0; round < (rounds < 10 ? 3 : 5); round++) {
        own.push(await measureLatencies(servers.listen.url, options));
        other.push(await measureLatencies(servers.Express.url, options));
      }
      const p99 = medianRatio(
        own.map((turn) => turn.p99),
        other.map((turn) => turn.p99),
      );
      const detail = `${describeLatencies(own)}, Express ${describeLatencies(other)}`;
      rows.push(row(`p99 at ${told} / Express`, p99, { most: 1, detail }));
    }
    return rows;
  } finally {
    for (const server of Object.values(servers)) await server.stop();
  }
}

/** Returns the median ratio of each of `own` to the other value of its turn. */
const medianRatio = (own: readonly number[], others: readonly number[]): number =>
  median(own.map((value, round) => value / (others[round] ?? Number.NaN)));

const row = (name: string, value: number, more: Partial<Row> = {}): Row => ({
  ...{ part, name, value, unit: '' },
  ...more,
});

/** Sends each event a second time: it is found and counted rather than stored. */
const measureRepeated = ({ bare, listen }: Compared, turns: number): Promise<number> =>
  medianOfTurns(turns, async () => {
    const other = await measureRate(bare.url, createDeliveries(bare.url, deliveries), connections);
    const events = createDeliveries(listen.url, deliveries);
    await measureRate(listen.url, events, connections);
    return (await measureRate(listen.url, events, connections)) / other;
  });

const measureFewAtATime = ({ bare, listen }: Compared, turns: number): Promise<number> =>
  medianOfTurns(turns, async () => {
    const other = await measureRate(bare.url, createDeliveries(bare.url, deliveries), few);
    return (await measureRate(listen.url, createDeliveries(listen.url, deliveries), few)) / other;
  });

/** Opens a connection for each delivery, to both. */
const measureNewConnections = ({ bare, listen }: Compared, turns: number): Promise<number> =>
  medianOfTurns(turns, async () => {
    const other = await measureRateWithNewConnections(
      bare.url,
      createDeliveries(bare.url, deliveries),
      connections,
    );
    return (
      (await measureRateWithNewConnections(
        listen.url,
        createDeliveries(listen.url, deliveries),
        connections,
      )) / other
    );
  });

type Compared = Record<'bare' | 'listen', Server>;

/** Returns the median of the ratios of all turns but the first. */
async function medianOfTurns(turns: number, turn: () => Promise<number>): Promise<number> {
  const ratios: number[] = [];
  for (let at = -1; at < turns; at++) {
    const ratio = await turn();
    if (at >= 0) ratios.push(ratio);
  }
  return median(ratios);
}

/** Waits for the application after each turn: what is still being forwarded would slow down the next one. */
async function measureWhileForwarding(without: Server, turns: number): Promise<Row> {
  const target = await startCountingApplication();
  const forwarding = await startListenServer('--forward-to', target.url);
  const ratios: number[] = [];
  const rates: number[] = [];
  try {
    for (let turn = -1; turn < turns; turn++) {
      const alone = await measureRate(without.url, createDeliveries(without.url, deliveries), connections);
      const busy = await measureRate(
        forwarding.url,
        createDeliveries(forwarding.url, deliveries),
        connections,
      );
      while (Number(await (await fetch(target.url)).text()) < deliveries * (turn + 2))
        await new Promise((resolve) => setTimeout(resolve, 20));
      if (turn < 0) continue;
      ratios.push(busy / alone);
      rates.push(busy);
    }
  } finally {
    await forwarding.stop();
    await target.stop();
  }
  const detail = `${Math.round(median(rates)).toLocaleString('en-US')}/s`;
  return row('answered while forwarding / without', median(ratios), { detail });
}

function describeLatencies(turns: readonly Latencies[]): string {
  const p99 = median(turns.map((turn) => turn.p99));
  return `${p99.toFixed(1)} ms (median ${median(turns.map((turn) => turn.median)).toFixed(2)})`;
}

/** Returns the rates of each server, measured in turn, after one round that is not counted. */
async function measureInTurns<N extends string>(
  servers: Readonly<Record<N, Server>>,
  rounds: number,
  ids: Ids = 'random',
): Promise<Record<N, number[]>> {
  const names = Object.keys(servers) as N[];
  const rates = Object.fromEntries(names.map((name) => [name, [] as number[]])) as Record<N, number[]>;
  for (let round = -1; round < rounds; round++) {
    for (const name of names) {
      const { url } = servers[name];
      const measured = await measureRate(url, createDeliveries(url, deliveries, ids), connections);
      if (round >= 0) rates[name].push(measured);
    }
  }
  return rates;
}
