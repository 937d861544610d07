/** `webhook add --url`: an address that is no secret's place, and that no network can read. */
import { expect, it } from 'vitest';
import { startSandbox } from '../../../../src/sandbox/index.ts';
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

it('takes plain http to a private name from a sandbox that does, with nothing in between', async () => {
  await using open = await startSandbox({ assume: { 'webhook-plain-http': 'private' } });
  await using usual = await startSandbox();
  const add = (sandbox: typeof open, url: string) => {
    const env = { PIXCTL_BASE_URL: sandbox.url, PIXCTL_API_KEY: sandbox.apiKey };
    return run(['webhook', 'add', '--url', url, '-e', 'CHARGE_PAID', '-o', 'json'], { env });
  };
  const added = await add(open, 'http://app:3000/hooks');
  expect(added.code).toBe(0);
  expect(JSON.parse(added.stdout)).toMatchObject({ url: 'http://app:3000/hooks' });
  expect(await add(open, 'http://shop.example/')).toMatchObject({ code: 64, stdout: '' });
  expect(await add(open, 'http://ana:x@app:3000/')).toMatchObject({ code: 64, stdout: '' });
  const refused = await add(usual, 'http://app:3000/hooks');
  expect(refused).toMatchObject({ code: 80, stdout: '' });
  expect(refused.stderr).toContain('--assume webhook-plain-http=private');
});
