/**
 * The simulation from a shell:
 *
 *   npm run simulate -- --runs 100000 --seed 1             in memory
 *   npm run simulate -- --runs 300 --ledger sqlite         on a real file
 *   npm run simulate -- --runs 1 --seed 4711 --trace       one run again, step by step
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { systemClock } from '../../../src/clock.ts';
import { openLedger } from '../../../src/ledger/open.ts';
import { memoryLedger } from '../../support/memory-ledger.ts';
import { runScenario } from './scenario.ts';

const { values } = parseArgs({
  options: {
    runs: { type: 'string', default: '3000' },
    seed: { type: 'string' },
    ledger: { type: 'string', default: 'memory' },
    trace: { type: 'boolean', default: false },
  },
});
const runs = Number(values.runs);
const seed = Number(values.seed ?? Math.floor(Math.random() * 2 ** 31));
const home = mkdtempSync(join(tmpdir(), 'pixctl-simulation-'));
const shared =
  values.ledger === 'sqlite'
    ? await openLedger({ url: join(home, 'ledger.sqlite'), expectedId: null, clock: systemClock })
    : null;
const say = (line: string) => process.stdout.write(`${line}\n`);
const counts: Record<string, number> = {};
const begun = performance.now();

say(`${runs} runs from seed ${seed}, ledger ${values.ledger}`);
for (let run = 0; run < runs; run++) {
  const result = await runScenario(
    seed + run,
    shared ?? memoryLedger({ departs: (seed + run) % 3 > 0 }),
    values.trace,
  );
  for (const [what, many] of Object.entries(result.counts)) counts[what] = (counts[what] ?? 0) + many;
  if (values.trace) for (const line of result.trace) say(line);
  if (result.violation === null) continue;
  say(`VIOLATION with seed ${seed + run}: ${result.violation}`);
  say(`again: npm run simulate -- --runs 1 --seed ${seed + run} --ledger ${values.ledger} --trace`);
  process.exitCode = 1;
  break;
}
await shared?.close();
rmSync(home, { recursive: true, force: true });
const seconds = (performance.now() - begun) / 1000;
for (const what of Object.keys(counts).sort()) say(`${String(counts[what]).padStart(9)}  ${what}`);
say(`${seconds.toFixed(1)} s, ${Math.round(runs / seconds)} runs a second`);
