/** Simulates withdrawals under every fault, in memory. */
import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { Row } from './row.ts';

const runs = 100_000;

export async function benchSimulation(): Promise<Row[]> {
  const script = fileURLToPath(new URL('../test/withdrawal/simulation/main.ts', import.meta.url));
  const told = execFileSync(process.execPath, [script, '--runs', String(runs), '--seed', '1'], {
    encoding: 'utf8',
  });
  const seconds = Number(/([\d.]+) s, /.exec(told)?.[1]);
  return [
    {
      part: 'simulation',
      name: '100,000 faulty runs',
      value: seconds,
      unit: 's',
      most: 60,
      detail: `${Math.round(runs / seconds)} runs/s`,
    },
  ];
}
