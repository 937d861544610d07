/** SIGKILL at random moments under load, then a start on the same state file: nothing lost, nothing twice. */
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import type { Charge } from '../../src/contract/charge.ts';
import type { Withdrawal } from '../../src/contract/withdrawal.ts';
import { type Receiver, startReceiver } from '../support/receiver.ts';
import { type SandboxProcess, sandboxProcess } from './support/sandbox-process.ts';

const kills = 15;
const events = ['CHARGE_PAID', 'REFUND_COMPLETED', 'WITHDRAWAL_COMPLETED', 'WITHDRAWAL_FAILED'];
const fee = 100;

// Twelve seconds of both processors, which a machine that does ten other things gives in two minutes.
const patienceMs = 300_000;

it(`loses no event, no cent and no retry when it is killed ${kills} times under load`, {
  timeout: patienceMs,
}, async () => {
  await using hook = await startReceiver();
  let asked = 0;
  hook.otherwise = (_, response) => {
    asked += 1;
    response.writeHead(asked % 7 === 0 ? 503 : 200).end();
  };
  const state = join(mkdtempSync(join(tmpdir(), 'pixctl-killed-')), 'state.db');
  const known = new Set<string>();

  for (let life = 0; life < kills; life += 1) {
    const sandbox = await sandboxProcess(state);
    if (life === 0) await sandbox.call('POST', '/webhooks', { url: hook.url, events });
    await useUntilKilled(sandbox, 10 + Math.floor(Math.random() * 150), known);
  }

  const sandbox = await sandboxProcess(state);
  const { data: advanced } = await sandbox.call('POST', '/__sandbox/clock/advance', { ms: 600_000 });
  expect(advanced).toMatchObject({ settled: true });
  await judge(sandbox, hook, known);
  await sandbox.kill();
});

/** Several clients at once; after `calls` answers the process is killed, wherever it is. */
async function useUntilKilled(sandbox: SandboxProcess, calls: number, known: Set<string>): Promise<void> {
  let left = calls;
  let end: Promise<void> | undefined;
  const call = async <T>(method: string, path: string, body?: unknown): Promise<T> => {
    const { data } = await sandbox.call<T>(method, path, body);
    left -= 1;
    if (left <= 0) end ??= sandbox.kill();
    return data;
  };
  const customer = async () => {
    for (let count = 0; ; count += 1) {
      const { id } = await call<Charge>('POST', '/transparents/create', {
        method: 'PIX',
        amount: 1_000 + count,
      });
      await call('POST', `/__sandbox/charges/${id}/pay`);
      known.add(id);
      if (count % 3 === 0) await call('POST', `/transparents/refund?id=${id}`);
    }
  };
  const withdrawing = async () => {
    for (;;) {
      const body = { amount: 500, pixKey: 'a@b.co', pixKeyType: 'EMAIL' };
      const made = await call<Withdrawal | undefined>('POST', '/withdrawals', body);
      if (made?.id && left % 2 === 0)
        await call('POST', `/__sandbox/withdrawals/${made.id}/fail`, { reason: 'x' });
    }
  };
  const time = async () => {
    for (;;) await call('POST', '/__sandbox/clock/advance', { ms: 700 });
  };
  await Promise.allSettled([customer(), customer(), customer(), withdrawing(), time()]);
  await end;
}

async function judge(sandbox: SandboxProcess, hook: Receiver, known: ReadonlySet<string>): Promise<void> {
  const charges = await all<Charge>(sandbox, '/transparents/list');
  const withdrawals = await all<Withdrawal>(sandbox, '/withdrawals');
  const told = new Map<string, Set<string>>();
  const timesSent = new Map<string, number>();
  for (const { body } of hook.received) {
    const { id, event, data } = JSON.parse(body);
    timesSent.set(id, (timesSent.get(id) ?? 0) + 1);
    told.set(event, (told.get(event) ?? new Set()).add(data.id));
  }
  const idsOf = (records: readonly { id?: string | undefined; status: string }[], ...statuses: string[]) =>
    records
      .filter(({ status }) => statuses.includes(status))
      .map(({ id }) => id ?? '')
      .toSorted();
  const toldOf = (event: string) => [...(told.get(event) ?? [])].toSorted();

  // What was answered is kept, and what is kept was told: exactly that, and at most three times.
  const paid = idsOf(charges, 'PAID', 'REFUNDED');
  expect(paid).toEqual(expect.arrayContaining([...known]));
  expect(paid.length).toBeGreaterThan(kills);
  expect(toldOf('CHARGE_PAID')).toEqual(paid);
  expect(toldOf('REFUND_COMPLETED')).toEqual(idsOf(charges, 'REFUNDED'));
  expect(toldOf('WITHDRAWAL_COMPLETED')).toEqual(idsOf(withdrawals, 'COMPLETED'));
  expect(toldOf('WITHDRAWAL_FAILED')).toEqual(idsOf(withdrawals, 'FAILED'));
  expect(withdrawals.length).toBeGreaterThan(0);
  expect(idsOf(withdrawals, 'PENDING', 'PROCESSING')).toEqual([]);
  expect(Math.max(...timesSent.values())).toBeLessThanOrEqual(3);

  const sum = (records: readonly { amount: number }[]) => records.reduce((total, it) => total + it.amount, 0);
  const completed = withdrawals.filter(({ status }) => status === 'COMPLETED');
  const { data: merchants } = await sandbox.call<{ balance: { available: number; pending: number } }[]>(
    'GET',
    '/__sandbox/merchants',
  );
  const open = charges.filter(({ status }) => status === 'PAID');
  expect(merchants[0]?.balance).toEqual({
    available: sum(open) - sum(completed) - completed.length * fee,
    pending: 0,
  });
  const { data: undecided } = await sandbox.call<unknown[]>('GET', '/__sandbox/deliveries?state=PENDING');
  expect(undecided).toEqual([]);
}

async function all<T>(sandbox: SandboxProcess, path: string): Promise<T[]> {
  const items: T[] = [];
  for (let after = ''; ; ) {
    const { data, next } = await sandbox.call<T[]>('GET', `${path}?limit=100${after}`);
    items.push(...data);
    if (next === null) return items;
    after = `&after=${next}`;
  }
}
