/** What ends a withdrawal whatever is answered is found before a person types anything. */
import { existsSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, it } from 'vitest';
import { startChaosProxy } from '../../support/chaos-proxy.ts';
import { type Answers, converse } from '../../support/converse.ts';
import { leaveUnknown } from '../../support/leave-unknown.ts';
import { noPty, skipped } from '../../support/platform.ts';
import { quietNow } from '../../support/quiet-now.ts';
import { type Bench, openHurriedBench as openBench, payArgs } from '../../support/withdrawal-bench.ts';

const questions = /To which|Amount|Send/;
const whole = ['withdraw', '--amount', '1050', '--to', 'maria@example.com'];

/** Somebody who would answer everything, so that a run that asks goes on and is seen to. */
const eager: Answers = [
  ['To which PIX key', 'maria@example.com\r'],
  ['Amount', '10,50\r'],
  ['Send it?', 'y\r'],
];

function eventsOf({ home }: Bench): unknown[] {
  const ledger = new DatabaseSync(join(home, 'state', 'ledger.sqlite'), { readOnly: true });
  try {
    return ledger.prepare('SELECT * FROM ledger_events').all();
  } finally {
    ledger.close();
  }
}

/** What a run has shown as json, before the words of its error. */
const receiptOn = (screen: string): unknown =>
  JSON.parse(/^\{.*?^\}/ms.exec(screen.replaceAll('\r', ''))?.[0] ?? 'null');

const withoutKey = (bench: Bench): Record<string, string> => {
  const { PIXCTL_API_KEY: _, ...others } = bench.env;
  return others;
};

