/**
 * A batch that the policy stops at its first open line is refused before the count is typed; any other is asked about.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type Answers, converse } from '../../../support/converse.ts';
import { leaveUnknown } from '../../../support/leave-unknown.ts';
import { noPty, skipped } from '../../../support/platform.ts';
import { quietNow } from '../../../support/quiet-now.ts';
import { type Bench, openHurriedBench as openBench } from '../../../support/withdrawal-bench.ts';

const count: Answers = [['Type the count to confirm:', '2\r']];

/** A file that pays the first amount to Maria and the second to João. */
function fileOf({ home }: Bench, first: number, second: number): string {
  const path = join(home, 'march.csv');
  const lines = [`k-1,${first},maria@example.com,EMAIL`, `k-2,${second},joao@example.com,EMAIL`];
  writeFileSync(path, `idempotency_key,amount,pix_key,pix_key_type\n${lines.join('\n')}\n`);
  return path;
}

const allow = async (bench: Bench, ...rule: string[]) =>
  expect((await bench.run(['policy', 'set', ...rule])).code).toBe(0);

const atTerminal = (bench: Bench, path: string, ...more: string[]) =>
  converse(['withdrawal', 'batch', path, ...more], count, bench);

describe.skipIf(noPty !== null)(skipped('withdrawal batch at a terminal, before it asks', noPty), () => {
  it.each<[string, string[], string[], string]>([
    ['quiet hours', ['--quiet-hours', quietNow()], [], 'it is within the quiet hours'],
    ['quiet hours', ['--quiet-hours', quietNow()], ['--continue-on-failed'], 'it is within the quiet hours'],
    ['a first line above the limit', ['--max-withdrawal', '5,00'], [], 'above the limit for one withdrawal'],
    ['a first line to a stranger', ['--saved-only', 'true'], [], 'not a saved destination'],
  ])('%s (%j %j) ends it unasked', async (_title, rule, more, told) => {
    await using bench = await openBench();
    await allow(bench, ...rule);
    const { code, screen } = await atTerminal(bench, fileOf(bench, 1_050, 400), ...more);
    expect(code, screen).toBe(87);
    expect(screen).toContain('Line 2 (k-1): No money moved.');
    expect(screen).toContain(told);
    expect(screen).toContain('nothing was sent in this run');
    expect(screen).not.toContain('Type the count');
    expect(bench.proxy.posts()).toHaveLength(0);
  });

  it('the rest of a file that was begun is refused in quiet hours by its own line', async () => {
    await using bench = await openBench();
    const path = fileOf(bench, 1_050, 400);
    expect((await bench.pay('k-1', 1_050, '--wait')).code).toBe(0);
    await allow(bench, '--quiet-hours', quietNow());
    const { code, screen } = await atTerminal(bench, path);
    expect(code, screen).toBe(87);
    expect(screen).toContain('Line 3 (k-2): No money moved.');
    expect(screen).not.toContain('Type the count');
    expect(bench.proxy.posts()).toHaveLength(1);
  });

  it('a line whose outcome is unknown is settled in quiet hours too, before the next is refused', async () => {
    await using bench = await openBench();
    const path = fileOf(bench, 1_050, 400);
    expect(await leaveUnknown(bench, 'after')).toBe(81);
    await allow(bench, '--quiet-hours', quietNow());
    const { code, screen } = await atTerminal(bench, path);
    expect(code, screen).toBe(87);
    expect(screen.split('Type the count')[0]).toMatch(/the key k-1 \(R\$.10,50\) is unknown/);
    expect(screen).toMatch(/1 of 2 withdrawals completed \(R\$\s10,50\)/);
    expect(bench.proxy.posts()).toHaveLength(1);
  });

  it.each<[string, number, number, string[], number]>([
    ['a line above the limit behind one that is within it', 400, 1_050, [], 1],
    ['one that --continue-on-failed passes over', 1_050, 400, ['--continue-on-failed'], 1],
  ])('%s is asked about, and told of by the run', async (_title, first, second, more, posts) => {
    await using bench = await openBench();
    await allow(bench, '--max-withdrawal', '5,00');
    const { code, screen } = await atTerminal(bench, fileOf(bench, first, second), ...more);
    expect(code, screen).toBe(87);
    expect(screen).toContain('Type the count');
    expect(screen).toMatch(/1 of 2 withdrawals completed/);
    expect(bench.proxy.posts()).toHaveLength(posts);
  });

  it('is judged anew once the count is typed', async () => {
    await using bench = await openBench();
    const path = fileOf(bench, 1_050, 400);
    const late: Answers = [
      [
        'Type the count to confirm:',
        (terminal) =>
          void bench.run(['policy', 'set', '--quiet-hours', quietNow()]).then(() => terminal.write('2\r')),
      ],
    ];
    const { code, screen } = await converse(['withdrawal', 'batch', path], late, bench);
    expect(code, screen).toBe(87);
    expect(screen).toContain('it is within the quiet hours');
    expect(bench.proxy.posts()).toHaveLength(0);
  });
});
