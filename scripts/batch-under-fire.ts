/**
 * Kills a batch at random instants, over and over, until it is done. Then it compares what the service has with what
 * was ordered.
 *
 *   node scripts/batch-under-fire.ts [lines=500] [kills=100] [seed=1] [minutes=30]
 *
 * A process killed right before its first byte leaves an outcome that no list can settle. Then the script
 * acts as the person of docs/withdrawals.md: it looks into the sandbox, and says `--not-sent` only if the withdrawal is
 * not there. It does not wait out the settle time but makes the send look older.
 */
import { once } from 'node:events';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ageSends } from '../test/support/age-ledger.ts';
import { seeded } from '../test/support/seeded.ts';
import { type Bench, openBench } from '../test/support/withdrawal-bench.ts';
import { build } from './build.ts';

const [lines = 500, kills = 100, seed = 1, minutes = 30] = process.argv.slice(2).map(Number);
const amountOf = (n: number) => 1_000 + n;
const next = seeded(seed);
const say = (text: string) => process.stdout.write(`${text}\n`);

const into = `${await mkdtemp(join(tmpdir(), 'pixctl-fire-'))}/`;
process.once('exit', () => rmSync(into, { recursive: true, force: true }));
await build({ into });
process.env.PIXCTL_TEST_BIN = `${into}bin/pixctl.js`;

await using bench = await openBench();
const path = join(bench.home, 'fire.csv');
const rows = Array.from({ length: lines }, (_, n) => `k-${n},${amountOf(n)},maria@example.com,EMAIL`);
writeFileSync(path, ['idempotency_key,amount,pix_key,pix_key_type', ...rows, ''].join('\n'));

const deadline = performance.now() + minutes * 60_000;
const counts = { killed: 0, runs: 0, settledByPerson: 0 };
for (let code: number | null = null; code !== 0; ) {
  if (performance.now() > deadline) fail('out of time');
  counts.runs += 1;
  const child = bench.start(['withdrawal', 'batch', path, '--yes', '--quiet']);
  let stderr = '';
  child.stderr.on('data', (chunk) => (stderr += chunk));
  const shot = setTimeout(() => counts.killed < kills && child.kill('SIGKILL'), 80 + next() * 220);
  let signal: NodeJS.Signals | null;
  [code, signal] = (await once(child, 'close')) as [number | null, NodeJS.Signals | null];
  clearTimeout(shot);
  if (signal !== null) counts.killed += 1;
  else if (code === 81 || code === 84) await settleAsPerson(bench, stderr);
  else if (code !== 0) fail(`exit ${code}: ${stderr}`);
}

const listed = (await bench.listed()).map(({ amount }) => amount).sort((a, b) => a - b);
const result = readFileSync(join(bench.home, 'fire.result.csv'), 'utf8').trim().split('\n').slice(1);
say(`${JSON.stringify(counts)}; the service has ${listed.length} withdrawals for ${lines} lines`);
if (listed.join() !== rows.map((_, n) => amountOf(n)).join())
  fail('the service has something else than was asked');
if (result.length !== lines || !result.every((row) => row.includes(',COMPLETED,')))
  fail('the result file is not true');
say(`ok: ${lines} lines, ${counts.killed} kills, seed ${seed}`);

async function settleAsPerson({ home, run, listed }: Bench, stderr: string): Promise<void> {
  const key = /k-(\d+)/.exec(stderr);
  if (key === null) fail(`which key? ${stderr}`);
  if ((await listed()).some(({ amount }) => amount === amountOf(Number(key[1])))) return;
  ageSends(join(home, 'state/ledger.sqlite'), 600);
  const { code, stderr: words } = await run(['withdrawal', 'resolve', key[0], '--not-sent', '--yes']);
  if (code !== 0) fail(`resolve ended with ${code}: ${words}`);
  counts.settledByPerson += 1;
}

function fail(words: string): never {
  throw new Error(`${words} (seed ${seed})`);
}
