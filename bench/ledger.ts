/**
 * Measures what the shared ledger carries: `node bench/ledger.ts` starts a PostgreSQL of its own (fsync on) and the
 * sandbox, and prints the tables of docs/scale.md.
 *
 * A worker is a separate process, as a host would be. It takes intents of many merchants through their whole life
 * (planned, sending, accepted, completed: four durable commits, with the constraints in force).
 */
import { execFile, execFileSync, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { systemClock } from '../src/clock.ts';
import type { Cents, IdempotencyKey } from '../src/contract/brand.ts';
import type { NewEvent, Scope } from '../src/ledger/intent.ts';
import type { Ledger } from '../src/ledger/ledger.ts';
import { openLedger } from '../src/ledger/open.ts';
import { startSandbox } from '../src/sandbox/index.ts';
import { type Postgres, postgresMissing, startPostgres } from '../test/support/postgres.ts';
import { program, temporaryHome } from './home.ts';
import { median } from './measure.ts';

const self = fileURLToPath(import.meta.url);
const seconds = Number(process.env.BENCH_SECONDS ?? 5);
const say = (line: string) => process.stdout.write(`${line}\n`);

/** How many merchants' withdrawals one worker carries at the same time. */
const lanes = 4;

interface WorkerResult {
  readonly intents: number;
  readonly errors: number;
  /** Commits that the worker was told about but the ledger does not have. */
  readonly lost: number;
}

const [role = 'all', url = '', name = ''] = process.argv.slice(2);

async function work(): Promise<void> {
  const ledger = await openLedger({ url, expectedId: null, clock: systemClock });
  const until = Date.now() + seconds * 1000;
  const done: [Scope, IdempotencyKey][] = [];
  let errors = 0;
  const lane = async (at: number) => {
    const scope = `merchant-${name}-${at} http://service` as Scope;
    while (Date.now() < until) {
      const key = randomUUID() as IdempotencyKey;
      try {
        await runIntent(ledger, scope, key);
        done.push([scope, key]);
      } catch {
        errors++;
        await systemClock.sleep(100);
        await settleLane(ledger, scope);
      }
    }
  };
  await Promise.all(Array.from({ length: lanes }, (_, at) => lane(at)));
  let lost = 0;
  for (const [scope, key] of done) if ((await ledger.find(scope, key))?.state !== 'COMPLETED') lost++;
  await ledger.close();
  say(JSON.stringify({ intents: done.length, errors, lost } satisfies WorkerResult));
}

const event = (what: string): NewEvent => ({ id: randomUUID(), at: Date.now(), what });

async function runIntent(ledger: Ledger, scope: Scope, idempotencyKey: IdempotencyKey): Promise<void> {
  const order = {
    id: randomUUID(),
    kind: 'withdrawal',
    scope,
    idempotencyKey,
    amount: 1050 as Cents,
  } as const;
  const request = '{"amount":1050,"pixKey":"maria@example.com","pixKeyType":"EMAIL"}';
  const { intent } = await ledger.plan({ ...order, request }, event('planned'));
  const expectedFence = await ledger.fence(scope);
  const owner = { host: name, boot: 'b', pid: process.pid, started: '0' };
  const begun = await ledger.markSending(
    intent,
    { owner, at: Date.now(), expectedFence, baseline: [`w-${expectedFence}`] },
    event('sending'),
  );
  if (begun.kind !== 'sending') throw new Error(begun.kind);
  const change = { state: 'ACCEPTED', resourceId: randomUUID(), result: '{}' } as const;
  const accepted = await ledger.record(begun.intent, change, event('answered'));
  if (accepted === null) throw new Error('stale');
  await ledger.record(accepted, { state: 'COMPLETED' }, event('completed'));
}

/** After an error, closes what is open, as a reconciling run would. */
async function settleLane(ledger: Ledger, scope: Scope): Promise<void> {
  try {
    const open = await ledger.findOpen(scope);
    if (open !== null) await ledger.record(open, { state: 'NOT_SENT' }, event('not-sent'));
  } catch {
    // The server is still away. The next error leads back here.
  }
}

async function startWorkers(target: string, count: number) {
  return Promise.all(
    Array.from({ length: count }, async (_, at): Promise<WorkerResult> => {
      const child = spawn(process.execPath, [self, 'worker', target, String(at)], {
        stdio: ['ignore', 'pipe', 'inherit'],
      });
      return JSON.parse(await text(child.stdout)) as WorkerResult;
    }),
  );
}

const sum = (told: readonly WorkerResult[], what: keyof WorkerResult) =>
  told.reduce((total, one) => total + one[what], 0);

async function measureAll(): Promise<void> {
  const server = await startPostgres({ max_connections: '100' });
  say(
    `${cpus().length} cores for server and workers together; PostgreSQL ${server.sql('SHOW server_version').trim()}, fsync on, ${seconds} s a line, ${lanes} merchants a process\n`,
  );
  try {
    await measureRates(server);
    await measureRestart(server);
    await measureRuns(server);
  } finally {
    await server.stop();
  }
}

async function measureRates(server: Postgres): Promise<void> {
  say('| processes | intents a second | commits a second | connections held |\n|---:|---:|---:|---:|');
  for (const count of [1, 2, 4, 8]) {
    const target = await server.createDatabase();
    await (await openLedger({ url: target, expectedId: null, clock: systemClock })).close();
    const database = new URL(target).pathname.slice(1);
    const running = startWorkers(target, count);
    await systemClock.sleep((seconds * 1000) / 2);
    const held = server.sql(`SELECT count(*) FROM pg_stat_activity WHERE datname = '${database}'`).trim();
    const told = await running;
    const rate = sum(told, 'intents') / seconds;
    say(`| ${count} | ${rate.toFixed(0)} | ${(rate * 4).toFixed(0)} | ${held} |`);
    if (count === 8) {
      const bytes = Number(
        server.sql(
          "SELECT sum(pg_total_relation_size(oid)) FROM pg_class WHERE relkind = 'r' AND relname LIKE 'ledger%'",
          target,
        ),
      );
      say(
        `\n${(bytes / sum(told, 'intents') / 1024).toFixed(1)} KiB on disk an intent, its events and indexes included`,
      );
    }
  }
}

/** Kills the server as a power cut would, in the middle of everything, and starts it again. */
async function measureRestart(server: Postgres): Promise<void> {
  const target = await server.createDatabase();
  await (await openLedger({ url: target, expectedId: null, clock: systemClock })).close();
  const running = startWorkers(target, 4);
  await systemClock.sleep((seconds * 1000) / 2);
  const begun = performance.now();
  await server.restart();
  const away = performance.now() - begun;
  const told = await running;
  const twice = server.sql(
    `SELECT count(*) FROM (SELECT scope FROM ledger_intents WHERE state IN ('SENDING', 'UNKNOWN') GROUP BY scope HAVING count(*) > 1) AS twice`,
    target,
  );
  say(
    `\nRestart in mid-flight (SIGQUIT, then start; ${away.toFixed(0)} ms away): ${sum(told, 'intents')} intents told as completed, ${sum(told, 'lost')} of them missing afterwards, ${sum(told, 'errors')} transactions failed with exit 74, ${twice.trim()} scopes with two open withdrawals`,
  );
}

/** Measures what one run of a CronJob costs, from start to end. */
async function measureRuns(server: Postgres): Promise<void> {
  const sandbox = await startSandbox({ withdrawals: 'immediate', merchant: { available: 100_000_000 } });
  const home = temporaryHome();
  const target = await server.createDatabase();
  const env = { ...home.env, PIXCTL_BASE_URL: sandbox.url, PIXCTL_API_KEY: sandbox.apiKey };
  execFileSync(process.execPath, [fileURLToPath(new URL('../scripts/build.ts', import.meta.url))], {
    stdio: 'ignore',
  });
  const run = (key: string, amount: string, more: Record<string, string>) =>
    new Promise<number>((resolve, reject) => {
      const order = ['--amount', amount, '--to', 'maria@example.com', '-k', key];
      const args = [program, 'withdraw', ...order, '--yes', '--json'];
      const begun = performance.now();
      execFile(process.execPath, args, { env: { ...env, ...more } }, (error) =>
        error === null ? resolve(performance.now() - begun) : reject(error),
      );
    });
  say(
    '\n| one run of `withdraw` | median, first time of a key | median, the key again | CPU |\n|---|---:|---:|---:|',
  );
  for (const [label, amount, more] of [
    ['SQLite', '1050', {}],
    ['PostgreSQL', '1060', { PIXCTL_LEDGER_URL: target, PIXCTL_CONFIG_DIR: join(home.path, 'shared') }],
  ] as const) {
    const first: number[] = [];
    const again: number[] = [];
    const cpuBefore = childCpu();
    for (let at = 0; at < 15; at++) first.push(await run(`${label}-${at}`, amount, more));
    const cpu = (childCpu() - cpuBefore) / 15;
    for (let at = 0; at < 15; at++) again.push(await run(`${label}-${at}`, amount, more));
    say(
      `| ${label} | ${median(first).toFixed(0)} ms | ${median(again).toFixed(0)} ms | ${cpu.toFixed(0)} ms |`,
    );
  }
  await sandbox.close();
  home.remove();
}

/** Returns the CPU time of ended children in milliseconds, if the system shows it. */
function childCpu(): number {
  try {
    const fields = readFileSync('/proc/self/stat', 'utf8').split(') ')[1]?.split(' ') ?? [];
    return (Number(fields[13]) + Number(fields[14])) * 10;
  } catch {
    return Number.NaN;
  }
}

if (role === 'worker') await work();
else if (postgresMissing !== null) say(`skipped: ${postgresMissing}`);
else await measureAll();
