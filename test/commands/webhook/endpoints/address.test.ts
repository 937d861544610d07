/** `webhook add --url`: an address that is no secret's place, and that no network can read. */
import { expect, it } from 'vitest';
import { run } from '../../../support/run.ts';

it.each([
  ['https://ana@shop.example/', 'user name or password'],
  ['https://:hunter2@shop.example/', 'user name or password'],
  ['http://shop.example/', 'the service accepts only HTTPS addresses'],
  ['shop.example', 'the service accepts only HTTPS addresses'],
])('%s is not registered', async (url, words) => {
  const env = { PIXCTL_BASE_URL: 'http://127.0.0.1:9', PIXCTL_API_KEY: 'svc_x' };
  const told = await run(['webhook', 'add', '--url', url, '-e', 'CHARGE_PAID'], { env });
  expect(told).toMatchObject({ code: 64, stdout: '' });
  expect(told.stderr).toContain(words);
  expect(told.stderr).toContain('Nothing was sent.');
  expect(told.stderr).not.toContain('hunter2');
});

it('takes one --events: of two, the first would be dropped from what is registered for good', async () => {
  const env = { PIXCTL_BASE_URL: 'http://127.0.0.1:9', PIXCTL_API_KEY: 'svc_x' };
  const args = ['webhook', 'add', '--url', 'https://shop.example/', '-e', 'CHARGE_PAID'];
  const told = await run([...args, '-e', 'REFUND_COMPLETED'], { env });
  expect(told).toMatchObject({ code: 64, stdout: '' });
  expect(told.stderr).toContain(
    '--events is given twice: CHARGE_PAID and REFUND_COMPLETED. Nothing was sent.',
  );
});
