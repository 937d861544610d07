/**
 * Deliveries answered by `webhook listen` (verified, on the disk), against a bare `node:http` server that only
 * answers 200, and against Express with a verifier; then the same while it forwards.
 */
import { latencies, rate } from './deliveries.ts';
import type { BenchOptions } from './main.ts';
import { median } from './measure.ts';
import type { Row } from './row.ts';
import { bareServer, expressServer, listenServer, type Server } from './servers.ts';

const part = 'listener';
const deliveries = 10_000;
const connections = 64;
/** Quiet, and near what Express can do at most. */
const offered = [400, 0.8] as const;

export async function listener({ rounds }: BenchOptions): Promise<Row[]> {
  const application = await bareServer();
  const servers = {
    bare: await bareServer(),
    Express: await expressServer(),
    listen: await listenServer(),
    forwarding: await listenServer('--forward-to', application.url),
  };
  try {
    const rates = await inTurns(servers, rounds < 10 ? 3 : 7);
    const ratio = (one: keyof typeof servers, other: keyof typeof servers) =>
      median(rates[one].map((value, round) => value / (rates[other][round] ?? Number.NaN)));
    const row = (name: string, value: number, more: Partial<Row> = {}): Row => ({
      ...{ part, name, value, unit: '' },
      ...more,
    });
    const perSecond = (name: keyof typeof servers) =>
      `${Math.round(median(rates[name])).toLocaleString('en-US')}/s`;
    const rows = [
      row('answered, verified and on the disk / bare 200', ratio('listen', 'bare'), {
        least: 0.5,
        detail: `${perSecond('listen')}, bare ${perSecond('bare')}`,
      }),
      row('Express, verified only / bare 200', ratio('Express', 'bare'), { detail: perSecond('Express') }),
      row('answered while forwarding / without', ratio('forwarding', 'listen'), {
        detail: perSecond('forwarding'),
      }),
    ];
    for (const load of offered) {
      const perSecond = load < 1 ? Math.round(load * median(rates.Express)) : load;
      const told = load < 1 ? `${load * 100} % of Express's most` : `${load}/s`;
      const options = { perSecond, seconds: 4, connections };
      const [own, other] = [
        await latencies(servers.listen.url, options),
        await latencies(servers.Express.url, options),
      ];
      rows.push(
        row(`p99 at ${told} / Express`, own.p99 / other.p99, {
          most: 1,
          detail: `${own.p99.toFixed(1)} ms (median ${own.median.toFixed(2)}), Express ${other.p99.toFixed(1)} ms (${other.median.toFixed(2)})`,
        }),
      );
    }
    return rows;
  } finally {
    for (const server of [...Object.values(servers), application]) await server.stop();
  }
}

/** Rates of each, measured in turn, after one round that is not counted. */
async function inTurns<N extends string>(
  servers: Readonly<Record<N, Server>>,
  rounds: number,
): Promise<Record<N, number[]>> {
  const names = Object.keys(servers) as N[];
  const rates = Object.fromEntries(names.map((name) => [name, [] as number[]])) as Record<N, number[]>;
  for (let round = -1; round < rounds; round++) {
    for (const name of names) {
      const measured = await rate(servers[name].url, deliveries, connections);
      if (round >= 0) rates[name].push(measured);
    }
  }
  return rates;
}