describe.skipIf(noPty !== null)(skipped('withdraw at a terminal, before it asks', noPty), () => {
  it.each<[string, string[], (bench: Bench) => Record<string, string>, number, string]>([
    [
      'another ledger',
      ['withdraw'],
      ({ env }) => ({ ...env, PIXCTL_LEDGER_ID: 'gone' }),
      78,
      'was not found',
    ],
    ['another ledger', whole, ({ env }) => ({ ...env, PIXCTL_LEDGER_ID: 'gone' }), 78, 'was not found'],
    ['no API key', ['withdraw'], withoutKey, 77, 'There is no API key for'],
    ['no API key', whole, withoutKey, 77, 'There is no API key for'],
    ['an amount of two meanings', ['withdraw', '--amount', '10,5'], ({ env }) => env, 64, 'could mean'],
    ['a key of two lines', ['withdraw', '-k', 'a\nb'], ({ env }) => env, 64, '--idempotency-key'],
    ['a cap of two meanings', ['withdraw', '--max-amount', '10,5'], ({ env }) => env, 64, 'could mean'],
    [
      'more than the cap',
      ['withdraw', '--amount', '1050', '--max-amount', '1000'],
      ({ env }) => env,
      87,
      'give a larger --max-amount',
    ],
  ])('%s ends %j', async (_title, args, envOf, expected, told) => {
    await using bench = await openBench();
    const { code, screen } = await converse(args, eager, { home: bench.home, env: envOf(bench) });
    expect(code, screen).toBe(expected);
    expect(screen).toContain(told);
    expect(screen).toMatch(/nothing was sent/i);
    expect(screen).not.toMatch(questions);
    expect(bench.proxy.posts()).toHaveLength(0);
  });

  it.each<[string, string[], string[], string]>([
    ['quiet hours', ['--quiet-hours', quietNow()], [], 'it is within the quiet hours'],
    [
      'more than the limit',
      ['--max-withdrawal', '5,00'],
      ['--amount', '10,50'],
      'above the limit for one withdrawal',
    ],
    ['a stranger', ['--saved-only', 'true'], ['--to', 'maria@example.com'], 'not a saved destination'],
  ])('%s, by the policy, is refused before the rest is asked for', async (_title, rule, given, told) => {
    await using bench = await openBench();
    expect((await bench.run(['policy', 'set', ...rule])).code).toBe(0);
    const { code, screen } = await converse(['withdraw', ...given], eager, bench);
    expect(code, screen).toBe(87);
    expect(screen).toContain(told);
    expect(screen).toMatch(/nothing was sent/i);
    expect(screen).not.toMatch(questions);
    expect(bench.proxy.posts()).toHaveLength(0);
  });

  it('the limit of a day is judged once all is answered, before the last question', async () => {
    await using bench = await openBench();
    expect((await bench.run(['policy', 'set', '--max-day', '15,00'])).code).toBe(0);
    expect((await bench.pay('k-1', 1_050)).code).toBe(0);
    const answers = eager.filter(([question]) => question !== 'Amount');
    const { code, screen } = await converse(['withdraw', '--amount', '20,00'], answers, bench);
    expect(code, screen).toBe(87);
    expect(screen).toMatch(/of which R\$ 10,50 is spent/);
    expect(screen).toContain('To which PIX key');
    expect(screen).not.toContain('Send it?');
    expect(bench.proxy.posts()).toHaveLength(1);
  });

  it.each<[string, string[], string[], number, string]>([
    ['more than the limit', ['--max-withdrawal', '5,00'], ['k-2', '1050'], 87, 'POLICY_MAX_PER_WITHDRAWAL'],
    ['more than is left of the day', ['--max-day', '20,00'], ['k-2', '1050'], 87, 'POLICY_MAX_PER_DAY'],
    ['a stranger', ['--saved-only', 'true'], ['k-2', '1050'], 87, 'POLICY_SAVED_DESTINATIONS_ONLY'],
    ['quiet hours', ['--quiet-hours', quietNow()], ['k-2', '1050'], 87, 'POLICY_QUIET_HOURS'],
    [
      'quiet hours, for a key that was refused',
      ['--quiet-hours', quietNow()],
      ['k-3', '100000000'],
      87,
      'POLICY_QUIET_HOURS',
    ],
    ['the key of another order', [], ['k-1', '1060'], 85, 'KEY_REUSED'],
    ['the key of a paid order', ['--quiet-hours', quietNow()], ['k-1', '1050', '--wait'], 0, 'COMPLETED'],
  ])(
    '%s, of a whole order, ends it unasked, with what --yes ends with',
    async (_title, rule, order, ends, told) => {
      await using bench = await openBench();
      expect((await bench.pay('k-1', 1_050, '--wait')).code).toBe(0);
      expect((await bench.pay('k-3', 100_000_000)).code).toBe(80);
      if (rule.length > 0) expect((await bench.run(['policy', 'set', ...rule])).code).toBe(0);
      const [key = '', amount = '', ...more] = order;
      const line = [
        'withdraw',
        '--amount',
        amount,
        '--to',
        'maria@example.com',
        '-k',
        key,
        '-o',
        'json',
        ...more,
      ];
      const before = eventsOf(bench);
      const { code, screen } = await converse(line, [['?', 'n\r']], bench);
      expect(code, screen).toBe(ends);
      expect(screen).not.toMatch(/Send it\?/);
      const unattended = await bench.run([...line, '--yes']);
      expect([unattended.code, JSON.parse(unattended.stdout).code]).toEqual([ends, told]);
      expect(receiptOn(screen)).toEqual(JSON.parse(unattended.stdout));
      expect(eventsOf(bench)).toEqual(before);
      expect(bench.proxy.posts()).toHaveLength(2);
    },
  );

  it('the stored outcome of a key is shown in quiet hours too', async () => {
    await using bench = await openBench();
    expect((await bench.pay('k-1', 1_050)).code).toBe(0);
    expect((await bench.run(['policy', 'set', '--quiet-hours', quietNow()])).code).toBe(0);
    const { code, screen } = await converse(['withdraw', '-k', 'k-1'], eager, bench);
    expect(code, screen).toBe(0);
    expect(screen).toContain('Nothing was sent in this run.');
  });

  it('a ledger that was removed since ends both withdraw and batch', async () => {
    await using bench = await openBench();
    expect((await bench.pay('k-1', 1_060)).code).toBe(0);
    rmSync(join(bench.home, 'state'), { recursive: true });
    const file = join(bench.home, 'march.csv');
    writeFileSync(file, 'idempotency_key,amount,pix_key,pix_key_type\nk-2,1070,maria@example.com,EMAIL\n');
    for (const args of [['withdraw'], ['withdrawal', 'batch', file]]) {
      const { code, screen } = await converse(args, [...eager, ['Type the count', '1\r']], bench);
      expect(code, screen).toBe(78);
      expect(screen).toContain('The ledger that was used before was not found');
      expect(screen).not.toMatch(questions);
    }
    expect(bench.proxy.posts()).toHaveLength(1);
  });

  it('a batch without an API key ends unasked, but for lines that are all paid', async () => {
    await using bench = await openBench();
    const head = 'idempotency_key,amount,pix_key,pix_key_type\n';
    const paid = join(bench.home, 'paid.csv');
    const open = join(bench.home, 'open.csv');
    writeFileSync(paid, `${head}k-1,1060,maria@example.com,EMAIL\n`);
    writeFileSync(open, `${head}k-1,1060,maria@example.com,EMAIL\nk-2,1070,maria@example.com,EMAIL\n`);
    expect((await bench.run(['withdrawal', 'batch', paid, '--yes'])).code).toBe(0);
    const env = withoutKey(bench);
    const count: Answers = [['Type the count to confirm:', '1\r']];
    const again = await converse(['withdrawal', 'batch', paid], count, { home: bench.home, env });
    expect(again.code, again.screen).toBe(0);
    const refused = await converse(['withdrawal', 'batch', open], [], { home: bench.home, env });
    expect(refused.code, refused.screen).toBe(77);
    expect(refused.screen).not.toMatch(questions);
    expect(bench.proxy.posts()).toHaveLength(1);
  });

  it('shows the stored outcome of a key without an API key, as a run without questions does', async () => {
    await using bench = await openBench();
    expect((await bench.pay('k-1', 1_050)).code).toBe(0);
    const { code, screen } = await converse([...whole, '-k', 'k-1'], [['Send it?', 'y\r']], {
      home: bench.home,
      env: withoutKey(bench),
    });
    expect(code, screen).toBe(0);
    expect(screen).toContain('was accepted. Nothing was sent in this run.');
    expect(bench.proxy.posts()).toHaveLength(1);
  });

  it.each<[string, 'before' | 'after', number, number, RegExp]>([
    ['never came to the service', 'before', 84, 1, /an earlier withdrawal \(key k-1, R\$.10,50\) is unknown/],
    ['is found in the list once all is answered', 'after', 0, 2, /was accepted|is completed/],
  ])(
    'reports an earlier withdrawal of unknown outcome, which %s',
    async (_title, when, ends, posts, told) => {
      await using bench = await openBench();
      expect(await leaveUnknown(bench, when)).toBe(81);
      const { code, screen } = await converse(['withdraw'], eager, bench);
      expect(code, screen).toBe(ends);
      const [before = '', ...after] = screen.split('To which PIX key');
      expect(before).toMatch(
        /The outcome of the withdrawal with the key k-1 \(R\$.10,50\) is unknown: its answer was lost \(sent \d{4}-\d\d-\d\d \d\d:\d\d:\d\d -03:00\)/,
      );
      expect(after.join()).toMatch(told);
      expect(bench.proxy.posts()).toHaveLength(posts);
    },
  );

  it.each<[string, string, RegExp, number]>([
    ['its own outcome is looked for', 'k-1', /Send it\?/, 81],
    ['another one changes nothing of it', 'k-2', /^(?!.*Send it\?)/s, 87],
  ])(
    'a whole order against the policy, while an outcome is unknown: %s',
    async (_title, key, asked, ends) => {
      await using bench = await openBench();
      expect(await leaveUnknown(bench, 'before')).toBe(81);
      expect((await bench.run(['policy', 'set', '--max-withdrawal', '5,00'])).code).toBe(0);
      bench.proxy.intercept = ({ method }) => (method === 'POST' ? { kind: 'reset', when: 'before' } : null);
      const { code, screen } = await converse([...whole, '-k', key], [['Send it?', 'y\r']], bench);
      expect(code, screen).toBe(ends);
      expect(screen).toMatch(asked);
      expect(bench.proxy.posts()).toHaveLength(1);
    },
  );

  it('asks nobody for an order whose outcome at another address is unknown, alone or in a file', async () => {
    await using bench = await openBench();
    expect(await leaveUnknown(bench, 'before')).toBe(81);
    const second = await startChaosProxy(bench.sandbox.url, undefined, bench.sandbox.apiKey);
    const env = { ...bench.env, PIXCTL_BASE_URL: second.url, PIXCTL_API_KEY: 'svc_live_made_up' };
    const file = join(bench.home, 'march.csv');
    writeFileSync(
      file,
      'idempotency_key,amount,pix_key,pix_key_type\nk-2,1070,maria@example.com,EMAIL\nk-1,1050,maria@example.com,EMAIL\n',
    );
    for (const args of [
      [...whole, '-k', 'k-1'],
      ['withdrawal', 'batch', file],
    ]) {
      const answers: Answers = [
        ['Send it?', 'n\r'],
        ['Type the count', 'n\r'],
      ];
      const { code, screen } = await converse(args, answers, { home: bench.home, env });
      expect(code, screen).toBe(78);
      expect(screen).not.toMatch(questions);
    }
    await second.close();
  });

  it('that look records nothing and asks the service nothing', async () => {
    await using bench = await openBench();
    expect(await leaveUnknown(bench, 'after')).toBe(81);
    const [before, asked] = [eventsOf(bench), bench.proxy.seen.length];
    const left: Answers = [['To which PIX key', '\u0003']];
    const { code, screen } = await converse(['withdraw', '-k', 'k-1'], left, bench);
    expect(code).toBe(130);
    expect(screen).toContain('with the key k-1');
    expect(eventsOf(bench)).toEqual(before);
    expect(bench.proxy.seen).toHaveLength(asked);
  });

  it('reports a withdrawal that another process is sending, and nothing once that has ended', async () => {
    await using bench = await openBench();
    const { arrived, release } = bench.holdAnswer();
    const other = bench.start(payArgs('k-1', 1_050));
    const ended = new Promise((resolve) => other.once('close', resolve));
    await arrived;
    const left: Answers = [['To which PIX key', '\u0003']];
    const during = await converse(['withdraw'], left, bench);
    release();
    expect(await ended).toBe(0);
    expect(during.screen).toMatch(
      /The withdrawal with the key k-1 \(R\$.10,50\) is being sent by another process/,
    );
    const after = await converse(['withdraw'], left, bench);
    expect(after.code).toBe(130);
    expect(after.screen).not.toContain('k-1');
  });

  it('left at the first question has made no ledger', async () => {
    await using bench = await openBench();
    const { code } = await converse(['withdraw'], [['To which PIX key', '\u0003']], bench);
    expect(code).toBe(130);
    expect(existsSync(join(bench.home, 'state', 'ledger.sqlite'))).toBe(false);
    expect(existsSync(join(bench.home, 'config', 'config.json'))).toBe(false);
  });

  it('judges the ledger again once all is answered', async () => {
    await using bench = await openBench();
    expect((await bench.pay('k-1', 1_060)).code).toBe(0);
    const { code, screen } = await converse(
      ['withdraw'],
      [
        ['To which PIX key', 'maria@example.com\r'],
        ['Amount', '10,50\r'],
        [
          'Send it?',
          (terminal) => {
            rmSync(join(bench.home, 'state'), { recursive: true });
            terminal.write('y\r');
          },
        ],
      ],
      bench,
    );
    expect(code, screen).toBe(78);
    expect(bench.proxy.posts()).toHaveLength(1);
  });
});
