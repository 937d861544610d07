/** What the protocol asks of the client. */
import { expect, it } from 'vitest';
import type { Api, CallOptions } from '../../src/api/client.ts';
import { serviceOf } from '../../src/withdrawal/dependencies.ts';

it('a read that hangs takes up no more than half a minute of a wait, nor more than its rest', async () => {
  const seen: (CallOptions | undefined)[] = [];
  const call = async (_: string, __: unknown, options?: CallOptions) => void seen.push(options);
  const hour = serviceOf({ call, lookTimeoutMs: 30_000 } as unknown as Api);
  for (const left of [3_600_000, 8_000, 200, undefined]) await hour.withdrawal('w1', left);
  const short = serviceOf({ call, lookTimeoutMs: 5_000 } as unknown as Api);
  await short.withdrawal('w1', 600_000);
  expect(seen).toEqual([
    { timeoutMs: 30_000, withinMs: 3_600_000 },
    { timeoutMs: 8_000, withinMs: 8_000 },
    { timeoutMs: 1_000, withinMs: 200 },
    {},
    { timeoutMs: 5_000, withinMs: 600_000 },
  ]);
});
