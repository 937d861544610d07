/** Ids are the service's: whatever they are, a line to paste holds them as one word, and does nothing else. */
import { expect, it } from 'vitest';
import { converse } from '../support/converse.ts';
import { hostileServer, json, someCharge, success } from '../support/hostile-server.ts';
import { inQuotes, noPty, skipped } from '../support/platform.ts';
import { emptyHome, run } from '../support/run.ts';

const envOf = (url: string) => ({ PIXCTL_BASE_URL: url, PIXCTL_API_KEY: 'svc_test_key' });
const end = { hasMore: false, next: null, before: null };
const id = 'x 1; echo gone';
const paid = { amount: 1000, pixKey: 'ana@example.com', pixKeyType: 'EMAIL', status: 'PROCESSING' };

/** Makes whatever is asked for, under that id; `shown` of a withdrawal that is read. */
const service = (shown: object = { id }) =>
  hostileServer((response, { method, path }) => {
    if (path === '/transparents/create') json(response, 201, success({ ...someCharge, id }));
    else if (path === '/webhooks') json(response, 201, success({ id, secret: 'whsec_1' }));
    else if (method === 'POST') json(response, 201, success({ ...paid, id }));
    else if (path === '/withdrawals?limit=100') json(response, 200, { ...success([]), pagination: end });
    else json(response, 200, success({ ...paid, ...shown }));
  });

const withdraw = ['withdraw', '--amount', '1000', '--to', 'ana@example.com', '--type', 'EMAIL'];

it.each([
  [
    'webhook add',
    ['webhook', 'add', '--url', 'https://shop.example/', '--events', 'CHARGE_PAID'],
    `pixctl webhook listen --endpoint ${inQuotes('x 1; echo gone')}`,
  ],
  [
    'withdraw --wait',
    [...withdraw, '--idempotency-key', 'k', '--yes', '--wait', '--timeout', '1s'],
    `pixctl withdrawal wait ${inQuotes('x 1; echo gone')}`,
  ],
  [
    'withdrawal wait',
    ['withdrawal', 'wait', id, '--timeout', '1s'],
    `pixctl withdrawal wait ${inQuotes('x 1; echo gone')}`,
  ],
])('%s quotes an odd one', async (_, args, line) => {
  await using server = await service();
  const { stderr } = await run(args, { env: envOf(server.url) });
  expect(stderr).toContain(line);
});

it.skipIf(noPty !== null)(skipped('charge create quotes an odd one at a terminal', noPty), async () => {
  await using server = await service();
  const place = { home: emptyHome(), env: envOf(server.url) };
  const { screen } = await converse(['charge', 'create', '--amount', '1050'], [], place);
  expect(screen).toContain(`pixctl charge wait ${inQuotes('x 1; echo gone')} `);
});

it('withdrawal wait names the one that it was asked for where its record has none', async () => {
  await using server = await service({});
  const args = ['withdrawal', 'wait', 'wd_1', '--timeout', '1s'];
  const { code, stderr } = await run(args, { env: envOf(server.url) });
  expect(code).toBe(82);
  expect(stderr).toContain('Money is on its way: wd_1 is still PROCESSING');
  expect(stderr).toContain('Wait again: pixctl withdrawal wait wd_1');
});

it('one that would climb out of the address is refused in words, also where there is no key', async () => {
  const env = { PIXCTL_BASE_URL: 'https://pay.invalid' };
  const { code, stdout, stderr } = await run(['customer', 'get', 'cust_1/../../'], { env });
  expect({ code, stdout, stderr }).toEqual({
    code: 64,
    stdout: '',
    stderr:
      'error: The path hides .. behind an encoded character. Nothing was sent.\n  Use a path such as /customers/cust_1.\n',
  });
});
