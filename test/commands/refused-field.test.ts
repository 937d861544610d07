/** Errors in json name what was refused, for a program that marks a field in a form or a flag in a script. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Sandbox, startSandbox } from '../../src/sandbox/index.ts';
import { emptyHome, hurried, run } from '../support/run.ts';

let sandbox: Sandbox;
beforeAll(async () => {
  sandbox = await startSandbox();
});
afterAll(() => sandbox.close());

const refused = async (line: string, home = emptyHome()) => {
  const env = { ...hurried, PIXCTL_BASE_URL: sandbox.url, PIXCTL_API_KEY: sandbox.apiKey };
  const { stderr } = await run([...line.split(' '), '-o', 'json'], { env, home });
  const { code, field, exitCode } = JSON.parse(stderr.trim().split('\n').at(-1) ?? '').error;
  return [exitCode, code, field];
};

it.each([
  ['charge list --limit 0', '--limit'],
  ['charge list --limt 5', '--limt'],
  ['charge list --since tomorrow', '--since'],
  ['charge list --limit', '--limit'],
  ['charge get', '<id>'],
  ['charge create --amount 1,5', '--amount'],
  ['charge create', '--amount'],
  ['webhook listen --ack both', '--ack'],
  ['sandbox clock advance soon', '<duration>'],
  ['charge lst', undefined],
])('pixctl %s: %s', async (line, field) => {
  expect(await refused(line)).toEqual([64, 'USAGE', field]);
});

const order = 'withdraw --amount 5,00 --to shop@example.com --yes --idempotency-key';

it.each([
  ['charge create --amount 500 --customer cust_1', 'VALIDATION_ERROR', 'customerId'],
  ['api POST /transparents/create -F amount=500 -f customerId=cust_1', 'VALIDATION_ERROR', 'customerId'],
  ['api GET /transparents/list -f customerId=cust_1 --paginate', 'VALIDATION_ERROR', 'customerId'],
  ['api GET /transparents/list?customerId=cust_1', 'VALIDATION_ERROR', 'customerId'],
  ['api GET /transparents/list', 'VALIDATION_ERROR', undefined],
])('names the field that was sent and that the message of the service names: %s', async (line, ...named) => {
  refuseNext('customerId: is odd', line.startsWith('api GET') ? 'listCharges' : 'createCharge');
  expect(await refused(line)).toEqual([80, ...named]);
});

it('names what of a withdrawal the service refused', async () => {
  refuseNext('pixKey: is odd', 'createWithdrawal');
  expect(await refused(`${order} k1`)).toEqual([80, 'REFUSED', 'pixKey']);
});

it('names what of a line of a batch was refused, by the service or in the file', async () => {
  const folder = emptyHome();
  const header = 'idempotency_key,amount,pix_key,pix_key_type';
  const batch = (name: string, ...lines: string[]) => {
    const file = join(folder, `${name}.csv`);
    writeFileSync(file, [header, ...lines].join('\n'));
    return refused(`withdrawal batch ${file} --yes`);
  };
  expect(await batch('bad', 'k2,1,a@example.com,', 'k3,2,a@example.com,')).toEqual([
    65,
    'BATCH_FILE',
    'amount',
  ]);
  expect(await batch('worse', 'k2,1,nobody,EMAIL')).toEqual([65, 'BATCH_FILE', undefined]);
  expect(await batch('short', 'k2,1,a@example.com,', 'k3')).toEqual([65, 'BATCH_FILE', undefined]);
  expect(await batch('twice', 'k2,100,a@example.com,', 'k2,100,a@example.com,')).toEqual([
    ...[65, 'BATCH_FILE', 'idempotency_key'],
  ]);
  refuseNext('amount: is odd', 'createWithdrawal');
  expect(await batch('good', 'k4,100,a@example.com,')).toEqual([80, 'REFUSED', 'amount']);
});

it('names what of a withdrawal this machine refuses to send', async () => {
  expect(await refused(`${order} k5 --max-amount 1,00`)).toEqual([87, 'MAX_AMOUNT', '--amount']);
  const home = emptyHome();
  await run(['policy', 'set', '--max-withdrawal', '1,00'], { home });
  expect(await refused(`${order} k5`, home)).toEqual([87, 'POLICY_MAX_PER_WITHDRAWAL', 'amount']);
  await run(['policy', 'set', '--max-withdrawal', 'none', '--saved-only', 'true'], { home });
  expect(await refused(`${order} k5`, home)).toEqual([87, 'POLICY_SAVED_DESTINATIONS_ONLY', 'pixKey']);
});

function refuseNext(message: string, operation: 'createCharge' | 'createWithdrawal' | 'listCharges') {
  const effect = { kind: 'error', status: 400, code: 'VALIDATION_ERROR', message } as const;
  sandbox.faults.add({ target: 'api', operations: [operation], effect, times: 1 });
}
