/** `charge wait`, its pauses counted instead of waited for. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { followTo } from '../../../src/commands/charge/follow.ts';
import { type Sandbox, startSandbox } from '../../../src/sandbox/index.ts';
import { clientOf } from '../../api/client-of.ts';
import { pausedRuntime } from '../../support/paused-runtime.ts';

let sandbox: Sandbox;
beforeAll(async () => {
  sandbox = await startSandbox();
});
afterAll(() => sandbox.close());

it.each([
  ['for longer than the usual pause', 60, [1_000, 60_000]],
  ['for less', 1, [1_000, 1_300]],
  ['for longer than the wait', 900, [1_000, 119_000]],
])('leaves a service alone that asks for it %s', async (_, retryAfter, expected) => {
  const effect = { kind: 'rate-limit', retryAfter } as const;
  sandbox.faults.add({ target: 'api', operations: ['getCharge'], times: 1, effect });
  const api = clientOf(sandbox.url, { apiKey: async () => sandbox.apiKey, retry: { attempts: 1 } });
  const charge = await api.call('createCharge', { body: { method: 'PIX', amount: 1050 } });
  const { runtime, io, pauses } = pausedRuntime(api, (number) => {
    if (number === 2) sandbox.pay(charge.id);
  });
  await followTo(runtime, charge);
  expect(JSON.parse(io.out)).toMatchObject({ id: charge.id, status: 'PAID' });
  expect(pauses).toEqual(expected);
  await api.close();
});
