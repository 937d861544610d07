/** `withdraw` and the verbs around it, run as users run them. */
import { once } from 'node:events';
import { describe, expect, it } from 'vitest';
import { noSignals, skipped } from '../../../support/platform.ts';
import { openHurriedBench as openBench, payArgs, printed } from '../../../support/withdrawal-bench.ts';

const payByHand = ({ url, apiKey }: { url: string; apiKey: string }) =>
  fetch(`${url}/withdrawals`, {
    method: 'POST',
    headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' },
    body: JSON.stringify({ amount: 1_050, pixKey: 'maria@example.com', pixKeyType: 'EMAIL' }),
  });

describe('withdraw', () => {
  it('prints the pinned JSON, the same again for the same key, and its history with status', async () => {
    await using bench = await openBench({ withdrawals: 'manual' });
    const first = await bench.pay('k-1', 1_050);
    const [listed] = await bench.listed();
    expect(first.code).toBe(0);
    expect(printed(first)).toMatchObject({
      idempotencyKey: 'k-1',
      state: 'ACCEPTED',
      withdrawal: { id: listed?.id, amount: 1_050, status: 'PENDING', pixKey: 'maria@example.com' },
      amount: 1_050,
      fee: 100,
      moneyMoved: 'on-its-way',
      replayed: false,
    });
    expect(first.stderr).toContain('Withdraw R$ 10,50 to m***@example.com (EMAIL)');
    expect(first.stderr).toContain('Money is on its way.');
    const again = await bench.pay('k-1', 1_050);
    expect(printed(again)).toEqual({ ...printed(first), replayed: true });
    const status = await bench.run(['withdrawal', 'status', 'k-1', '-o', 'json']);
    expect(status.code).toBe(0);
    const { events, ...rest } = printed(status) as { events: { what: string; state: string }[] };
    expect(rest).toMatchObject({ idempotencyKey: 'k-1', state: 'ACCEPTED' });
    expect(events.map(({ what, state }) => `${what} ${state}`)).toEqual([
      'planned PLANNED',
      'sending SENDING',
      'departing SENDING',
      'answered ACCEPTED',
    ]);
    expect(bench.proxy.posts()).toHaveLength(1);
  });

  it('that a sandbox has no money for says how to give it some', async () => {
    await using bench = await openBench({ merchant: { available: 0 } });
    const { code, stderr } = await bench.pay('k-1', 1_050);
    expect(code).toBe(80);
    expect(stderr).toContain(
      'In a sandbox, give the merchant money to pay out: pixctl sandbox merchant set --available 1000,00. Once the cause is fixed, the same withdraw command may be run again with the same key.',
    );
    expect((await bench.pay('k-3', 123_450)).stderr).toContain('merchant set --available 10000,00. ');
    bench.sandbox.setMerchant({ available: 2_000, withdrawalsEnabled: false });
    const blocked = await bench.pay('k-2', 1_050);
    expect(blocked.code).toBe(77);
    expect(blocked.stderr).not.toContain('--available');
  });

  it.each([
    ['the setting', [], 12_000],
    ['the flag above the setting', ['--timeout', '20s'], 20_000],
    ['30 s at most, where the flag bounds a wait', ['--timeout', '10m'], 30_000],
  ])('limits its request by %s', async (_, more, timeoutMs) => {
    await using bench = await openBench();
    expect((await bench.run(['config', 'set', 'timeout', '12s'])).code).toBe(0);
    expect((await bench.pay('k-1', 1_050, ...more)).code).toBe(0);
    const { events } = printed(await bench.run(['withdrawal', 'status', 'k-1', '-o', 'json'])) as {
      events: { what: string; details: object }[];
    };
    expect(events.find(({ what }) => what === 'sending')?.details).toMatchObject({ timeoutMs });
  });

  it('with --wait ends with 0 when completed, 83 when failed, 82 when the wait ran out', async () => {
    await using bench = await openBench();
    const done = await bench.pay('k-1', 1_050, '--wait');
    expect(done.code).toBe(0);
    expect(printed(done)).toMatchObject({ state: 'COMPLETED', moneyMoved: 'yes' });

    await using manual = await openBench({ withdrawals: 'manual' });
    const pending = await manual.pay('k-1', 1_050, '--wait', '--timeout', '4s');
    expect(pending.code).toBe(82);
    const { withdrawal } = printed(pending) as { withdrawal: { id: string } };
    manual.sandbox.failWithdrawal(withdrawal.id, 'key closed');
    const rerun = await manual.pay('k-1', 1_050);
    expect(rerun.code).toBe(83);
    expect(printed(rerun)).toMatchObject({ state: 'FAILED', moneyMoved: 'no', replayed: true });
    const failed = await manual.pay('k-1', 1_050, '--wait');
    expect(failed.code).toBe(83);
    expect(failed.stderr).toContain('No money moved in the end.');
    expect(failed.stderr).toContain('key closed');
    expect((await manual.run(['withdrawal', 'wait', withdrawal.id])).code).toBe(83);
    expect(manual.proxy.posts()).toHaveLength(1);
  });

  it.skipIf(noSignals !== null)(
    skipped(
      'stopped in the middle of a look, a wait says where the money is, as one that is stopped between two',
      noSignals,
    ),
    async () => {
      await using bench = await openBench({ withdrawals: 'manual' });
      const { withdrawal } = printed(await bench.pay('k-1', 1_050)) as { withdrawal: { id: string } };
      let looks = 0;
      bench.proxy.intercept = () => {
        if (++looks < 2) return null;
        child.kill('SIGTERM');
        return { kind: 'hang', when: 'before' };
      };
      const child = bench.start(['withdrawal', 'wait', withdrawal.id, '-o', 'json']);
      let stderr = '';
      child.stderr.on('data', (text) => {
        stderr += text;
      });
      const [code] = (await once(child, 'close')) as [number | null];
      expect(code).toBe(82);
      expect(stderr).toContain('is still PENDING and the wait was interrupted');
    },
  );

  it.each<[string, string[], number, string]>([
    [
      'no key and no --yes',
      ['--amount', '1050', '--to', 'maria@example.com'],
      64,
      '--idempotency-key, --yes',
    ],
    ['a bad amount, before it says what is missing', ['--amount', '12,5'], 64, '"12,5" could mean R$ 12,50'],
    [
      'a bad key, before it says what is missing',
      ['--to', 'maria@'],
      64,
      'no saved destination has this name',
    ],
    [
      'an unknown type, before it says what is missing',
      ['--type', 'PHONE'],
      64,
      '--type takes one of CPF, CNPJ, EMAIL, TELEFONE, CHAVE_ALEATORIA, not "PHONE"',
    ],
    [
      'two readings of the amount',
      payArgs('k', 1)
        .map((word) => (word === '1' ? '10.5' : word))
        .slice(1),
      64,
      'could mean',
    ],
    [
      'an amount below the minimum',
      payArgs('k', 49).slice(1),
      64,
      'R$ 0,49 is below the minimum of R$ 0,50: a whole number is cents; for R$ 49,00 write 49,00',
    ],
    [
      'a --max-amount below the minimum',
      payArgs('k', 1_050, '--max-amount', '10').slice(1),
      64,
      '--max-amount: R$ 0,10 is below the minimum of R$ 0,50: a whole number is cents; for R$ 10,00',
    ],
    [
      'a CPF with wrong check digits',
      payArgs('k', 1_050)
        .map((word) => (word.includes('@') ? '12345678900' : word))
        .slice(1),
      64,
      'Look for a mistyped digit.',
    ],
    [
      'a name that is saved nowhere',
      payArgs('k', 1_050)
        .map((word) => (word.includes('@') ? 'rent' : word))
        .slice(1),
      64,
      'no saved destination',
    ],
    ['a bad idempotency key', payArgs('março', 1_050).slice(1), 64, 'printable ASCII'],
    [
      'more than --max-amount',
      payArgs('k', 1_050, '--max-amount', '10,00').slice(1),
      87,
      'R$ 10,50 is more than --max-amount R$ 10,00',
    ],
    [
      '--amount twice as a flag that is unknown',
      payArgs('k', 1_050, '--ammount', '2').slice(1),
      64,
      'ammount',
    ],
  ])('refuses %s and asks the service nothing', async (_, args, code, words) => {
    await using bench = await openBench();
    const finished = await bench.run(['withdraw', ...args]);
    expect(finished.code).toBe(code);
    expect(finished.stderr).toContain(words);
    expect(finished.stderr).toMatch(/nothing was sent/i);
    expect(bench.proxy.seen).toHaveLength(0);
  });

  it('pays what is exactly --max-amount', async () => {
    await using bench = await openBench();
    expect((await bench.pay('k-1', 1_050, '--max-amount', '10,50')).code).toBe(0);
    expect(await bench.listed()).toMatchObject([{ amount: 1_050 }]);
  });

  it('--dry-run says what a run would do and leaves no trace', async () => {
    await using bench = await openBench({ withdrawals: 'manual' });
    const rehearsed = await bench.run([
      'withdraw',
      '--amount',
      '1050',
      '--to',
      'maria@example.com',
      '--dry-run',
      '--json',
    ]);
    expect(rehearsed.code).toBe(0);
    expect(printed(rehearsed)).toMatchObject({ state: 'NOT_SENT', code: 'WOULD_SEND', withdrawal: null });
    expect(rehearsed.stderr).toContain(
      'A run without --dry-run, with --idempotency-key <key> and --yes, would send this withdrawal now.',
    );
    const keyed = await bench.run([...payArgs('k-0', 1_050), '--dry-run']);
    expect(keyed.stderr).toContain('A run without --dry-run would send this withdrawal now.');
    expect(bench.proxy.posts()).toHaveLength(0);
    expect((await bench.pay('k-1', 2_000)).code).toBe(0);
    const busy = await bench.pay('k-2', 1_050, '--dry-run');
    expect(busy.code).toBe(75);
    expect((await bench.run(['withdrawal', 'status', 'k-2'])).code).toBe(88);
    expect(bench.proxy.posts()).toHaveLength(1);
  });

  it('--if-busy wait gives up when --timeout is over', async () => {
    await using bench = await openBench({ withdrawals: 'manual' });
    expect((await bench.pay('k-1', 1_050)).code).toBe(0);
    const busy = await bench.pay('k-2', 1_060, '--if-busy', 'wait', '--timeout', '2s');
    expect(busy.code).toBe(75);
    expect(printed(busy)).toMatchObject({ code: 'BUSY', moneyMoved: 'no' });
    expect(busy.stderr).not.toContain('--if-busy wait');
    expect(bench.proxy.posts()).toHaveLength(1);
  });

  it('distinguishes a refusal, a possible duplicate and a reused key', async () => {
    await using bench = await openBench();
    bench.sandbox.setMerchant({ withdrawalsEnabled: false });
    expect((await bench.pay('k-1', 1_050)).code).toBe(77);
    bench.sandbox.setMerchant({ withdrawalsEnabled: true, withdrawalLimit: 1_000 });
    const wait = /The same amount to the same PIX key was refused a moment ago: in \d s /;
    let refused = await bench.pay('k-1', 1_050);
    // Only a run within four seconds waits, and a busy machine may take longer to start the next one.
    for (let tries = 0; tries < 10 && !wait.test(refused.stderr); tries++)
      refused = await bench.pay('k-1', 1_050);
    expect(refused.stderr).toMatch(wait);
    expect(refused.code).toBe(80);
    expect(refused.stderr).toContain('No money moved.');
    bench.sandbox.setMerchant({ withdrawalLimit: 1_000_000 });
    await payByHand(bench.sandbox);
    const twin = await bench.pay('k-2', 1_050);
    expect(twin.code).toBe(86);
    expect(printed(twin)).toMatchObject({ candidates: [{ amount: 1_050 }], moneyMoved: 'maybe' });
    const audit = await bench.run(['withdrawal', 'audit', '--json']);
    expect(audit.code).toBe(86);
    expect(JSON.parse(audit.stdout)).toMatchObject([{ code: 'UNCLAIMED', amount: 1_050 }]);
    expect((await bench.pay('k-2', 1_050, '--allow-duplicate')).code).toBe(0);
    const reused = await bench.pay('k-2', 1_060);
    expect(reused.code).toBe(85);
    expect(printed(reused)).toMatchObject({ code: 'KEY_REUSED', moneyMoved: 'no' });
    expect(await bench.listed()).toHaveLength(2);
  });

  it('whose key begins with a dash is told lines that can be run as they are', async () => {
    await using bench = await openBench();
    await payByHand(bench.sandbox);
    // A script's "$NAME-2026-03" without the name.
    const held = await bench.pay('-2026-03', 1_050);
    expect(held.code).toBe(86);
    const [hinted = ''] = /pixctl withdrawal resolve .*-2026-03/.exec(held.stderr) ?? [];
    expect((await bench.run(['--yes', ...hinted.split(' ').slice(1)])).code).toBe(0);
    expect((await bench.pay('-2026-03', 1_050)).code).toBe(0);
    expect(await bench.listed()).toHaveLength(1);
  });

  it('is told what was paid by hand instead, and sends nothing then', async () => {
    await using bench = await openBench();
    await payByHand(bench.sandbox);
    const held = await bench.pay('rent', 1_050);
    expect(held.code).toBe(86);
    const [hinted] = /pixctl withdrawal resolve rent --withdrawal \w+/.exec(held.stderr) ?? [''];
    const resolve = [...hinted.split(' ').slice(1), '--yes'];
    expect((await bench.run(resolve.with(2, 'rnet'))).code).toBe(88);
    expect((await bench.run(resolve)).code).toBe(0);
    const again = await bench.pay('rent', 1_050);
    expect([again.code, printed(again)]).toMatchObject([0, { replayed: true }]);
    expect(await bench.listed()).toHaveLength(1);
  });
});

