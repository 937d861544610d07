/** `withdrawal wait`, its pauses counted instead of waited for. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { systemClock } from '../../../../src/clock.ts';
import { get } from '../../../../src/commands/withdrawal/service/get.ts';
import { wait } from '../../../../src/commands/withdrawal/service/wait.ts';
import { type Sandbox, startSandbox } from '../../../../src/sandbox/index.ts';
import { clientOf } from '../../../api/client-of.ts';
import { hostileServer, json, success } from '../../../support/hostile-server.ts';
import { pausedRuntime } from '../../../support/paused-runtime.ts';
import { inQuotes } from '../../../support/platform.ts';

let sandbox: Sandbox;
beforeAll(async () => {
  sandbox = await startSandbox({ withdrawals: 'manual' });
  sandbox.setMerchant({ available: 100_000 });
});
afterAll(() => sandbox.close());

async function created(): Promise<string> {
  const answer = await fetch(`${sandbox.url}/withdrawals`, {
    method: 'POST',
    headers: { authorization: `Bearer ${sandbox.apiKey}`, 'content-type': 'application/json' },
    body: JSON.stringify({ amount: 1_050, pixKey: 'ana@example.com', pixKeyType: 'EMAIL' }),
  });
  return ((await answer.json()) as { data: { id: string } }).data.id;
}

it.each([
  ['for longer than the usual pause', 60, [500, 60_000]],
  ['for less', 1, [500, 1_000]],
  ['for longer than the wait', 900, [500, 119_500]],
])('leaves a service alone that asks for it %s', async (_, retryAfter, expected) => {
  const id = await created();
  const api = clientOf(sandbox.url, { apiKey: async () => sandbox.apiKey, retry: { attempts: 1 } });
  const { runtime, io, pauses } = pausedRuntime(api, (number) => {
    const effect = { kind: 'rate-limit', retryAfter } as const;
    if (number === 1) sandbox.faults.add({ target: 'api', operations: ['getWithdrawal'], times: 1, effect });
    else sandbox.completeWithdrawal(id);
  });
  await wait(runtime, id);
  expect(JSON.parse(io.out)).toMatchObject({ id, status: 'COMPLETED' });
  expect(pauses).toEqual(expected);
  await api.close();
});

it('goes on after a read that hangs, which a long --timeout alone would not end', async () => {
  let asked = 0;
  let expire = () => {};
  await using server = await hostileServer((response) => {
    // The second one is never answered.
    if (++asked === 2) return expire();
    const status = asked === 1 ? 'PENDING' : 'COMPLETED';
    json(response, 200, success({ id: 'wd_1', amount: 1_050, status }));
  });
  const clock = {
    ...systemClock,
    sleep: (ms: number, signal?: AbortSignal) =>
      ms > 30_000
        ? systemClock.sleep(ms, signal)
        : new Promise<void>((resolve) => {
            expire = resolve;
          }),
  };
  const api = clientOf(server.url, { timeoutMs: 3_600_000, lookTimeoutMs: 30_000, clock });
  const { runtime, io } = pausedRuntime(api, () => {});
  await wait(runtime, 'wd_1');
  expect(JSON.parse(io.out)).toMatchObject({ status: 'COMPLETED' });
  await api.close();
});

it.each([
  ['wait', wait],
  ['get', get],
])(
  '%s of an idempotency key says which command takes one, lest the payment be thought missing',
  async (_, verb) => {
    const api = clientOf(sandbox.url, { apiKey: async () => sandbox.apiKey });
    const { runtime } = pausedRuntime(api, () => {});
    await expect(verb(runtime, 'rent 2026-03')).rejects.toMatchObject({
      kind: 'notFound',
      hint: expect.stringContaining(
        `If it is an idempotency key: pixctl withdrawal status ${inQuotes('rent 2026-03')}`,
      ),
    });
    await api.close();
  },
);
