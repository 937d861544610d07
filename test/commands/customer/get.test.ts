import { expect, it } from 'vitest';
import { hostileServer, json, success } from '../../support/hostile-server.ts';
import { run } from '../../support/run.ts';

it('shows a customer that has no name, e-mail or tax id', async () => {
  const customer = { id: 'cust_1', name: null, taxId: null, email: null, phone: null };
  await using server = await hostileServer((response) => json(response, 200, success(customer)));
  const env = { PIXCTL_BASE_URL: server.url, PIXCTL_API_KEY: 'svc_sandbox_x' };
  const { code, stdout } = await run(['customer', 'get', 'cust_1', '-o', 'json'], { env });
  expect([code, JSON.parse(stdout)]).toEqual([0, customer]);
  expect(await run(['customer', 'get', 'cust_1'], { env })).toMatchObject({ code: 0, stderr: '' });
});
