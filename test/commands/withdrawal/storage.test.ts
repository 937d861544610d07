/** The ledger's disk: gone, emptied, exchanged, read-only, full before the send and full in the middle of it. */
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  closeSync,
  copyFileSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, it } from 'vitest';
import { emptyIndex } from '../../support/empty-index.ts';
import { noModes, skipped } from '../../support/platform.ts';
import { cleanEnvironment, programPath } from '../../support/run.ts';
import {
  type Bench,
  openHurriedBench as openBench,
  payArgs,
  printed,
} from '../../support/withdrawal-bench.ts';

const ledgerFiles = ({ home }: Bench) =>
  readdirSync(join(home, 'state'))
    .filter((name) => name.startsWith('ledger'))
    .map((name) => join(home, 'state', name));

describe('a ledger that is not the one expected', () => {
  const damages: readonly [string, (bench: Bench, other: Bench) => void][] = [
    [
      'deleted',
      (bench) =>
        ledgerFiles(bench).forEach((file) => {
          rmSync(file);
        }),
    ],
    [
      'emptied',
      (bench) =>
        ledgerFiles(bench).forEach((file) => {
          truncateSync(file, 0);
        }),
    ],
    [
      'exchanged',
      (bench, other) => {
        for (const file of ledgerFiles(bench)) rmSync(file);
        for (const file of ledgerFiles(other)) copyFileSync(file, file.replace(other.home, bench.home));
      },
    ],
    [
      'overwritten',
      (bench) => writeFileSync(join(bench.home, 'state', 'ledger.sqlite'), 'not a database'.repeat(999)),
    ],
  ];

  it.each(damages)('%s: nothing is sent, whatever the key', async (_, damage) => {
    await using bench = await openBench();
    await using other = await openBench();
    expect((await bench.pay('k-1', 1_050)).code).toBe(0);
    expect((await other.pay('k-9', 9_050)).code).toBe(0);
    damage(bench, other);
    for (const key of ['k-1', 'k-2']) {
      const finished = await bench.pay(key, 1_050);
      expect([74, 78]).toContain(finished.code);
      expect(finished.stderr).toMatch(/nothing was sent/i);
    }
    expect(bench.proxy.posts()).toHaveLength(1);
  });

  it.each([{ id: null }, { id: 7 }, { id: '' }, { id: ['x'] }, null, 'x'])(
    'is not made anew where the settings hold %j for its id: nothing is sent',
    async (ledger) => {
      await using bench = await openBench();
      expect((await bench.pay('k-1', 1_050)).code).toBe(0);
      const file = join(bench.home, 'config', 'config.json');
      const config = JSON.parse(readFileSync(file, 'utf8'));
      writeFileSync(file, JSON.stringify({ ...config, settings: { ...config.settings, ledger } }));
      for (const path of ledgerFiles(bench)) rmSync(path);
      const told = await bench.pay('k-1', 1_050);
      expect(told).toMatchObject({
        code: 78,
        stderr: expect.stringContaining('pixctl config unset ledger.id'),
      });
      expect(told.stderr).toMatch(/nothing was sent/i);
      expect(ledgerFiles(bench)).toEqual([]);
      expect(bench.proxy.posts()).toHaveLength(1);
      expect(await bench.run(['doctor', '--offline'])).toMatchObject({ code: 78 });
      expect((await bench.run(['config', 'unset', 'ledger.id', '--yes'])).code).toBe(0);
      expect((await bench.pay('k-2', 2_050)).code).toBe(0);
    },
  );

  it('is not made anew where the settings themselves are none', async () => {
    await using bench = await openBench();
    expect((await bench.pay('k-1', 1_050)).code).toBe(0);
    const file = join(bench.home, 'config', 'config.json');
    writeFileSync(file, JSON.stringify({ ...JSON.parse(readFileSync(file, 'utf8')), settings: null }));
    for (const path of ledgerFiles(bench)) rmSync(path);
    const told = await bench.pay('k-1', 1_050);
    expect(told).toMatchObject({ code: 78, stderr: expect.stringMatching(/nothing was sent/i) });
    expect(bench.proxy.posts()).toHaveLength(1);
  });

  it('that is lost for good is let go of by the line that the error names, and by no accident', async () => {
    await using bench = await openBench();
    expect((await bench.pay('k-1', 1_050)).code).toBe(0);
    for (const file of ledgerFiles(bench)) rmSync(file);
    const [line = ''] = /config unset ledger\.id/.exec((await bench.pay('k-2', 2_050)).stderr) ?? [];
    const unset = line.split(' ');
    expect((await bench.run(unset)).code).toBe(64);
    expect((await bench.pay('k-2', 2_050)).code).toBe(78);
    expect((await bench.run([...unset, '--yes'])).code).toBe(0);
    expect((await bench.pay('k-2', 2_050)).code).toBe(0);
    // The new ledger does not know the first payment; the service's list does.
    expect((await bench.pay('k-1', 1_050)).code).toBe(86);
    expect(bench.proxy.posts()).toHaveLength(2);
  });
});

