/** `withdrawal batch` as a real process: judged whole, resumable after any crash, true in its result file. */
import { once } from 'node:events';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { describe, expect, it } from 'vitest';
import { createOwners } from '../../../../src/owner/create-owners.ts';
import { draftOf } from '../../../../src/withdrawal/batch/drafts.ts';
import type { Intercept } from '../../../support/chaos-proxy.ts';
import { converse } from '../../../support/converse.ts';
import { noSignals, skipped } from '../../../support/platform.ts';
import { run } from '../../../support/run.ts';
import { seeded } from '../../../support/seeded.ts';
import { type Bench, openHurriedBench as openBench, printed } from '../../../support/withdrawal-bench.ts';

const header = 'idempotency_key,amount,pix_key,pix_key_type';

/** A file of `count` lines; line n pays 1000 + n under the key `k-n`. */
function batchFile(
  { home }: Bench,
  count: number,
  edit: (line: string, n: number) => string = (line) => line,
) {
  const path = join(home, 'march.csv');
  const lines = Array.from({ length: count }, (_, n) =>
    edit(`k-${n},${1_000 + n},maria@example.com,EMAIL`, n),
  );
  writeFileSync(path, [header, ...lines, ''].join('\n'));
  return path;
}

const resultRows = ({ home }: Bench) =>
  readFileSync(join(home, 'march.result.csv'), 'utf8')
    .trim()
    .split('\n')
    .slice(1)
    .map((line) => line.split(','));

const lostPost: Intercept = ({ method }) => (method === 'POST' ? { kind: 'reset', when: 'before' } : null);

const amounts = async (bench: Bench) => (await bench.listed()).map(({ amount }) => amount).sort();

