/**
 * The simulation from a shell:
 *
 *   npm run simulate -- --runs 100000 --seed 1             in memory, on every processor
 *   npm run simulate -- --runs 300 --ledger sqlite         on a real file
 *   npm run simulate -- --scopes                           two labels and two addresses of one service, in memory
 *   npm run simulate -- --scopes --ledger sqlite           the same, each run on a file of its own
 *   npm run simulate -- --runs 1 --seed 4711 --trace       one run again, step by step
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { runOnSqlite } from './on-sqlite.ts';
import { runSideBySide } from './side-by-side.ts';
import { runStretch, type Stretch, type StretchEnd } from './stretch.ts';

const { values } = parseArgs({
  options: {
    runs: { type: 'string', default: '3000' },
    seed: { type: 'string' },
    ledger: { type: 'string', default: 'memory' },
    trace: { type: 'boolean', default: false },
    scopes: { type: 'boolean', default: false },
  },
});
const runs = Number(values.runs);
const seed = Number(values.seed ?? Math.floor(Math.random() * 2 ** 31));
const home = mkdtempSync(join(tmpdir(), 'pixctl-simulation-'));
const say = (line: string) => process.stdout.write(`${line}\n`);
const begun = performance.now();

say(`${runs} runs from seed ${seed}, ledger ${values.ledger}`);
const { counts, violation } = await simulate({ from: seed, runs, severalScopes: values.scopes });
rmSync(home, { recursive: true, force: true });
if (violation !== null) {
  say(`VIOLATION with seed ${violation.seed}: ${violation.what}`);
  say(
    `again: npm run simulate -- --runs 1 --seed ${violation.seed} --ledger ${values.ledger}${values.scopes ? ' --scopes' : ''} --trace`,
  );
  process.exitCode = 1;
}
const seconds = (performance.now() - begun) / 1000;
for (const what of Object.keys(counts).sort()) say(`${String(counts[what]).padStart(9)}  ${what}`);
say(`${seconds.toFixed(1)} s, ${Math.round(runs / seconds)} runs a second`);

async function simulate(stretch: Stretch): Promise<StretchEnd> {
  const onTrace = values.trace ? say : null;
  if (values.ledger === 'sqlite') return runOnSqlite(stretch, home, onTrace);
  return values.trace ? runStretch(stretch, null, onTrace) : runSideBySide(stretch);
}
