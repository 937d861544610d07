/** `withdraw` at a terminal: it asks for what is missing, shows what it will do, and takes no for an answer. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ageReports, ageSends } from '../../../support/age-ledger.ts';
import { type Answers, converse } from '../../../support/converse.ts';
import { noPty, skipped } from '../../../support/platform.ts';
import { type Bench, openHurriedBench as openBench } from '../../../support/withdrawal-bench.ts';

const payByHand = ({ sandbox: { url, apiKey } }: Bench) =>
  fetch(`${url}/withdrawals`, {
    method: 'POST',
    headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' },
    body: JSON.stringify({ amount: 1_050, pixKey: 'maria@example.com', pixKeyType: 'EMAIL' }),
  });

describe.skipIf(noPty !== null)(skipped('withdraw at a terminal', noPty), () => {
  it('asks for key and amount, prints an idempotency key before it sends, and confirms', async () => {
    await using bench = await openBench();
    const { code, screen } = await converse(
      ['withdraw'],
      [
        ['To which PIX key:', '529.982.247-25\r'],
        ['Amount', '10,50\r'],
        ['Send it?', 'y\r'],
      ],
      bench,
    );
    expect(screen).toContain('Withdraw R$ 10,50 to ***.982.247-** (CPF)');
    expect(screen).toContain(`at ${bench.proxy.url}`);
    expect(screen.slice(0, screen.indexOf('Send it?')).match(/Withdraw R\$/g)).toHaveLength(1);
    const [, key = ''] = /Idempotency key: ([0-9a-f-]{36})/.exec(screen.split('Send it?')[0] ?? '') ?? [];
    expect(screen).toMatch(
      new RegExp(
        `without questions: .*--idempotency-key ${key} --yes\\s+With this key it is safe to run again`,
      ),
    );
    expect(screen).toContain('Money is on its way.');
    expect(screen).toMatch(/To see how it ends: pixctl withdrawal wait wd_\w+/);
    expect(code).toBe(0);
    expect((await bench.listed()).map(({ pixKey }) => pixKey)).toEqual(['52998224725']);
  });

  it('shows of the receipt what the sentence before it does not say; a pipe, and --fields, have all', async () => {
    await using bench = await openBench();
    const line = [
      'withdraw',
      '--amount',
      '1050',
      '--to',
      'maria@example.com',
      '-k',
      'k-1',
      '--wait',
      '--yes',
    ];
    const { screen } = await converse(line, [], bench);
    expect(screen.match(/^(?:\w+ )*\w+ {2,}/gm)?.map((head) => head.trimEnd())).toEqual([
      'Idempotency key',
      'State',
      'Amount',
      'Fee',
      'PIX key',
      'Type',
      'Withdrawal',
      'Money moved',
    ]);
    const again = await converse(line, [], bench);
    expect(again.screen).toMatch(/^Settled by an earlier run {2}true/m);
    expect((await bench.run(line)).stdout).toMatch(/^Exit code\t0$/m);
    const named = await converse([...line, '--fields', 'inferred,exitCode'], [], bench);
    expect(named.screen).toMatch(/^Found by reconciling {2}false\s+Exit code {13}0/m);
  });

  it('says at once what is wrong with an answer and how to write it, and nothing of sending', async () => {
    await using bench = await openBench();
    const { code, screen } = await converse(
      ['withdraw'],
      [
        ['To which PIX key:', 'nobody\r'],
        ['none of the five', '\u0015529.982.247-25\r'],
        ['Amount', '10\r'],
        ['below the minimum', '\u001510,00\r'],
        ['Send it?', 'n\r'],
      ],
      bench,
    );
    expect(code).toBe(87);
    expect(screen).toMatch(/CPF\s+has\s+11\s+digits/);
    expect(screen).toContain('> "nobody": this is none of the five kinds of PIX key');
    expect(screen).toContain('> R$ 0,10 is below the minimum of R$ 0,50');
    const [answered, ended] = screen.split('error: ');
    expect(answered).not.toContain('Nothing was sent');
    expect(ended).toContain('Not confirmed. Nothing was sent.');
  });

  it.each<[string, string, Answers, number, string]>([
    [
      'holds what is typed',
      '10,00',
      [['Amount', '10,50\r']],
      87,
      'R$ 10,50 is more than --max-amount R$ 10,00',
    ],
    ['is refused before anything is asked if it is none', '10.5', [], 64, '--max-amount'],
  ])('--max-amount %s', async (_, cap, answers, expected, words) => {
    await using bench = await openBench();
    const line = ['withdraw', '--to', 'maria@example.com', '--max-amount', cap];
    const { code, screen } = await converse(line, answers, bench);
    expect(code, screen).toBe(expected);
    expect(screen).toContain(words);
    expect(screen).not.toContain('Send it?');
    if (answers.length === 0) expect(screen).not.toContain('Amount (');
    expect(bench.proxy.posts()).toHaveLength(0);
  });

  it('asks in lines where the terminal moves no cursor', async () => {
    await using bench = await openBench();
    const { code, screen, written } = await converse(
      ['withdraw'],
      [
        ['To which PIX key:', '529.982.247-25\r'],
        ['Amount', '10,50\r'],
        ['Send it? (y/N)', 'y\r'],
      ],
      { home: bench.home, env: { ...bench.env, TERM: 'dumb' } },
    );
    expect(code, screen).toBe(0);
    expect(screen).toContain('Money is on its way.');
    expect(written).not.toContain('\u001b');
    expect(await bench.listed()).toHaveLength(1);
  });

  it.each(['dumb', 'xterm'])(
    'a paste with a second line answers one question under TERM=%s',
    async (TERM) => {
      await using bench = await openBench();
      const { code, screen } = await converse(
        ['withdraw', '--amount', '10,50'],
        [
          ['To which PIX key', 'maria@example.com\ny\n'],
          ['Send it?', 'n\r'],
        ],
        { home: bench.home, env: { ...bench.env, TERM } },
      );
      expect(code, screen).toBe(87);
      expect(bench.proxy.posts()).toHaveLength(0);
    },
  );

  it.each([
    ['dumb', 'y\r'],
    ['dumb', 'y'],
    ['xterm', 'y\r'],
    ['xterm', 'y'],
  ])('under TERM=%s, %j from before the question is no yes', async (TERM, early) => {
    await using bench = await openBench();
    const env = { ...bench.env, TERM };
    const args = ['withdraw', '--amount', '10,50', '--to', 'maria@example.com'];
    const { code, screen } = await converse(args, [['Send it?', '\r']], { home: bench.home, env, early });
    expect(code, screen).toBe(87);
    expect(bench.proxy.posts()).toHaveLength(0);
  });

  it.each([
    ['2.000,00', 0, 1],
    ['200000', 0, 1],
    ['20,00', 87, 0],
    ['y', 87, 0],
  ])("above the policy's amount answers the typed amount %s with %i", async (typed, expected, posts) => {
    await using bench = await openBench();
    const args = ['withdraw', '--amount', '2000,00', '--to', 'maria@example.com', '--idempotency-key', 'k-1'];
    const { code, screen } = await converse(args, [['Type the amount to send it:', `${typed}\r`]], bench);
    expect(code).toBe(expected);
    expect(screen).toContain(expected === 0 ? 'Money is on its way.' : 'Not confirmed. Nothing was sent.');
    expect(bench.proxy.posts()).toHaveLength(posts);
  });

  it.each(['n\r', '\r'])('takes %j as a no', async (typed) => {
    await using bench = await openBench();
    const args = ['withdraw', '--amount', '1050', '--to', 'maria@example.com'];
    const { code, screen } = await converse(args, [['Send it?', typed]], bench);
    expect(code).toBe(87);
    expect(screen.replace(/\s+/g, ' ')).toMatch(
      /Idempotency key: ([0-9a-f-]{36}) To run it again safely, whatever happens: the same command with --idempotency-key \1 /,
    );
    expect(screen).toContain('Not confirmed. Nothing was sent.');
    expect(bench.proxy.posts()).toHaveLength(0);
  });

  it("accepts a y up to and including the policy's amount", async () => {
    await using bench = await openBench();
    const args = ['withdraw', '--amount', '1000,00', '--to', 'maria@example.com', '--idempotency-key', 'k-1'];
    expect((await converse(args, [['Send it?', 'y\r']], bench)).code).toBe(0);
    expect(bench.proxy.posts()).toHaveLength(1);
  });

  it.each([
    ['2', 0, 2],
    ['y', 87, 0],
    ['1', 87, 0],
  ])('pays a batch for its count, typed: %s', async (typed, expected, posts) => {
    await using bench = await openBench();
    const file = join(bench.home, 'march.csv');
    writeFileSync(
      file,
      'idempotency_key,amount,pix_key,pix_key_type\nk-1,1050,maria@example.com,EMAIL\nk-2,1060,maria@example.com,EMAIL\n',
    );
    const asked = 'Send 2 withdrawals, R$ 21,10 in all';
    const { code, screen } = await converse(['withdrawal', 'batch', file], [[asked, `${typed}\r`]], bench);
    expect(code).toBe(expected);
    if (expected !== 0) expect(screen).toContain('Not confirmed. Nothing was sent.');
    expect(bench.proxy.posts()).toHaveLength(posts);
  });

  it.each([
    ['2000', 'What was typed is R$ 20,00, not R$ 2.000,00: a whole number is cents.'],
    ['2.000', '"2.000" could mean R$ 2.000,00 (write 2000,00) or R$ 2,00 (write 2,00).'],
  ])('says how a typed amount that does not confirm was read: %s', async (typed, told) => {
    await using bench = await openBench();
    const args = ['withdraw', '--amount', '2000,00', '--to', 'maria@example.com', '--idempotency-key', 'k-1'];
    const { code, screen } = await converse(args, [['Type the amount to send it:', `${typed}\r`]], bench);
    expect(code).toBe(87);
    expect(screen).toContain(told);
    expect(bench.proxy.posts()).toHaveLength(0);
  });

  it('batch ends at once where the ledger or the policy keeps it from beginning', async () => {
    await using bench = await openBench();
    const file = join(bench.home, 'march.csv');
    writeFileSync(file, 'idempotency_key,amount,pix_key,pix_key_type\nk-1,1050,maria@example.com,EMAIL\n');
    const args = ['withdrawal', 'batch', file, '--yes'];
    const missing = { ...bench.env, PIXCTL_LEDGER_ID: 'gone' };
    expect((await converse(args, [], { home: bench.home, env: missing })).code).toBe(78);
    const settings = bench.env.PIXCTL_CONFIG_DIR ?? '';
    mkdirSync(settings, { recursive: true, mode: 0o700 });
    const damaged = JSON.stringify({ settings: { policy: { maxPerDay: 'much' } } });
    writeFileSync(join(settings, 'config.json'), damaged, { mode: 0o600 });
    expect((await converse(args, [], bench)).code).toBe(78);
    expect(bench.proxy.posts()).toHaveLength(0);
  });

  it('left with Ctrl-C at a question has sent nothing', async () => {
    await using bench = await openBench();
    const { code, screen } = await converse(
      ['withdraw', '--amount', '1050', '--to', 'maria@example.com'],
      [['Send it?', '\u0003']],
      bench,
    );
    expect(code).toBe(130);
    expect(screen).toContain('nothing was sent');
    expect(bench.proxy.posts()).toHaveLength(0);
  });

  it.each([
    ['Send it?', ['--amount', '1050'], 'y\r', []],
    ['Amount', [], '10,50\r', [['Send it?', 'y\r'] as const]],
  ])(
    '--allow-duplicate is not about what another run reported while "%s" stood',
    async (asked, amount, typed, then) => {
      await using bench = await openBench();
      bench.sandbox.setMerchant({ available: 0 });
      expect((await bench.pay('k-1', 1_050)).code).toBe(80);
      bench.sandbox.setMerchant({ available: 100_000 });
      // What the key's own request may have made: its refusal could be that of a second copy.
      await payByHand(bench);
      const line = ['withdraw', '--to', 'maria@example.com', '-k', 'k-1', '--allow-duplicate', ...amount];
      const { code, screen } = await converse(
        line,
        [
          [
            asked,
            async (terminal) => {
              expect((await bench.pay('k-1', 1_050)).code).toBe(86);
              terminal.write(typed);
            },
          ],
          ...then,
        ],
        bench,
      );
      expect(screen).toContain('--allow-duplicate does not cover it yet');
      expect(code).toBe(86);
      // Whoever gives it now has been told.
      expect((await converse(line, [[asked, typed], ...then], bench)).code).toBe(0);
      expect(await bench.listed()).toHaveLength(2);
    },
  );

  it('--allow-duplicate is not about it either where the clock of the host that reported it is behind', async () => {
    await using bench = await openBench();
    bench.sandbox.setMerchant({ available: 0 });
    expect((await bench.pay('k-1', 1_050)).code).toBe(80);
    bench.sandbox.setMerchant({ available: 100_000 });
    await payByHand(bench);
    const report = async (terminal: { write(text: string): void }) => {
      expect((await bench.pay('k-1', 1_050)).code).toBe(86);
      ageReports(join(bench.env.PIXCTL_STATE_DIR ?? '', 'ledger.sqlite'), 3_600);
      terminal.write('y\r');
    };
    const line = ['withdraw', '--to', 'maria@example.com', '-k', 'k-1', '--amount', '1050'];
    const { code, screen } = await converse([...line, '--allow-duplicate'], [['Send it?', report]], bench);
    expect(screen).toContain('--allow-duplicate does not cover it yet');
    expect(code).toBe(86);
    expect(await bench.listed()).toHaveLength(1);
  });

  it('resolve wants the key typed, not a y', async () => {
    await using bench = await openBench();
    bench.proxy.intercept = ({ method }) => (method === 'POST' ? { kind: 'reset', when: 'before' } : null);
    expect((await bench.pay('k-1', 1_050)).code).toBe(81);
    const resolve = ['withdrawal', 'resolve', 'k-1', '--not-sent'];
    const refused = await converse(resolve, [['Type the idempotency key to confirm:', 'y\r']], bench);
    expect(refused.code).toBe(87);
    const early = await converse(resolve, [['Type the idempotency key to confirm:', 'k-1\r']], bench);
    expect(early.code).toBe(75);
    expect(early.screen).toContain('PAYS TWICE');
  });

  it('resolve takes the word for the send that it was asked about, not for one that was made while the question stood', async () => {
    await using bench = await openBench();
    bench.proxy.intercept = ({ method }) => (method === 'POST' ? { kind: 'reset', when: 'before' } : null);
    const ledger = join(bench.env.PIXCTL_STATE_DIR ?? '', 'ledger.sqlite');
    const sendAndForget = async () => {
      expect((await bench.pay('k-1', 1_050)).code).toBe(81);
      ageSends(ledger, 3_600);
    };
    await sendAndForget();
    const resolve = ['withdrawal', 'resolve', 'k-1', '--not-sent'];
    const { code, screen } = await converse(
      resolve,
      [
        [
          'Type the idempotency key to confirm:',
          async (terminal) => {
            expect((await bench.run([...resolve, '--yes'])).code).toBe(0);
            await sendAndForget();
            terminal.write('k-1\r');
          },
        ],
      ],
      bench,
    );
    expect(screen).toContain(
      'Money may have moved. It was sent again while you were asked; nothing was changed.',
    );
    expect(code).toBe(75);
    expect((await bench.run(['withdrawal', 'status', 'k-1'])).code).toBe(81);
    expect(bench.proxy.posts()).toHaveLength(2);
  });
});