describe('a key that was used for another order (85)', () => {
  it('is not followed to the end of that order by --wait', async () => {
    await using bench = await openBench();
    const pay = (amount: string, key: string, ...flags: string[]) =>
      bench.run(['withdraw', '--amount', amount, '--to', 'bea@example.com', '-k', key, '--yes', ...flags]);
    expect((await pay('1050', 'k-1')).code).toBe(0);
    const reused = await pay('2000', 'k-1', '--wait', '--json');
    expect(reused.code).toBe(85);
    expect(printed(reused)).toMatchObject({ code: 'KEY_REUSED', moneyMoved: 'no', exitCode: 85 });
    expect(reused.stderr).toContain('was used before for another withdrawal (R$ 10,50 to b***@example.com)');
    const charge = ['charge', 'create', '--amount', '1050', '--no-qr', '--idempotency-key', 'c-1'];
    expect((await bench.run(charge)).code).toBe(0);
    expect((await pay('1050', 'c-1', '--wait', '--timeout', '1s')).code).toBe(85);
    expect(await bench.listed()).toHaveLength(1);
  });

  it('says which kind has the key, and advises nothing that could not help', async () => {
    await using bench = await openBench();
    const create = ['charge', 'create', '--amount', '1050', '--no-qr', '--idempotency-key'];
    expect((await bench.run([...create, 'c-1'])).code).toBe(0);
    const paid = await bench.pay('c-1', 1_050);
    expect(paid.code).toBe(85);
    expect(paid.stderr).toContain('was used before for a charge (R$ 10,50)');
    expect(paid.stderr).toContain('share the keys of one ledger: use a new key.');
    expect((await bench.pay('k-1', 1_050)).code).toBe(0);
    const created = await bench.run([...create, 'k-1']);
    expect(created.code).toBe(85);
    expect(created.stderr).toContain('The idempotency key k-1 belongs to a withdrawal of R$ 10,50.');
  });

  it('shows people whose state it is, beside what this run did; machines as before', async () => {
    await using bench = await openBench();
    await bench.pay('k-1', 1_050, '--wait');
    const order = ['withdraw', '--amount', '2000', '--to', 'bea@example.com', '-k', 'k-1', '--yes'];
    const { code, stdout } = await bench.run(order);
    expect(code).toBe(85);
    const [listed] = await bench.listed();
    expect(stdout.trimEnd().split('\n')).toEqual([
      'Idempotency key\tk-1',
      'Earlier state\tCOMPLETED',
      'Earlier amount\t1050',
      'Earlier fee\t100',
      'Earlier PIX key\tmaria@example.com',
      'Earlier type\tEMAIL',
      `Earlier withdrawal\t${listed?.id} COMPLETED`,
      'Money moved in this run\tno',
      'Outcome\tKEY_REUSED',
      'Exit code\t85',
    ]);
    const machine = printed(await bench.run([...order, '--json']));
    expect(machine).toMatchObject({ state: 'COMPLETED', amount: 1_050, moneyMoved: 'no', exitCode: 85 });
    const fields = ['--fields', 'state,moneyMoved', '-o', 'csv'];
    expect((await bench.run([...order, ...fields])).stdout).toBe('state,moneyMoved\nCOMPLETED,no\n');
  });
});

