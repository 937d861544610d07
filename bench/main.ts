/**
 * `npm run bench`: what users feel, as ratios, measured on the built program and beside what is installed of
 * comparable programs. All traffic is on loopback; every load is bounded.
 *
 *   npm run bench -- --only startup,streaming --rounds 10 --json results.json
 */
import { writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { inspect, parseArgs } from 'node:util';
import { asTable, type BenchOptions, isMet, type Row } from './row.ts';

const parts: Readonly<Record<string, () => Promise<(options: BenchOptions) => Promise<Row[]>>>> = {
  startup: async () => (await import('./startup.ts')).benchStartup,
  streaming: async () => (await import('./streaming.ts')).benchStreaming,
  listener: async () => (await import('./listener.ts')).benchListener,
  forwarding: async () => (await import('./forwarding.ts')).benchForwarding,
  sandbox: async () => (await import('./sandbox.ts')).benchSandbox,
  simulation: async () => (await import('./simulation.ts')).benchSimulation,
};

const usage = `usage: npm run bench -- [--only ${Object.keys(parts).join(',')}] [--rounds 30] [--no-peers] [--json bench/results.json]`;

/** Exits with 64 if nothing can be measured with these flags. */
function exitWithUsage(problem: string): never {
  process.stderr.write(`${problem}\n${usage}\n`);
  process.exit(64);
}

function flagsOf() {
  try {
    return parseArgs({
      options: {
        only: { type: 'string' },
        rounds: { type: 'string', default: '30' },
        json: { type: 'string', default: 'bench/results.json' },
        'no-peers': { type: 'boolean', default: false },
        help: { type: 'boolean', default: false },
      },
    }).values;
  } catch (cause) {
    return exitWithUsage(cause instanceof Error ? cause.message : String(cause));
  }
}

const values = flagsOf();
if (values.help) {
  process.stdout.write(`${usage}\n`);
  process.exit();
}
const rounds = Number(values.rounds);
if (!Number.isInteger(rounds) || rounds < 1)
  exitWithUsage(`--rounds: a whole number from 1 on, not ${values.rounds}`);
const chosen = values.only?.split(',') ?? Object.keys(parts);
const unknown = chosen.filter((name) => !Object.hasOwn(parts, name));
if (unknown.length > 0) exitWithUsage(`--only: no such part: ${unknown.join(', ')}`);

const rows: Row[] = [];
for (const name of chosen) {
  process.stderr.write(`measuring ${name} ...\n`);
  const run = await parts[name]?.();
  try {
    rows.push(...((await run?.({ rounds, peers: !values['no-peers'] })) ?? []));
  } catch (cause) {
    // What the other parts have measured is not lost with it.
    process.stderr.write(`${name} failed: ${inspect(cause)}\n`);
    process.exitCode = 1;
  }
}
process.stdout.write(asTable(rows));
const machine = {
  node: process.version,
  cpu: cpus()[0]?.model,
  cores: cpus().length,
  platform: process.platform,
};
const told = rows.map((row) => ({ ...row, met: isMet(row) }));
writeFileSync(values.json, `${JSON.stringify({ machine, rounds, rows: told }, null, 2)}\n`);