describe('a ledger whose index has lost rows', () => {
  const damaged = (bench: Bench, index: string) =>
    emptyIndex(join(bench.home, 'state', 'ledger.sqlite'), index);

  it('pays no key again: 74, with what mends it', async () => {
    await using bench = await openBench();
    expect((await bench.pay('k-1', 1_050)).code).toBe(0);
    damaged(bench, 'sqlite_autoindex_ledger_intents_2');
    const again = await bench.pay('k-1', 1_050);
    expect(again).toMatchObject({
      code: 74,
      stderr: expect.stringMatching(/index.*nothing was sent.*REINDEX/s),
    });
    const audited = await bench.run(['withdrawal', 'audit']);
    expect(audited).toMatchObject({ code: 74, stdout: '', stderr: expect.stringContaining('REINDEX') });
    expect(bench.proxy.posts()).toHaveLength(1);
  });

  it.each([
    ['sqlite_autoindex_ledger_intents_4', 'of a send'],
    ['sqlite_autoindex_ledger_intents_3', 'that claims'],
  ])('(%s) is told before a send, and by the audit', async (index, words) => {
    await using bench = await openBench();
    expect((await bench.pay('k-1', 1_050)).code).toBe(0);
    damaged(bench, index);
    // The same order under another key: what the first one has paid is not offered to it.
    for (const ended of [await bench.pay('k-2', 1_050), await bench.run(['withdrawal', 'audit'])]) {
      expect(ended).toMatchObject({ code: 74, stderr: expect.stringContaining(words) });
      expect(ended.stderr).toMatch(/missing in an index\).*REINDEX/s);
    }
    expect(bench.proxy.posts()).toHaveLength(1);
    const mend = new DatabaseSync(join(bench.home, 'state', 'ledger.sqlite'));
    mend.exec('REINDEX');
    mend.close();
    expect((await bench.pay('k-2', 1_050)).code).toBe(0);
  });

  it('creates no charge of a key again', async () => {
    await using bench = await openBench();
    const create = ['charge', 'create', '--amount', '1050', '--idempotency-key', 'c-1', '--no-qr'];
    expect((await bench.run(create)).code).toBe(0);
    damaged(bench, 'sqlite_autoindex_ledger_intents_2');
    expect(await bench.run(create)).toMatchObject({ code: 74, stderr: expect.stringContaining('REINDEX') });
    expect(bench.proxy.posts()).toHaveLength(1);
  });

  it('does not forget what counts against the cap of the day', async () => {
    await using bench = await openBench();
    expect((await bench.run(['policy', 'set', '--max-day', '1500'])).code).toBe(0);
    expect((await bench.pay('k-1', 1_050)).code).toBe(0);
    damaged(bench, 'ledger_by_time');
    expect((await bench.pay('k-2', 1_060)).code).toBe(74);
    expect(bench.proxy.posts()).toHaveLength(1);
  });

  it.each([
    ['ledger_by_time', 81],
    ['ledger_one_open', 74],
  ])('does not call nothing unknown while something is (%s)', async (index, code) => {
    await using bench = await openBench();
    bench.proxy.intercept = ({ method }) => (method === 'POST' ? { kind: 'reset', when: 'before' } : null);
    expect((await bench.pay('k-1', 1_050)).code).toBe(81);
    damaged(bench, index);
    const { code: ended, stdout } = await bench.run(['withdrawal', 'reconcile', '--json']);
    const receipt = JSON.parse(stdout);
    expect([ended, receipt.moneyMoved]).toEqual([code, 'maybe']);
    // What only the ledger could have told is not told, of a key that was given neither.
    const unread = {
      ...{ amount: null, pixKey: null, pixKeyType: null },
      ...{ state: 'UNKNOWN', moneyMoved: 'maybe', exitCode: 74 },
    };
    if (code === 74) expect(receipt).toMatchObject({ idempotencyKey: null, ...unread });
    else expect(receipt).toMatchObject({ idempotencyKey: 'k-1', amount: 1_050, state: 'UNKNOWN' });
    expect((await bench.run(['withdrawal', 'audit'])).code).toBe(81);
    damaged(bench, 'sqlite_autoindex_ledger_intents_2');
    const named = await bench.run(['withdrawal', 'reconcile', 'k-1', '--json']);
    expect(named.code).toBe(74);
    expect(JSON.parse(named.stdout)).toMatchObject({ idempotencyKey: 'k-1', ...unread });
  });

  it('is told with what mends it where the key that is paid again is known, and its outcome is not', async () => {
    await using bench = await openBench();
    bench.proxy.intercept = ({ method }) => (method === 'POST' ? { kind: 'reset', when: 'before' } : null);
    expect((await bench.pay('k-1', 1_050)).code).toBe(81);
    damaged(bench, 'ledger_one_open');
    const { code, stderr } = await bench.pay('k-1', 1_050);
    expect(code).toBe(81);
    const { message, hint } = JSON.parse(stderr.slice(stderr.indexOf('{'))).error;
    // The first send may have been taken: that nothing was sent is so of this run alone.
    expect(message).not.toMatch(/nothing was sent/i);
    expect(message).toMatch(/missing in an index\)\)\. It is not sent again\.$/);
    expect(hint).toMatch(/REINDEX.*Run the same withdraw command again/s);
    expect(bench.proxy.posts()).toHaveLength(1);
  });
});

