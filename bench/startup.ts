/** Start-up: whole commands, from spawn to exit, against bare Node of the same version. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { cannotBuild, executable } from '../scripts/executable.ts';
import { program, temporaryHome } from './home.ts';
import type { BenchOptions } from './main.ts';
import { compare, type Subject } from './measure.ts';
import { fetchPeer } from './peers.ts';
import type { Row } from './row.ts';
import { startService } from './service.ts';

const part = 'start-up';

export async function startup({ rounds, peers }: BenchOptions): Promise<Row[]> {
  const home = temporaryHome();
  const service = await startService(1000);
  const env = { ...home.env, PIXCTL_BASE_URL: service.url, PIXCTL_API_KEY: 'svc_sandbox_bench' };
  const pixctl = (name: string, args: string[], exit = 0): Subject => ({
    name,
    command: [process.execPath, program, ...args],
    env,
    exit,
  });
  const own: readonly (readonly [Subject, number])[] = [
    [pixctl('--version', ['--version']), 1.15],
    [pixctl('--help', ['--help']), 1.45],
    [pixctl('usage error', ['charge', 'get', '--nonsense'], 64), 1.45],
    [pixctl('charge get -o json', ['charge', 'get', 'chg_1', '-o', 'json']), 2.8],
    [pixctl('charge list --limit 20 -o json', ['charge', 'list', '--limit', '20', '-o', 'json']), 2.8],
    [pixctl('charge get', ['charge', 'get', 'chg_1']), 3.2],
    [pixctl('charge list --limit 20', ['charge', 'list', '--limit', '20']), 3.2],
  ];
  const stripe = peers ? await fetchPeer('@stripe/cli', 'stripe') : null;
  const others: Subject[] = [];
  if (cannotBuild === null) {
    // Some ten seconds: what lies in dist-executable/ may be of other sources.
    const single = await executable(join(home.path, 'executable'));
    for (const words of [['--version'], ['--help'], ['charge', 'get', 'chg_1', '-o', 'json']]) {
      const name = `executable ${words.filter((word) => word !== 'chg_1').join(' ')}`;
      others.push({ name, command: [single, ...words], env });
    }
  } else process.stderr.write(`the executable is not measured: ${cannotBuild}\n`);
  if (existsSync('/usr/bin/gh')) others.push({ name: 'gh --help', command: ['/usr/bin/gh', '--help'], env });
  if (stripe !== null) {
    const api = ['--api-base', service.url, '--api-key', `sk_test_${'0'.repeat(24)}`];
    others.push({ name: 'stripe --version', command: [stripe, '--version'], env });
    others.push({
      name: 'stripe charges retrieve',
      command: [stripe, 'charges', 'retrieve', 'ch_1', ...api],
      env,
    });
  }
  try {
    const base: Subject = { name: 'bare node', command: [process.execPath, '-e', '0'], env };
    const [bare, ...measured] = await compare(base, [...own.map(([subject]) => subject), ...others], rounds);
    const ratio = (name: string) => measured.find((it) => it.name === name);
    const rows = measured.map((it): Row => {
      const most = own.find(([subject]) => subject.name === it.name)?.[1];
      return {
        part,
        name: `${it.name} / bare node`,
        value: it.ratio,
        unit: '',
        detail: `${it.milliseconds.toFixed(0)} ms, bare ${bare?.milliseconds.toFixed(0)} ms`,
        ...(most === undefined ? {} : { most }),
      };
    });
    const against = (mine: string, other: string, most: number) => {
      const [one, two] = [ratio(mine), ratio(other)];
      if (one && two)
        rows.push({ part, name: `${mine} / ${other}`, value: one.ratio / two.ratio, unit: '', most });
    };
    against('charge get -o json', 'stripe charges retrieve', 0.8);
    against('--help', 'gh --help', 1);
    return rows;
  } finally {
    await service.close();
    home.remove();
  }
}
