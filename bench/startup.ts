/**
 * Start-up: whole commands of the installed package, from spawn to exit, compared with bare Node of the same version;
 * what is drawn for a terminal, with bare Node on a terminal.
 */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { buildExecutable, cannotBuild } from '../scripts/executable.ts';
import { temporaryHome } from './home.ts';
import { install } from './installed.ts';
import { compare, type Measurement, type Subject } from './measure.ts';
import { fetchPeer } from './peers.ts';
import type { BenchOptions, Row } from './row.ts';
import { startService } from './service.ts';

const part = 'start-up';

/** A command, and the highest ratio to bare Node that it may have. */
type TargetedSubject = readonly [subject: Subject, most: number];

export async function benchStartup({ rounds, peers }: BenchOptions): Promise<Row[]> {
  const home = temporaryHome();
  const installed = install();
  const service = await startService(1000);
  try {
    const env = {
      ...home.env,
      PATH: installed.path,
      PIXCTL_BASE_URL: service.url,
      PIXCTL_API_KEY: 'svc_sandbox_bench',
    };
    const pixctl = (name: string, args: readonly string[], exit = 0): Subject => ({
      name,
      command: [installed.program, ...args],
      env,
      exit,
    });
    const own: readonly TargetedSubject[] = [
      [pixctl('--version', ['--version']), 1.15],
      [pixctl('--help', ['--help']), 1.45],
      [pixctl('usage error', ['charge', 'get', '--nonsense'], 64), 1.45],
      [pixctl('a value refused: charge create', ['charge', 'create', '--amount', '1,5'], 64), 1.45],
      [pixctl('a value refused: webhook listen', ['webhook', 'listen', '--port', 'abc'], 64), 1.45],
      [pixctl('charge get -o json', ['charge', 'get', 'chg_1', '-o', 'json']), 2.8],
      [pixctl('charge list --limit 20 -o json', ['charge', 'list', '--limit', '20', '-o', 'json']), 2.8],
      [pixctl('charge get', ['charge', 'get', 'chg_1']), 3.2],
      [pixctl('charge list --limit 20', ['charge', 'list', '--limit', '20']), 3.2],
    ];
    const drawn: readonly TargetedSubject[] = [
      [{ ...pixctl('charge get, on a terminal', ['charge', 'get', 'chg_1']), terminal: true }, 3.2],
      [{ ...pixctl('charge list, on a terminal', ['charge', 'list']), terminal: true }, 3.2],
    ];
    const bare: Subject = { name: 'bare node', command: [process.execPath, '-e', '0'], env };
    const others = [
      ...(await executables(env, join(home.path, 'executable'))),
      ...(await peerSubjects(env, service.url, peers)),
    ];
    const measured = await compare(bare, [...own.map(([subject]) => subject), ...others], rounds);
    const onTerminal = await compare(
      { ...bare, terminal: true },
      drawn.map(([subject]) => subject),
      rounds,
    );
    return [
      ...rowsOf(measured, own),
      ...rowsOf(onTerminal, drawn),
      ...ratioRow(measured, 'charge get -o json', 'stripe charges retrieve', 0.8),
      ...ratioRow(measured, '--help', 'gh --help', 1),
    ];
  } finally {
    await service.close();
    installed.remove();
    home.remove();
  }
}

/** Built for the run, in some ten seconds, because what lies in dist-executable/ may come from other sources. */
async function executables(env: Subject['env'] & {}, into: string): Promise<Subject[]> {
  if (cannotBuild !== null) {
    process.stderr.write(`the executable is not measured: ${cannotBuild}\n`);
    return [];
  }
  const single = await buildExecutable(into);
  return [['--version'], ['--help'], ['charge', 'get', 'chg_1', '-o', 'json']].map((words) => ({
    name: `executable ${words.filter((word) => word !== 'chg_1').join(' ')}`,
    command: [single, ...words],
    env,
  }));
}

async function peerSubjects(env: Subject['env'] & {}, url: string, peers: boolean): Promise<Subject[]> {
  const gh = '/usr/bin/gh';
  const found: Subject[] = existsSync(gh) ? [{ name: 'gh --help', command: [gh, '--help'], env }] : [];
  const stripe = peers ? await fetchPeer('@stripe/cli', 'stripe') : null;
  if (stripe === null) return found;
  const api = ['--api-base', url, '--api-key', `sk_test_${'0'.repeat(24)}`];
  return [
    ...found,
    { name: 'stripe --version', command: [stripe, '--version'], env },
    { name: 'stripe charges retrieve', command: [stripe, 'charges', 'retrieve', 'ch_1', ...api], env },
  ];
}

/** Compares each with the first, which is bare Node. */
function rowsOf([bare, ...measured]: readonly Measurement[], asked: readonly TargetedSubject[]): Row[] {
  return measured.map((it): Row => {
    const most = asked.find(([subject]) => subject.name === it.name)?.[1];
    return {
      part,
      name: `${it.name} / bare node`,
      value: it.ratio,
      unit: '',
      detail: `${it.milliseconds.toFixed(0)} ms, bare ${bare?.milliseconds.toFixed(0)} ms`,
      ...(most === undefined ? {} : { most }),
    };
  });
}

function ratioRow(measured: readonly Measurement[], mine: string, other: string, most: number): Row[] {
  const [one, two] = [mine, other].map((name) => measured.find((it) => it.name === name));
  if (one === undefined || two === undefined) return [];
  return [{ part, name: `${mine} / ${other}`, value: one.ratio / two.ratio, unit: '', most }];
}
