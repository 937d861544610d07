/** `webhook add --dry-run`: the request as it would be sent, on stdout. */
import { expect, it } from 'vitest';
import { run } from '../../../support/run.ts';

const env = { PIXCTL_BASE_URL: 'http://127.0.0.1:9', PIXCTL_API_KEY: 'svc_x' };
const add = (...more: string[]) =>
  run(
    [
      ...['webhook', 'add', '--url', 'https://shop.example/hooks'],
      ...['-e', 'CHARGE_PAID,REFUND_COMPLETED', '--dry-run', ...more],
    ],
    { env },
  );

it('shows what it would send, under the name of --url-field, and sends nothing', async () => {
  const json = await add('--url-field', 'address', '-o', 'json');
  expect(json).toMatchObject({
    code: 0,
    stdout: '{"address":"https://shop.example/hooks","events":["CHARGE_PAID","REFUND_COMPLETED"]}\n',
    stderr: 'Dry run: POST /webhooks would send this. Nothing was sent.\n',
  });
  expect((await add()).stdout).toBe(
    'url\thttps://shop.example/hooks\nevents\tCHARGE_PAID, REFUND_COMPLETED\n',
  );
});

it('leaves out the white space around an address, which is read without it', async () => {
  const args = ['webhook', 'add', '--url', ' https://shop.example/hooks\n', '-e', 'CHARGE_PAID', '--dry-run'];
  const { code, stdout } = await run([...args, '-o', 'json'], { env });
  expect({ code, stdout }).toEqual({
    code: 0,
    stdout: '{"url":"https://shop.example/hooks","events":["CHARGE_PAID"]}\n',
  });
});
