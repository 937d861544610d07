/** The fields of a refund are not shown: whatever they are, the success of the document is one. */
import { expect, it } from 'vitest';
import { hostileServer, json, someCharge, success } from '../../support/hostile-server.ts';
import { run } from '../../support/run.ts';

it.each([{ id: 7, amount: '10.50' }, { id: null, status: { code: 'DONE' } }, null, [{ id: 'ref_1' }]])(
  'a refund that is answered with %o is made',
  async (data) => {
    let status = 'PAID';
    await using server = await hostileServer((response, { method }) => {
      if (method === 'POST') status = 'REFUNDED';
      json(response, 200, success(method === 'POST' ? data : { ...someCharge, status }));
    });
    const { code, stderr } = await run(['charge', 'refund', 'chg_1', '--yes'], {
      env: { PIXCTL_BASE_URL: server.url, PIXCTL_API_KEY: 'svc_x' },
    });
    expect(stderr).toContain('Refunded R$ 10,50.');
    expect(code).toBe(0);
  },
);

it('a machine gets the charge if the answer is no record', async () => {
  let status = 'PAID';
  await using server = await hostileServer((response, { method }) => {
    if (method === 'POST') status = 'REFUNDED';
    json(response, 200, success(method === 'POST' ? null : { ...someCharge, status }));
  });
  const { code, stdout } = await run(['charge', 'refund', 'chg_1', '--yes', '-o', 'json'], {
    env: { PIXCTL_BASE_URL: server.url, PIXCTL_API_KEY: 'svc_x' },
  });
  expect(JSON.parse(stdout)).toMatchObject({ id: 'chg_1', status: 'REFUNDED' });
  expect(code).toBe(0);
});

it('people see the charge as it is read if the answer only looks like one', async () => {
  let refunded = false;
  await using server = await hostileServer((response, { method }) => {
    if (method === 'POST') refunded = true;
    const likeOne = { ...someCharge, amount: { cents: 1050 }, status: 7 };
    const charge = { ...someCharge, status: refunded ? 'REFUNDED' : 'PAID' };
    json(response, 200, success(method === 'POST' ? likeOne : charge));
  });
  const { code, stdout, stderr } = await run(
    ['charge', 'refund', someCharge.id, '--yes', '-o', 'table', '--fields', 'amount,status'],
    { env: { PIXCTL_BASE_URL: server.url, PIXCTL_API_KEY: 'svc_x' } },
  );
  expect(stdout).toBe('Amount\t1050\nStatus\tREFUNDED\n');
  expect(stderr).toContain('Refunded R$ 10,50.');
  expect(code).toBe(0);
});

it('an answer about another charge does not say how this one stands', async () => {
  await using server = await hostileServer((response, { method }) => {
    const anothers = { ...someCharge, id: 'chg_2', status: 'REFUNDED' };
    json(response, 200, success(method === 'POST' ? anothers : { ...someCharge, status: 'PAID' }));
  });
  const { code, stdout, stderr } = await run(
    ['charge', 'refund', someCharge.id, '--yes', '-o', 'table', '--fields', 'id,status'],
    { env: { PIXCTL_BASE_URL: server.url, PIXCTL_API_KEY: 'svc_x' } },
  );
  expect(stdout).toBe(`ID\t${someCharge.id}\nStatus\tPAID\n`);
  expect(stderr).toContain('Accepted. The charge still reads PAID');
  expect(code).toBe(0);
});