describe('a batch', () => {
  it('sends nothing when a line is bad, and names each bad line', async () => {
    await using bench = await openBench();
    const path = batchFile(bench, 3, (line, n) =>
      n === 1 ? line.replace('EMAIL', 'CPF') : n === 2 ? 'k-0,1.5' : line,
    );
    const finished = await bench.run(['withdrawal', 'batch', path, '--yes']);
    expect(finished.code).toBe(65);
    expect(finished.stderr).toContain('march.csv:3: pix_key:');
    expect(finished.stderr).toContain('march.csv:4: 2 fields where the header has 4');
    expect(finished.stderr).toContain('has 2 bad lines: 3, 4. Nothing was sent.');
    expect(bench.proxy.seen).toHaveLength(0);
  });

  it('names each of many bad lines once, and only the first in its last words', async () => {
    await using bench = await openBench();
    const path = batchFile(bench, 13, (line) => line.replace('EMAIL', 'CPF'));
    const { code, stderr } = await bench.run(['withdrawal', 'batch', path, '--yes']);
    expect(code).toBe(65);
    expect(stderr.match(/march\.csv:\d+: pix_key:/g)).toHaveLength(13);
    expect(stderr).toContain(
      'has 13 bad lines: 2, 3, 4, 5, 6, 7, 8, 9, 10, 11 and 3 more. Nothing was sent.',
    );
  });

  it('says that nothing was sent when its result file cannot be written', async () => {
    await using bench = await openBench();
    const path = batchFile(bench, 1);
    const nowhere = join(bench.home, 'no', 'r.csv');
    const { code, stderr } = await bench.run(['withdrawal', 'batch', path, '--yes', '--result', nowhere]);
    expect(code).toBe(74);
    expect(stderr).toMatch(/r\.csv cannot be written: .*; nothing was sent in this run\.$/m);
    expect(bench.proxy.posts()).toHaveLength(0);
  });

  it('warns of lines that pay the same sum to the same key, and of no others', async () => {
    await using bench = await openBench();
    const path = batchFile(bench, 4, (line, n) => (n === 2 ? line.replace(/1002/, '1000') : line));
    const { code, stderr } = await bench.run(['withdrawal', 'batch', path, '--dry-run']);
    expect(code).toBe(0);
    expect(stderr.match(/Lines .* pay the same/g)).toEqual(['Lines 2 and 4 pay the same']);
  });

  it('warns, before it asks, of a whole number among decimals, which may be a hundredth of what was meant', async () => {
    await using bench = await openBench();
    const path = batchFile(bench, 2, (line, n) => (n === 0 ? line.replace('1000', '"10,50"') : line));
    const { code, stderr } = await bench.run(['withdrawal', 'batch', path, '--dry-run', '--quiet']);
    expect(code).toBe(0);
    expect(stderr).toContain(
      'march.csv:3: amount: 1001 is cents, R$ 10,01, while line 2 has decimals (10,50).',
    );
  });

  it('writes its result over nothing else, and sends nothing where it would', async () => {
    await using bench = await openBench();
    const path = batchFile(bench, 1);
    const notes = join(bench.home, 'notes.csv');
    writeFileSync(notes, 'mine\n');
    const lines = readFileSync(path, 'utf8');
    for (const result of [path, notes]) {
      const told = await bench.run(['withdrawal', 'batch', path, '--yes', '--result', result]);
      expect(told).toMatchObject({ code: 64, stdout: '' });
      expect(told.stderr).toContain('Nothing was sent.');
    }
    expect([readFileSync(path, 'utf8'), readFileSync(notes, 'utf8')]).toEqual([lines, 'mine\n']);
    expect(bench.proxy.posts()).toHaveLength(0);
  });

  it('pays saved destinations only, where the policy says so', async () => {
    await using bench = await openBench();
    const path = batchFile(bench, 1);
    expect((await bench.run(['policy', 'set', '--saved-only', 'true'])).code).toBe(0);
    expect((await bench.run(['withdrawal', 'batch', path, '--yes'])).code).toBe(87);
    expect(bench.proxy.posts()).toHaveLength(0);
    const save = ['destination', 'add', 'maria', '--key', 'maria@example.com', '--yes'];
    expect((await bench.run(save)).code).toBe(0);
    expect((await bench.run(['withdrawal', 'batch', path, '--yes'])).code).toBe(0);
    expect(await amounts(bench)).toEqual([1_000]);
  });

  it('does not end with 0 where all is paid and the result file is not written', async () => {
    await using bench = await openBench();
    const path = batchFile(bench, 1);
    const result = join(bench.home, 'march.result.csv');
    bench.proxy.intercept = ({ method }) => {
      if (method === 'POST') {
        rmSync(result, { force: true });
        mkdirSync(result);
      }
      return null;
    };
    const { code, stdout, stderr } = await bench.run(['withdrawal', 'batch', path, '--yes', '--json']);
    expect(code).toBe(1);
    expect(JSON.parse(stdout)).toMatchObject({ exitCode: 1 });
    expect(stderr).toContain(
      '1 of 1 withdrawal completed (R$ 10,00), 0 not reached. The result file could not be',
    );
    expect(stderr).toContain('run the same file again');
    expect(bench.proxy.posts()).toHaveLength(1);
    rmdirSync(result);
    expect((await bench.run(['withdrawal', 'batch', path, '--yes'])).code).toBe(0);
    expect(resultRows(bench).map(([key, state]) => [key, state])).toEqual([['k-0', 'COMPLETED']]);
    expect(bench.proxy.posts()).toHaveLength(1);
  });

  it('keeps the code of a line that was refused where the result file is not written either, and says both', async () => {
    await using bench = await openBench({ merchant: { available: 1_500 } });
    const path = batchFile(bench, 2);
    const result = join(bench.home, 'march.result.csv');
    bench.proxy.intercept = ({ method }) => {
      if (method !== 'POST' || bench.proxy.posts().length < 2) return null;
      rmSync(result, { force: true });
      mkdirSync(result);
      return null;
    };
    const { code, stderr } = await bench.run(['withdrawal', 'batch', path, '--yes']);
    expect(code).toBe(80);
    expect(stderr).toContain(`${result} is not complete: `);
    expect(stderr).toContain('run the same file again to write the result file.');
    expect(stderr).toContain('1 of 2 withdrawals completed (R$ 10,00), 0 not reached. Line 3 (k-1): ');
  });

  it('whose API key may not read what it sent says how to see it end, then to run again', async () => {
    await using bench = await openBench();
    bench.sandbox.faults.add({
      target: 'api',
      operations: ['getWithdrawal'],
      effect: { kind: 'error', status: 403 },
    });
    const { code, stderr } = await bench.run(['withdrawal', 'batch', batchFile(bench, 2), '--yes']);
    expect(code).toBe(82);
    expect(stderr).toMatch(
      /With a key that may read it, wait again: pixctl withdrawal wait wd_\w+\. Then run the same file again\.$/m,
    );
    expect(bench.proxy.posts()).toHaveLength(1);
  });

  it('from a pipe or stdin names no result after it, and is paid where --result names one', async () => {
    await using bench = await openBench();
    const { home, env, proxy } = bench;
    const input = readFileSync(batchFile(bench, 1), 'utf8');
    for (const path of ['-', '/dev/stdin', '/proc/self/fd/0'].filter((it) => it === '-' || existsSync(it))) {
      const told = await run(['withdrawal', 'batch', path, '--yes'], { home, env, input });
      expect(told).toMatchObject({ code: 64, stdout: '' });
      expect(told.stderr).toContain('--result <file>');
    }
    expect(proxy.posts()).toHaveLength(0);
    const result = ['--result', join(home, 'march.result.csv')];
    const args = ['withdrawal', 'batch', '-', ...result, '--yes'];
    expect((await run(args, { home, env, input })).code).toBe(0);
    expect(resultRows(bench).map(([key, state]) => [key, state])).toEqual([['k-0', 'COMPLETED']]);
  });

  it('needs --yes where there is nobody to ask, and asks the service nothing with --dry-run', async () => {
    await using bench = await openBench();
    const path = batchFile(bench, 2);
    expect((await bench.run(['withdrawal', 'batch', path])).code).toBe(64);
    const rehearsed = await bench.run(['withdrawal', 'batch', path, '--dry-run']);
    expect(rehearsed.code).toBe(0);
    expect(rehearsed.stderr).toContain('2 withdrawals, R$ 20,01 in all');
    expect(bench.proxy.seen).toHaveLength(0);
  });

  it('shows with --dry-run how each line is read, for an eye to compare', async () => {
    await using bench = await openBench();
    const path = join(bench.home, 'march.csv');
    const lines = [
      'idempotency_key,amount,pix_key,pix_key_type',
      'k-1,200,joao@example.com,',
      'k-2,"3.500,00",529.982.247-25,CPF',
    ];
    writeFileSync(path, lines.join('\n'));
    const { stdout } = await bench.run(['withdrawal', 'batch', path, '--dry-run']);
    expect(stdout).toBe(
      'Line\tIdempotency key\tAmount\tPIX key\tType\n2\tk-1\t200\tjoao@example.com\tEMAIL\n3\tk-2\t350000\t52998224725\tCPF\n',
    );
    expect(printed(await bench.run(['withdrawal', 'batch', path, '--dry-run', '--json']))).toEqual([
      { line: 2, idempotencyKey: 'k-1', amount: 200, pixKey: 'joao@example.com', pixKeyType: 'EMAIL' },
      { line: 3, idempotencyKey: 'k-2', amount: 350_000, pixKey: '52998224725', pixKeyType: 'CPF' },
    ]);
    // At a terminal, keys are masked, as everywhere.
    const { screen } = await converse(['withdrawal', 'batch', path, '--dry-run'], [], bench);
    expect(screen).toContain('│ ***.982.247-**   │ CPF   │');
    expect(screen).not.toContain('joao@');
  });

  it('refuses with --dry-run already where the result cannot be written: cron would find out', async () => {
    await using bench = await openBench();
    const path = batchFile(bench, 2);
    const args = ['withdrawal', 'batch', path, '--dry-run', '--result'];
    expect(await bench.run([...args, bench.home])).toMatchObject({
      code: 64,
      stderr: expect.stringContaining('is not a regular file'),
    });
    expect((await bench.run([...args, join(bench.home, 'new.csv')])).code).toBe(0);
  });

  it('pays every line once, and the same file again pays nothing', async () => {
    await using bench = await openBench();
    const path = batchFile(bench, 3);
    const first = await bench.run(['withdrawal', 'batch', path, '--yes', '--json']);
    expect(first.code).toBe(0);
    expect(printed(first)).toMatchObject({
      count: 3,
      total: 3_003,
      states: { COMPLETED: 3 },
      left: 0,
      replayed: 0,
      exitCode: 0,
    });
    expect(first.stderr).not.toContain('earlier run');
    const { self } = await createOwners();
    // What a run leaves behind that is killed while it writes its result.
    writeFileSync(draftOf(join(bench.home, 'march.result.csv'), { ...self, pid: 2 ** 30 }), '');
    const again = await bench.run(['withdrawal', 'batch', path, '--yes', '--json']);
    expect(readdirSync(bench.home).filter((name) => name.endsWith('.tmp'))).toEqual([]);
    expect(again.code).toBe(0);
    expect(printed(again)).toMatchObject({ states: { COMPLETED: 3 }, replayed: 3 });
    expect(again.stderr).toContain(
      '3 of 3 withdrawals had been sent by an earlier run, and not again in this one.',
    );
    expect(await amounts(bench)).toEqual([1_000, 1_001, 1_002]);
    expect(bench.proxy.posts()).toHaveLength(3);
    expect(resultRows(bench).map(([key, state]) => `${key} ${state}`)).toEqual([
      'k-0 COMPLETED',
      'k-1 COMPLETED',
      'k-2 COMPLETED',
    ]);
  });

  it('that a sandbox has no money for says how to give it some, and goes on once it has', async () => {
    await using bench = await openBench({ merchant: { available: 1_150 } });
    const batch = ['withdrawal', 'batch', batchFile(bench, 2), '--yes'];
    const refused = await bench.run(batch);
    expect(refused.code).toBe(80);
    expect(refused.stderr).toContain('1 of 2 withdrawals completed (R$ 10,00), 0 not reached. Line 3 (k-1):');
    expect(refused.stderr).toContain(
      'In a sandbox, give the merchant money to pay out: pixctl sandbox merchant set --available 1000,00. Once the cause is fixed, run the same file again.',
    );
    bench.sandbox.setMerchant({ available: 100_000, withdrawalsEnabled: false });
    expect((await bench.run(batch)).stderr).not.toContain('--available');
    bench.sandbox.setMerchant({ withdrawalsEnabled: true });
    expect((await bench.run(batch)).code).toBe(0);
    expect(await amounts(bench)).toEqual([1_000, 1_001]);
  });

  it('answers an edited line whose key was used with 85, and goes on behind it only when asked to', async () => {
    await using bench = await openBench();
    await bench.run(['withdrawal', 'batch', batchFile(bench, 2), '--yes']);
    const edited = batchFile(bench, 3, (line, n) => (n === 1 ? line.replace('1001', '9001') : line));
    const stopped = await bench.run(['withdrawal', 'batch', edited, '--yes']);
    expect(stopped.code).toBe(85);
    expect(stopped.stderr).toContain('Line 3 (k-1)');
    expect(stopped.stderr).toContain('not reached, run the same file with --continue-on-failed.');
    expect(await amounts(bench)).toEqual([1_000, 1_001]);
    const onward = await bench.run(['withdrawal', 'batch', edited, '--yes', '--continue-on-failed']);
    expect(onward.code).toBe(85);
    expect(await amounts(bench)).toEqual([1_000, 1_001, 1_002]);
    expect(resultRows(bench).map(([, state]) => state)).toEqual(['COMPLETED', 'KEY_REUSED', 'COMPLETED']);
  });

  it('that stops at a lesser trouble than an earlier line had says where it stopped, and what that line waits for', async () => {
    await using bench = await openBench({
      withdrawals: 'manual',
      merchant: { available: 100_000, withdrawalLimit: 999 },
    });
    const path = batchFile(bench, 3, (line, n) => (n === 0 ? line : line.replace(String(1_000 + n), '500')));
    const batch = ['withdrawal', 'batch', path, '--yes', '--continue-on-failed', '--timeout', '1s'];
    const end = await bench.run([...batch, '-q']);
    expect(end.code).toBe(80);
    expect(end.stderr).toMatch(
      /1 not reached\. Line 2 \(k-0\): No money moved\. .* The run stopped at line 3 \(k-1\): Money is on its way\. .*\n.*Line 3 \(k-1\): Run the same file again: it follows this line to its end, then continues\.\n$/,
    );
    expect(await amounts(bench)).toEqual([500]);
  });

  it('stops at the first unknown outcome, and the same file resumes once it is known', async () => {
    await using bench = await openBench();
    const { proxy } = bench;
    const path = batchFile(bench, 3);
    // The answer to the second line is lost, and so is every list after it: this run cannot find out.
    proxy.intercept = ({ method }) =>
      proxy.posts().length < 2
        ? null
        : { kind: 'status', when: 'after', status: method === 'POST' ? 500 : 503 };
    const stopped = await bench.run(['withdrawal', 'batch', path, '--yes', '--timeout', '5s']);
    expect(stopped.code).toBe(81);
    expect(stopped.stderr).toContain('Line 3 (k-1): Money may have moved.');
    expect(resultRows(bench).map(([, state]) => state)).toEqual(['COMPLETED', 'UNKNOWN', 'NOT_STARTED']);
    proxy.intercept = () => null;
    expect((await bench.run(['withdrawal', 'batch', path, '--yes'])).code).toBe(0);
    expect(await amounts(bench)).toEqual([1_000, 1_001, 1_002]);
  });

  it('held up by another withdrawal says what a batch can do about it', async () => {
    await using bench = await openBench({ withdrawals: 'manual' });
    expect((await bench.pay('first', 500)).code).toBe(0);
    const busy = await bench.run(['withdrawal', 'batch', batchFile(bench, 1), '--yes', '--timeout', '1s']);
    expect(busy.code).toBe(75);
    expect(busy.stderr).toContain('Run the same file again later; --timeout');
    expect(busy.stderr).not.toContain('--if-busy');
    expect(await amounts(bench)).toEqual([500]);
  });

  it.skipIf(noSignals !== null)(
    skipped('stopped while it follows a line says so, and to run the same file again', noSignals),
    async () => {
      await using bench = await openBench({ withdrawals: 'manual' });
      const child = bench.start(['withdrawal', 'batch', batchFile(bench, 2), '--yes']);
      bench.proxy.intercept = ({ method, path }) => {
        if (method === 'GET' && /^\/withdrawals\/\w/.test(path)) child.kill('SIGTERM');
        return null;
      };
      let stderr = '';
      child.stderr?.on('data', (text) => {
        stderr += text;
      });
      const [code] = (await once(child, 'close')) as [number | null];
      expect(code).toBe(82);
      expect(stderr).toMatch(/Line 2 .*: Money is on its way\. .* was accepted, and /);
      expect(stderr).toContain('Run the same file again: it follows this line');
      expect(stderr).not.toMatch(/nothing was sent/i);
      expect(await amounts(bench)).toEqual([1_000]);
    },
  );

  it.skipIf(noSignals !== null)(
    skipped('stopped before it sends a line says so, and to run the same file again', noSignals),
    async () => {
      await using bench = await openBench();
      const child = bench.start(['withdrawal', 'batch', batchFile(bench, 2), '--yes']);
      bench.proxy.intercept = ({ method }) => {
        if (method !== 'GET') return null;
        child.kill('SIGTERM');
        return { kind: 'hang', when: 'before' };
      };
      const said = text(child.stderr);
      const [code] = (await once(child, 'close')) as [number | null];
      expect(code).toBe(143);
      expect(await said).toContain('nothing was sent');
      expect(await said).toMatch(/\n {2}Run the same file again: what is done is not sent twice\.\n$/);
      expect(await amounts(bench)).toEqual([]);
    },
  );

  describe('stopped before it comes to what an earlier run began', () => {
    /** What a batch says that is stopped at its first request, and how it ends. */
    const stopped = async (bench: Bench, lines = 2, ...more: string[]) => {
      const child = bench.start(['withdrawal', 'batch', batchFile(bench, lines), '--yes', ...more]);
      bench.proxy.intercept = () => {
        child.kill('SIGTERM');
        return { kind: 'hang', when: 'before' };
      };
      const said = text(child.stderr);
      const [code] = (await once(child, 'close')) as [number | null];
      return { code, said: await said };
    };

    it.skipIf(noSignals !== null)(skipped('says that money is on its way', noSignals), async () => {
      await using bench = await openBench({ withdrawals: 'manual' });
      expect((await bench.pay('k-1', 1_001)).code).toBe(0);
      const { code, said } = await stopped(bench);
      expect(code).toBe(82);
      expect(said).toContain(
        'nothing was sent for this line in this run. Line 3 (k-1), of an earlier run: money is on its way.',
      );
      expect(said).toContain('Run the same file again');
      expect(await amounts(bench)).toEqual([1_001]);
    });

    it.skipIf(noSignals !== null)(
      skipped('says so also after a line that was worse', noSignals),
      async () => {
        await using bench = await openBench({
          withdrawals: 'manual',
          merchant: { available: 100_000, withdrawalLimit: 5_000 },
        });
        expect((await bench.pay('k-0', 9_000)).code).toBe(80);
        expect((await bench.pay('k-2', 1_002)).code).toBe(0);
        const { code, said } = await stopped(bench, 3, '--continue-on-failed');
        expect(code).toBe(85);
        expect(said).toMatch(
          /Line 2 \(k-0\): No money moved for this line in this run\. .* Line 4 \(k-2\), of an earlier run: money is on its way\.\n/,
        );
        expect(await amounts(bench)).toEqual([1_002]);
      },
    );

    it.runIf(process.platform === 'linux').each([
      [0, 82, 'money is on its way'],
      [81, 81, 'money may have moved'],
    ])('while its file is still being read, and after %i, ends with %i: %s', async (before, after, words) => {
      await using bench = await openBench({ withdrawals: 'manual' });
      if (before === 81) bench.proxy.intercept = lostPost;
      expect((await bench.pay('k-1', 1_001)).code).toBe(before);
      const args = ['withdrawal', 'batch', '-', '--yes', '--result', join(bench.home, 'march.result.csv')];
      const child = bench.start(args);
      const status = () => readFileSync(`/proc/${child.pid}/status`, 'utf8');
      // It listens for SIGHUP (signal 1; Node itself for the others), and has heard it.
      await expect.poll(status).toMatch(/^SigCgt:\s+\w+[13579bdf]$/m);
      child.kill('SIGHUP');
      await expect.poll(status).toMatch(/^ShdPnd:\s+0+$/m);
      child.stdin.end(readFileSync(batchFile(bench, 2)));
      const said = text(child.stderr);
      expect(await once(child, 'close')).toEqual([after, null]);
      expect(await said).toContain('Stopped between two lines. ');
      expect(await said).toContain(`Line 3 (k-1), of an earlier run: ${words}.`);
      expect(bench.proxy.posts()).toHaveLength(1);
    });
  });

  it('killed again and again ends with every line paid once and a true result file', async () => {
    await using bench = await openBench();
    const { proxy } = bench;
    const count = 40;
    const path = batchFile(bench, count);
    const next = seeded(42);
    let kills = 0;
    for (let runs = 0; ; runs += 1) {
      expect(runs).toBeLessThan(20);
      const child = bench.start(['withdrawal', 'batch', path, '--yes', '--quiet']);
      // Mid-read, with the request under way, or with its answer not yet back; the request always arrives.
      proxy.intercept = () => {
        if (kills >= 10 || next() > 0.08) return null;
        kills += 1;
        child.kill('SIGKILL');
        return { kind: 'delay', when: next() < 0.5 ? 'before' : 'after', ms: 20 };
      };
      const [code] = (await once(child, 'close')) as [number | null];
      for (const [key, state] of resultRows(bench)) {
        expect(state, key).toMatch(/^(COMPLETED|IN_PROGRESS|NOT_STARTED|ACCEPTED|SENDING|UNKNOWN|PLANNED)$/);
      }
      if (code === 0) break;
    }
    expect(kills).toBeGreaterThan(3);
    const listed = await bench.listed();
    expect(await amounts(bench)).toEqual(Array.from({ length: count }, (_, n) => 1_000 + n));
    const ids = new Map(listed.map(({ amount, id }) => [amount, id]));
    expect(resultRows(bench)).toEqual(
      Array.from({ length: count }, (_, n) => [
        `k-${n}`,
        'COMPLETED',
        ids.get(1_000 + n),
        '',
        String(1_000 + n),
        String(n + 2),
      ]),
    );
  });
});
