/** A run that cannot look up what an earlier one did says of itself alone that nothing was sent. */
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { type Bench, openHurriedBench as openBench, payArgs } from '../../support/withdrawal-bench.ts';

const dropLedger = ({ home }: Bench) => {
  for (const name of readdirSync(join(home, 'state')))
    if (name.startsWith('ledger')) rmSync(join(home, 'state', name));
};

const damagePolicy = ({ home }: Bench) => {
  const path = join(home, 'config', 'config.json');
  const stored = JSON.parse(readFileSync(path, 'utf8'));
  writeFileSync(path, JSON.stringify({ ...stored, settings: { ...stored.settings, policy: 'none' } }));
};

const loseAnswers = ({ proxy }: Bench) => {
  proxy.intercept = ({ method }) => (method === 'POST' ? { kind: 'reset', when: 'after' } : null);
};

const ofThisRun = /nothing was sent in this run/i;
const ofEveryRun = /nothing was sent(?! in this run)/i;

const pay = payArgs('k-1', 1_050);
const looks = [
  pay,
  [...pay, '--dry-run'],
  ['withdrawal', 'status', 'k-1'],
  ['withdrawal', 'reconcile', 'k-1'],
];
const resolve = ['withdrawal', 'resolve', 'k-1', '--not-sent', '--yes'];

it.concurrent.each<[string, number, (bench: Bench) => void, readonly string[][]]>([
  ['the ledger is gone', 78, dropLedger, [...looks, resolve]],
  [
    'the ledger is damaged',
    74,
    ({ home }) => writeFileSync(join(home, 'state', 'ledger.sqlite'), 'not a database'.repeat(999)),
    [...looks, resolve],
  ],
  ['the policy cannot be read', 78, damagePolicy, [pay]],
  [
    'the settings cannot be read',
    78,
    ({ home }) => writeFileSync(join(home, 'config', 'config.json'), '{'),
    [...looks, resolve],
  ],
])('of a withdrawal whose outcome is unknown, where %s', async (_what, exit, damage, lines) => {
  await using bench = await openBench({ withdrawals: 'manual' });
  loseAnswers(bench);
  // Nobody can read the list either, so that it stays unknown.
  const { intercept } = bench.proxy;
  bench.proxy.intercept = (seen) =>
    bench.proxy.posts().length > 0 && seen.method === 'GET'
      ? { kind: 'status', status: 503, when: 'before' }
      : intercept(seen);
  expect((await bench.run(pay)).code).toBe(81);
  damage(bench);
  for (const line of lines) {
    const { code, stderr } = await bench.run(line);
    expect([line[1], code]).toEqual([line[1], exit]);
    expect(stderr).toMatch(ofThisRun);
    expect(stderr).not.toMatch(ofEveryRun);
  }
  expect(bench.proxy.posts()).toHaveLength(1);
});

it.concurrent('of a charge whose answer was lost, where the ledger is gone', async () => {
  await using bench = await openBench();
  loseAnswers(bench);
  const create = ['charge', 'create', '--amount', '1050', '--idempotency-key', 'c-1', '--no-qr'];
  expect((await bench.run(create)).code).toBe(81);
  dropLedger(bench);
  for (const line of [create, ['charge', 'resolve', 'c-1']]) {
    const { code, stderr } = await bench.run(line);
    expect(code).toBe(78);
    expect(stderr).toMatch(ofThisRun);
  }
  expect(bench.proxy.posts()).toHaveLength(1);
});

it.concurrent('a batch whose ledger goes away after its first line says what was paid, and of which line nothing was sent', async () => {
  await using bench = await openBench();
  const path = join(bench.home, 'march.csv');
  const line = (n: number) => `k-${n},${n}000,maria@example.com,EMAIL`;
  writeFileSync(path, ['idempotency_key,amount,pix_key,pix_key_type', line(1), line(2), line(3)].join('\n'));
  bench.proxy.intercept = ({ method, path: asked }) => {
    // The first line is completed: this is the list of the second one.
    if (method === 'GET' && asked.startsWith('/withdrawals?') && bench.proxy.posts().length === 1)
      dropLedger(bench);
    return null;
  };
  const { code, stderr, stdout } = await bench.run(['withdrawal', 'batch', path, '--yes', '--json']);
  expect(code).toBe(74);
  const words = 'nothing was sent for this line in this run';
  expect(JSON.parse(stderr.trim().split('\n').at(-1) ?? '').error.message).toMatch(
    new RegExp(
      `^1 of 3 withdrawals completed \\(R\\$ 10,00\\), 1 not reached\\. Line 3 \\(k-2\\): .*${words}`,
    ),
  );
  expect(stderr).not.toMatch(/nothing was sent(?! for this line)/i);
  expect(JSON.parse(stdout)).toMatchObject({ exitCode: 74, states: { COMPLETED: 1 } });
  const rows = readFileSync(join(bench.home, 'march.result.csv'), 'utf8').trim().split('\n');
  expect(rows[1]).toMatch(/^k-1,COMPLETED,wd_\w+,,1000,2$/);
  expect(rows[2]).toMatch(new RegExp(`^k-2,PLANNED,,.*\\(exit 74\\).*${words}`));
  expect((await bench.listed()).map(({ amount }) => amount)).toEqual([1000]);
});
