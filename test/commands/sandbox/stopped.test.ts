/** What is said where the sandbox has been stopped, and where it has taken back the key. */
import { once } from 'node:events';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { emptyHome, run, start } from '../../support/run.ts';

const home = emptyHome();
let child: ReturnType<typeof start>;
let url: string;
let apiKey: string;

beforeAll(async () => {
  child = start(['sandbox', 'start', '-o', 'json'], { home });
  const [line] = await once(child.stdout, 'data');
  ({ url, apiKey } = JSON.parse(String(line)));
  await run(['profile', 'use', 'sandbox'], { home });
  await run(['sandbox', 'key', 'revoke', apiKey], { home });
  const { stderr } = await run(['charge', 'list'], { home });
  expect(stderr).toMatch(/Log in with a key of this sandbox: pixctl login --profile sandbox$/m);
  child.kill('SIGTERM');
  await once(child, 'close');
});
afterAll(() => child.kill('SIGKILL'));

it.each([
  [['charge', 'list']],
  [['charge', 'create', '--amount', '10,50']],
  [['webhook', 'listen', '--port', '0']],
  [['customer', 'get', 'cust_1']],
  [['api', 'GET', '/withdrawals']],
  [['whoami']],
  [['sandbox', 'pay', 'chg_1']],
])('%j says to start it', async (args) => {
  const { code, stderr } = await run(args, { home });
  expect(stderr).toContain('\n  Start the sandbox in another terminal: pixctl sandbox start\n');
  expect(stderr).not.toContain('whoami');
  expect(code).toBe(75);
});

it('is said too where the environment names its address', async () => {
  const env = { PIXCTL_BASE_URL: url, PIXCTL_API_KEY: apiKey };
  const { stderr } = await run(['charge', 'list'], { home, env });
  expect(stderr).toContain('in another terminal: pixctl sandbox start\n');
});

it('is not said of another address, which the hint shows', async () => {
  const elsewhere = 'http://127.0.0.1:9';
  // Of its own: a login makes its profile the current one.
  const home = emptyHome();
  const args = ['login', '--profile', 'acme', '--base-url', elsewhere, '--key-stdin', '--no-check'];
  await run(args, { home, input: 'svc_live_1' });
  for (const command of [['whoami'], ['charge', 'list']]) {
    const { stderr } = await run([...command, '--profile', 'acme'], { home });
    expect(stderr).toContain(
      `  Check the address ${elsewhere} of the profile acme and the network, then run`,
    );
  }
});
