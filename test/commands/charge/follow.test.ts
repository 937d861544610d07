/** `charge wait`, its pauses counted instead of waited for. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Api } from '../../../src/api/client.ts';
import { followTo } from '../../../src/commands/charge/follow.ts';
import { PixctlError } from '../../../src/errors.ts';
import { type Sandbox, startSandbox } from '../../../src/sandbox/index.ts';
import { clientOf } from '../../api/client-of.ts';
import { someCharge } from '../../support/hostile-server.ts';
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

type Read = string | PixctlError;
const failed = (kind: 'later' | 'auth' | 'notFound') => new PixctlError(kind, 'WHY', 'It failed.');

/** Follows a charge that reads each of these in turn, and the last one ever after; tells how that ends. */
async function followed(
  begun: string,
  reads: readonly Read[],
  options: Parameters<typeof followTo>[2],
): Promise<{ exit: number; shown: string; said: string }> {
  let read = 0;
  const call = async () => {
    const next = reads[Math.min(read++, reads.length - 1)];
    if (next instanceof PixctlError) throw next;
    return { ...someCharge, status: next };
  };
  const { runtime, io } = pausedRuntime({ call } as unknown as Api, () => {});
  const exit = await followTo(runtime, { ...someCharge, status: begun }, options).then(
    () => 0,
    (error: PixctlError) => error.exit,
  );
  return { exit, shown: io.out === '' ? '' : JSON.parse(io.out).status, said: io.err };
}

it.each<[string, readonly Read[], Parameters<typeof followTo>[2], number, string]>([
  ['PENDING', ['PENDING', 'PAID'], {}, 0, 'PAID'],
  ['PAID', [], {}, 0, 'PAID'],
  ['PENDING', ['EXPIRED'], {}, 83, 'EXPIRED'],
  ['PENDING', ['DISPUTED'], {}, 83, 'DISPUTED'],
  ['PENDING', ['REFUNDED'], {}, 83, 'REFUNDED'],
  ['REFUNDED', [], {}, 83, 'REFUNDED'],
  ['PENDING', ['FROZEN', 'PAID'], {}, 0, 'PAID'],
  ['PENDING', ['PENDING'], {}, 82, 'PENDING'],
  ['FROZEN', ['FROZEN'], {}, 82, 'FROZEN'],
  ['PAID', ['PAID', 'REFUNDED'], { goal: 'REFUNDED' }, 0, 'REFUNDED'],
  ['PAID', ['DISPUTED', 'REFUNDED'], { goal: 'REFUNDED' }, 0, 'REFUNDED'],
  ['PAID', ['PAID'], { goal: 'REFUNDED' }, 82, 'PAID'],
  ['PENDING', ['PENDING', failed('later'), 'PAID'], {}, 0, 'PAID'],
  ['PENDING', [failed('later')], {}, 82, 'PENDING'],
  ['PENDING', [failed('auth')], {}, 77, 'PENDING'],
  ['PENDING', [failed('notFound')], {}, 88, 'PENDING'],
  ['PENDING', [failed('auth')], { changedByThisRun: true }, 82, 'PENDING'],
  ['PENDING', ['PAID'], { alreadyShown: true }, 0, ''],
])(
  'a %s charge that then reads %j (%o) ends with %i and shows %s',
  async (begun, reads, options, exit, shown) => {
    const { said, ...ended } = await followed(begun, reads, options);
    expect(ended).toEqual({ exit, shown });
    if (options?.alreadyShown === true) expect(said).toContain(`${someCharge.id} is PAID.`);
  },
);

it('says once, not at every look, that a status is not documented or a look failed', async () => {
  const later = failed('later');
  const { said } = await followed('PENDING', ['FROZEN', 'FROZEN', later, later, 'FROZEN', 'PAID'], {});
  expect(said.match(/a status that the service's document does not show/g)).toHaveLength(1);
  expect(said.match(/Trying again/g)).toHaveLength(1);
  expect(said.match(/\w+ -> \w+/g)).toEqual(['PENDING -> FROZEN', 'FROZEN -> PAID']);
});

it('gives no look longer than thirty seconds, nor than what is left of the wait, but a second at least', async () => {
  const bounds: unknown[] = [];
  const call = async (_name: string, _input: object, { timeoutMs }: { timeoutMs: number }) => {
    bounds.push(timeoutMs);
    return someCharge;
  };
  const { runtime } = pausedRuntime({ call, lookTimeoutMs: 30_000 } as unknown as Api, () => {});
  await expect(followTo(runtime, someCharge)).rejects.toMatchObject({ exit: 82 });
  expect(bounds[0]).toBe(30_000);
  expect(bounds.at(-1)).toBe(1_000);
  for (const [at, bound] of bounds.entries())
    if (at > 0) expect(bound).toBeLessThanOrEqual(bounds[at - 1] as number);
});
