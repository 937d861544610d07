/** What the control plane says of the sandbox itself, and takes for what drives it as a whole. */
import { expect, it } from 'vitest';
import { serve } from '../support/over-http.ts';

it('is asked what it is', async () => {
  const sandbox = await serve();
  expect((await sandbox.control('GET', '/')).body).toEqual({
    ...{ sandbox: 'pixctl', now: expect.stringMatching(/^20\d\d-.*Z$/), undocumented: 'assume' },
    ...{ withdrawals: 'timed', withdrawalStepMs: 2_000 },
  });
});

it.each([
  [{ charges: 100_001 }],
  [{ customers: 100_001 }],
  [{ charges: -1 }],
  [{ charges: 1.5 }],
  [{ charges: '1' }],
  [{ charge: 1 }],
])('seeds nothing for %j', async (body) => {
  const sandbox = await serve();
  expect(await sandbox.control('POST', '/seed', body)).toMatchObject({
    status: 400,
    body: { error: { code: 'BAD_INPUT' } },
  });
  expect((await sandbox.get('/transparents/list')).body.data).toEqual([]);
});

it('seeds as many as it is told, none among them', async () => {
  const sandbox = await serve();
  await sandbox.control('POST', '/seed', { charges: 0, customers: 0 });
  expect((await sandbox.get('/transparents/list')).body.data).toEqual([]);
  await sandbox.control('POST', '/seed', { charges: 3, customers: 1 });
  expect((await sandbox.get('/transparents/list')).body.data).toHaveLength(3);
});

it.each([
  ['?limit=1', 200, [3]],
  ['?limit=500', 200, [3, 2, 1]],
  ['?after=1', 200, [3, 2]],
  ['?after=1&limit=1', 200, [3]],
  ['?limit=501', 400, null],
  ['?limit=0', 400, null],
  ['?after=-1', 400, null],
  ['?since=1', 400, null],
])('of its requests %s it answers %i, newest first: %j', async (query, status, numbers) => {
  const sandbox = await serve();
  for (let at = 0; at < 3; at++) await sandbox.get('/transparents/list');
  const answer = await sandbox.control('GET', `/requests${query}`);
  expect(answer.status).toBe(status);
  if (numbers !== null)
    expect((answer.body as { number: number }[]).map(({ number }) => number)).toEqual(numbers);
});
