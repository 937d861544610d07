/** What somebody is told who goes on with a sandbox that was started again, and has forgotten everything. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { freePort } from '../../support/free-port.ts';
import { emptyHome, run } from '../../support/run.ts';
import { type SandboxRun, sandboxRun } from '../../support/sandbox.ts';

const home = emptyHome();
const words =
  'A sandbox started again knows nothing of before, unless both starts had the same --state <file>.';
const pay = ['withdraw', '-a', '10,00', '-t', 'ana@example.com', '--type', 'EMAIL', '-k', 'k-1', '--yes'];
let sandbox: SandboxRun;
let charge: string;

beforeAll(async () => {
  const port = await freePort();
  const before = await sandboxRun(home, '--port', `${port}`);
  await run(['sandbox', 'merchant', 'set', '--available', '1000,00'], { home });
  expect((await run(pay, { home })).code).toBe(0);
  const made = await run(['charge', 'create', '-a', '5,00', '-k', 'order 1', '--jq', '.id'], { home });
  charge = made.stdout.trim();
  await before.stop();
  sandbox = await sandboxRun(home, '--port', `${port}`);
});
afterAll(() => sandbox.stop());

it.each([
  ['a charge of before', 88, () => ['charge', 'get', charge]],
  ['a keyed charge of before', 88, () => ['charge', 'create', '-a', '5,00', '-k', 'order 1']],
  ['a withdrawal of before, run again', 0, () => pay],
  ['an audit', 1, () => ['withdrawal', 'audit']],
])('%s', async (_, code, args) => {
  expect(await run(args(), { home })).toMatchObject({ code, stderr: expect.stringContaining(words) });
});

it('does not speak of it where an id has another form', async () => {
  const { code, stderr } = await run(['charge', 'get', 'cust_1'], { home });
  expect(code).toBe(88);
  expect(stderr).not.toContain(words);
});
