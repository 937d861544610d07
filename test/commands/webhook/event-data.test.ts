/** One shape of `data`, whoever makes the event: the sandbox, `trigger`, or `listen --poll`. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Sandbox, startSandbox } from '../../../src/sandbox/index.ts';
import { type Application, startApplication } from '../../support/application.ts';
import { listen } from '../../support/listen.ts';
import { emptyHome, run } from '../../support/run.ts';

let sandbox: Sandbox;
let application: Application;
beforeAll(async () => {
  sandbox = await startSandbox({ withdrawals: 'manual', merchant: { available: 100_000 } });
  application = await startApplication();
});
afterAll(async () => {
  await sandbox.close();
  await application.close();
});

const env = () => ({ PIXCTL_BASE_URL: sandbox.url, PIXCTL_API_KEY: sandbox.apiKey });
const post = async (path: string, body: object): Promise<string> => {
  const headers = { authorization: `Bearer ${sandbox.apiKey}`, 'content-type': 'application/json' };
  const response = await fetch(sandbox.url + path, { method: 'POST', headers, body: JSON.stringify(body) });
  return ((await response.json()) as { data: { id: string } }).data.id;
};
const withdrawn = () => post('/withdrawals', { amount: 500, pixKey: '12345678909', pixKeyType: 'CPF' });

it('has the same fields', async () => {
  const { id: customerId } = sandbox.addCustomer({
    name: 'Ana',
    email: 'ana@example.com',
    taxId: '12345678909',
  });
  const id = await post('/transparents/create', { method: 'PIX', amount: 1_050, customerId });
  sandbox.pay(id);
  await fetch(`${sandbox.url}/transparents/refund?id=${id}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${sandbox.apiKey}` },
  });
  sandbox.completeWithdrawal(await withdrawn());
  sandbox.failWithdrawal(await withdrawn());
  const delivered = new Map(sandbox.events().map(({ event, data }) => [event, Object.keys(data)]));
  expect([...delivered.keys()].sort()).toEqual([
    'CHARGE_PAID',
    'REFUND_COMPLETED',
    'WITHDRAWAL_COMPLETED',
    'WITHDRAWAL_FAILED',
  ]);
  expect(delivered.get('CHARGE_PAID')).toEqual([
    'id',
    'amount',
    'status',
    'txid',
    'expiresAt',
    'customer',
    'createdAt',
  ]);

  for (const [event, fields] of delivered) {
    const { stdout } = await run(['webhook', 'trigger', event, '--dry-run']);
    expect([event, Object.keys(JSON.parse(stdout).data)]).toEqual([event, fields]);
  }

  const flags = ['--poll', '1s', '--since', '1h', '--port', '0', '-f', String(application.port)];
  const listener = await listen(emptyHome(), [...flags, '--exit-after', '4'], env());
  expect(await listener.exited).toBe(0);
  for (const { body } of application.received) {
    const { event, data } = JSON.parse(body.toString('utf8'));
    expect([event, Object.keys(data)]).toEqual([event, delivered.get(event)]);
  }
  expect(application.received).toHaveLength(4);
});