describe('destinations and the policy', () => {
  it('pay a saved name, and only saved ones where the policy says so', async () => {
    await using bench = await openBench();
    const add = ['destination', 'add', 'rent', '--key', 'Owner@Example.com'];
    expect((await bench.run(add)).code).toBe(0);
    expect((await bench.run(['policy', 'set', '--saved-only', 'true', '--max-day', '15,00'])).code).toBe(0);
    const stranger = await bench.pay('k-1', 1_050);
    expect(stranger.code).toBe(87);
    expect(stranger.stderr).toContain('No money moved.');
    const toRent = payArgs('k-1', 1_050).map((word) => (word.includes('@') ? 'rent' : word));
    const mistyped = await bench.run([...toRent, '--type', 'CPF']);
    expect(mistyped.code).toBe(64);
    expect(mistyped.stderr).toContain('is a EMAIL, not a CPF. Nothing was sent.');
    expect((await bench.run(toRent)).code).toBe(0);
    expect((await bench.listed()).map(({ pixKey }) => pixKey)).toEqual(['owner@example.com']);
    const second = await bench.run(payArgs('k-2', 451).map((word) => (word.includes('@') ? 'rent' : word)));
    expect(second.code).toBe(87);
    expect(JSON.parse((await bench.run(['destination', 'list', '--json'])).stdout)).toEqual([
      { name: 'rent', pixKey: 'owner@example.com', pixKeyType: 'EMAIL' },
    ]);
    const replaced = await bench.run(['destination', 'add', 'rent', '--key', 'thief@example.com']);
    expect(replaced.code).toBe(64);
    expect(replaced.stderr).toContain(
      '"rent" is o***@example.com now. Replace it with t***@example.com (EMAIL)?',
    );
    // Masked, the two would look the same.
    const alike = await bench.run(['destination', 'add', 'rent', '--key', 'other@example.com']);
    expect(alike.stderr).toContain(
      '"rent" is owner@example.com now. Replace it with other@example.com (EMAIL)?',
    );
    expect((await bench.run(['destination', 'remove', 'rent', '--yes'])).code).toBe(0);
    expect(JSON.parse((await bench.run(['policy', 'show', '--json'])).stdout)).toMatchObject({
      savedDestinationsOnly: true,
      maxPerDay: 1_500,
    });
  });
});

describe('withdrawal list', () => {
  it('filters, and says when there is more', async () => {
    await using bench = await openBench();
    for (const n of [0, 1, 2]) await bench.pay(`k-${n}`, 1_000 + n, '--wait');
    const listed = async (...flags: string[]) => {
      const { stdout } = await bench.run(['withdrawal', 'list', '--json', ...flags]);
      return (JSON.parse(stdout) as { amount: number }[]).map(({ amount }) => amount).sort();
    };
    expect(await listed('--all')).toEqual([1_000, 1_001, 1_002]);
    expect(await listed('--min-amount', '10,01', '--max-amount', '1001')).toEqual([1_001]);
    expect(await listed('--status', 'failed,pending')).toEqual([]);
    expect(await listed('--since', '1h', '--limit', '2')).toHaveLength(2);
    expect((await bench.run(['withdrawal', 'list', '--status', 'PAYED'])).code).toBe(64);
  });
});
