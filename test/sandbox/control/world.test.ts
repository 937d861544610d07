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
  [{ charges: 100_001 }, [400, 'VALIDATION_ERROR']],
  [{ customers: 100_001 }, [400, 'VALIDATION_ERROR']],
  [{ charges: -1 }, [400, 'VALIDATION_ERROR']],
  [{ charges: 1.5 }, [400, 'VALIDATION_ERROR']],
  [{ charges: '1' }, [400, 'VALIDATION_ERROR']],
  [{ charge: 1 }, [400, 'VALIDATION_ERROR']],
  [{ merchantId: 'merch_none', charges: 1 }, [404, 'NOT_FOUND']],
  [{ merchantId: 7, charges: 1 }, [400, 'BAD_INPUT']],
])('seeds nothing for %j', async (body, refused) => {
  const sandbox = await serve();
  const { status, body: answer } = await sandbox.control('POST', '/seed', body);
  expect([status, answer.error.code]).toEqual(refused);
  expect((await sandbox.get('/transparents/list')).body.data).toEqual([]);
});

it('seeds as many as it is told, none among them', async () => {
  const sandbox = await serve();
  await sandbox.control('POST', '/seed', { charges: 0, customers: 0 });
  expect((await sandbox.get('/transparents/list')).body.data).toEqual([]);
  await sandbox.control('POST', '/seed', { charges: 3, customers: 1 });
  expect((await sandbox.get('/transparents/list')).body.data).toHaveLength(3);
});

it('seeds another merchant if one is named', async () => {
  const sandbox = await serve();
  const { id: merchantId, apiKey } = sandbox.addMerchant();
  expect((await sandbox.control('POST', '/seed', { charges: 1, merchantId })).body).toEqual({
    ...{ charges: 1, customers: 0 },
  });
  const authorization = `Bearer ${apiKey}`;
  expect((await sandbox.get('/transparents/list', { authorization })).body.data).toHaveLength(1);
  expect((await sandbox.get('/transparents/list')).body.data).toEqual([]);
});

it.each([
  ['?limit=1', 200, [3]],
  ['?limit=500', 200, [3, 2, 1]],
  ['?after=1', 200, [3, 2]],
  ['?after=1&limit=1', 200, [3]],
  ['?limit=501', 400, null],
  ['?limit=0', 400, null],
  ['?after=-1', 400, null],
  ['?operation=listCharges&limit=2', 200, [3, 2]],
  ['?operation=createCharge', 200, []],
  ['?operation=createCharges', 400, null],
  ['?since=1', 400, null],
])('of its requests %s it answers %i, newest first: %j', async (query, status, numbers) => {
  const sandbox = await serve();
  for (let at = 0; at < 3; at++) await sandbox.get('/transparents/list');
  const answer = await sandbox.control('GET', `/requests${query}`);
  expect(answer.status).toBe(status);
  if (numbers !== null)
    expect((answer.body as { number: number }[]).map(({ number }) => number)).toEqual(numbers);
});

it('tells the requests of one merchant, as many as are asked for', async () => {
  const sandbox = await serve();
  const { id, apiKey } = sandbox.addMerchant();
  for (const authorization of [apiKey, sandbox.apiKey, apiKey, 'nobody'].map((token) => `Bearer ${token}`))
    await sandbox.get('/withdrawals', { authorization });
  const numbers = async (query: string) =>
    (await sandbox.control('GET', `/requests${query}`)).body.map(({ number }: { number: number }) => number);
  expect(await numbers(`?merchantId=${id}`)).toEqual([3, 1]);
  expect(await numbers(`?merchantId=${id}&limit=1`)).toEqual([3]);
  expect(await numbers(`?merchantId=${sandbox.merchantId}`)).toEqual([2]);
  expect(await numbers('')).toEqual([4, 3, 2, 1]);
});