describe.skipIf(noModes !== null)(skipped('the directory of the ledger', noModes), () => {
  it.each([
    ['777', 0o777, true],
    ['703', 0o703, true],
    // In which nobody may take away what is ours.
    ['1777', 0o1777, false],
    // As a container's volume is for the group of its pods.
    ['2775', 0o2775, false],
    ['700', 0o700, false],
  ])('of mode %s is told of if everybody may take the ledger out of it', async (_, mode, told) => {
    await using bench = await openBench();
    const state = join(bench.home, 'state');
    mkdirSync(state);
    chmodSync(state, mode);
    const paid = await bench.pay('k-1', 1_050);
    expect(paid.code).toBe(0);
    const words = `Any user of this machine can write to ${state}, and remove the ledger`;
    expect(paid.stderr.split(words)).toHaveLength(told ? 2 : 1);
    if (!told) return;
    expect(paid.stderr).toContain(`chmod o-w '${state}'`);
    const charged = await bench.run([
      'charge',
      'create',
      '--amount',
      '10,50',
      '--idempotency-key',
      'order-1',
    ]);
    expect({ code: charged.code, told: charged.stderr.split(words).length }).toEqual({ code: 0, told: 2 });
    chmodSync(state, mode & ~0o002);
    expect((await bench.pay('k-2', 1_060)).stderr).not.toContain('Any user');
  });
});

/** A file system of its own for the state, of one megabyte; null where this user may not mount one. */
function mountState({ home }: Bench): { unmount(): void; path: string } | null {
  const path = join(home, 'state');
  mkdirSync(path, { recursive: true, mode: 0o700 });
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=1m,mode=700', 'tmpfs', path], { stdio: 'ignore' });
  } catch {
    return null;
  }
  return { path, unmount: () => execFileSync('umount', ['-l', path]) };
}

