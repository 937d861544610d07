/** `webhook endpoints`: what was registered from here, for whoever needs its id again. */
import { afterAll, expect, it } from 'vitest';
import { startSandbox } from '../../../../src/sandbox/index.ts';
import { emptyHome, run } from '../../../support/run.ts';

const sandbox = await startSandbox();
const home = emptyHome();
const env = { PIXCTL_BASE_URL: sandbox.url, PIXCTL_API_KEY: sandbox.apiKey };
afterAll(() => sandbox.close());

it('says what to do where there is none', async () => {
  const { code, stdout, stderr } = await run(['webhook', 'endpoints', '-o', 'json'], { home });
  expect({ code, stdout: stdout.trim() }).toEqual({ code: 0, stdout: '[]' });
  expect(stderr).toContain('pixctl webhook add registers one');
});

it('lists them, the newest first, without a key or the service, and each is an --endpoint', async () => {
  const add = async (url: string, events: string) =>
    run(['webhook', 'add', '--url', url, '--events', events, '-o', 'json'], { home, env });
  const first = JSON.parse((await add('https://one.example/pix', 'CHARGE_PAID')).stdout) as { id: string };
  const second = JSON.parse((await add('https://two.example/pix', 'all')).stdout) as { id: string };
  const { code, stdout } = await run(['webhook', 'endpoints', '-o', 'json'], { home });
  expect(code).toBe(0);
  expect(JSON.parse(stdout)).toMatchObject([
    { id: second.id, url: 'https://two.example/pix', baseUrl: sandbox.url },
    { id: first.id, url: 'https://one.example/pix', events: ['CHARGE_PAID'], baseUrl: sandbox.url },
  ]);
  expect(stdout).not.toContain('whsec_');
  const table = await run(['webhook', 'endpoints'], { home });
  expect(table.stdout).toContain(`${first.id}\thttps://one.example/pix\tCHARGE_PAID\t${sandbox.url}`);
  const payload = ['--payload-file', '-', '--endpoint', first.id];
  expect((await run(['webhook', 'sign', ...payload], { home, input: '{}' })).code).toBe(0);
});

it('is named where an --endpoint has no secret here', async () => {
  const { code, stderr } = await run(['webhook', 'listen', '--endpoint', 'wh_none'], { home });
  expect(code).toBe(78);
  expect(stderr).toContain('pixctl webhook endpoints lists those whose secret is stored.');
});
