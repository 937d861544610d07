/** `charge wait`, its pauses counted instead of waited for. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Api } from '../../../src/api/client.ts';
import { followTo } from '../../../src/commands/charge/follow.ts';
import { PixctlError } from '../../../src/errors.ts';
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
])('leaves a service alone if it asks for that %s', async (_, retryAfter, expected) => {
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
  expect(io.err.match(/PENDING -> \w+/g)).toEqual(['PENDING -> PAID']);
  await api.close();
});

it.each([false, true])(
  'stopped in the middle of a look is stopped: 130, made by this run: %s',
  async (made) => {
    const api = clientOf(sandbox.url, { apiKey: async () => sandbox.apiKey, retry: { attempts: 1 } });
    const charge = await api.call('createCharge', { body: { method: 'PIX', amount: 1050 } });
    const stop = new AbortController();
    const stopping = {
      ...api,
      call: async () => {
        stop.abort('SIGINT');
        throw new PixctlError('interrupted', 'INTERRUPTED', 'Stopped while asking.');
      },
    } as unknown as Api;
    const { runtime } = pausedRuntime(stopping, () => {});
    await expect(
      followTo({ ...runtime, signal: stop.signal }, charge, { changedByThisRun: made }),
    ).rejects.toMatchObject({
      exit: 130,
      message: `Stopped waiting; ${charge.id} was PENDING.`,
    });
    await api.close();
  },
);