const mayMount = await (async () => {
  await using bench = await openBench();
  const mounted = mountState(bench);
  mounted?.unmount();
  return mounted !== null;
})();

const fill = (path: string) => {
  for (let size = 256 * 1024; size >= 64; size >>= 1) {
    for (let at = 0; ; at += 1) {
      const file = join(path, `filler-${size}-${at}`);
      try {
        writeFileSync(file, Buffer.alloc(size));
      } catch {
        rmSync(file, { force: true });
        break;
      }
    }
  }
};
const empty = (path: string) => {
  for (const name of readdirSync(path)) if (name.startsWith('filler')) rmSync(join(path, name));
};

describe.skipIf(!mayMount)('a disk of its own (skipped where this user may not mount one)', () => {
  it('full before the send: nothing is sent, and it goes on once there is room', async () => {
    await using bench = await openBench();
    const disk = mountState(bench);
    try {
      expect((await bench.pay('k-1', 1_050)).code).toBe(0);
      fill(join(bench.home, 'state'));
      const finished = await bench.pay('k-2', 1_060);
      expect(finished.code).toBe(74);
      expect(finished.stderr).toMatch(/nothing was sent/i);
      expect(bench.proxy.posts()).toHaveLength(1);
      empty(join(bench.home, 'state'));
      expect((await bench.pay('k-2', 1_060)).code).toBe(0);
      expect(await bench.listed()).toHaveLength(2);
    } finally {
      disk?.unmount();
    }
  });

  it('full while the request is on its way: the outcome goes to stderr, and the next run finds it', async () => {
    await using bench = await openBench();
    const disk = mountState(bench);
    try {
      const state = join(bench.home, 'state');
      bench.proxy.intercept = ({ method }) => {
        if (method === 'POST') fill(state);
        return null;
      };
      const finished = await bench.pay('k-1', 1_050);
      const [listed] = await bench.listed();
      // Room that the database had already taken may hold the outcome; if not, the code says so.
      expect([0, 81]).toContain(finished.code);
      if (finished.code === 81) expect(finished.stderr).toContain(listed?.id);
      bench.proxy.intercept = () => null;
      empty(state);
      const rerun = await bench.pay('k-1', 1_050);
      expect(rerun.code).toBe(0);
      expect(printed(rerun)).toMatchObject({ withdrawal: { id: listed?.id } });
      expect(bench.proxy.posts()).toHaveLength(1);
      expect(await bench.listed()).toHaveLength(1);
    } finally {
      disk?.unmount();
    }
  });

  it('read-only: nothing is sent', async () => {
    await using bench = await openBench();
    const disk = mountState(bench);
    try {
      expect((await bench.pay('k-1', 1_050)).code).toBe(0);
      execFileSync('mount', ['-o', 'remount,ro', join(bench.home, 'state')]);
      const finished = await bench.pay('k-2', 1_060);
      expect([74, 78]).toContain(finished.code);
      expect(finished.stderr).toMatch(/nothing was sent/i);
      expect(bench.proxy.posts()).toHaveLength(1);
    } finally {
      disk?.unmount();
    }
  });
});

describe('stdout on a full disk', () => {
  it.skipIf(!isFullDevice())('does not turn a sent withdrawal into "nothing was sent"', async () => {
    await using bench = await openBench();
    const full = openSync('/dev/full', 'w');
    const child = spawn(process.execPath, [programPath(), ...payArgs('k-1', 1_050)], {
      env: cleanEnvironment(bench.home, bench.env),
      stdio: ['ignore', full, 'pipe'],
    });
    let stderr = '';
    child.stderr?.on('data', (chunk) => (stderr += chunk));
    const [code] = await once(child, 'close');
    closeSync(full);
    expect(code).toBe(1);
    expect(stderr).toContain('Money is on its way.');
    expect((await bench.pay('k-1', 1_050)).code).toBe(0);
    expect(bench.proxy.posts()).toHaveLength(1);
  });
});

function isFullDevice(): boolean {
  return statSync('/dev/full', { throwIfNoEntry: false })?.isCharacterDevice() === true;
}
