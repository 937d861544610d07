/** "Copy as pixctl" on the page of a request: what a shell makes of it sends the same. */
import { execFileSync } from 'node:child_process';
import { expect, it } from 'vitest';
import { pixctlCommandOf } from '../../../src/sandbox/page/pixctl-command.ts';
import { onWindows } from '../../support/platform.ts';
import { run } from '../../support/run.ts';
import { serve } from '../support/over-http.ts';
import { visit } from './visitor.ts';

it.skipIf(onWindows).each(['Coffee', "-10% off, 'today'", '--wait'])(
  'a charge described as %j',
  async (description) => {
    const sandbox = await serve();
    await sandbox.charge(1_050, { description });
    const [request] = sandbox.requests();
    const line = request && pixctlCommandOf(request);
    const shown = execFileSync('sh', ['-c', `pixctl() { printf '%s\\0' "$@"; }; ${line}`], {
      encoding: 'utf8',
    });
    const [profile, name, ...words] = shown.split('\0').slice(0, -1);
    expect([profile, name]).toEqual(['--profile', 'sandbox']);
    const env = { PIXCTL_BASE_URL: sandbox.url, PIXCTL_API_KEY: sandbox.apiKey };
    expect(await run([...words, '--json'], { env })).toMatchObject({ code: 0 });
    const bodies = sandbox
      .requests()
      .filter(({ method }) => method === 'POST')
      .map((one) => JSON.parse(one.request ?? ''));
    const body = { method: 'PIX', amount: 1_050, description };
    expect(bodies).toEqual([body, body]);
  },
);

it('an id that looks like a flag stays an id: anybody may have sent the request', async () => {
  const sandbox = await serve();
  await fetch(`${sandbox.url}/transparents/check?id=--base-url%3Dhttps://example.com`);
  await fetch(`${sandbox.url}/transparents/refund?id=-y`, { method: 'POST' });
  const [refund, check] = sandbox.requests();
  expect(refund && pixctlCommandOf(refund)).toBe('pixctl --profile sandbox charge refund -- -y');
  expect(check && pixctlCommandOf(check)).toBe(
    'pixctl --profile sandbox charge get -- --base-url=https://example.com',
  );
});

it('there is none for what pixctl cannot send', async () => {
  const sandbox = await serve();
  await fetch(`${sandbox.url}/store`, { method: 'OPTIONS' });
  const [request] = sandbox.requests();
  expect(request && pixctlCommandOf(request)).toBeNull();
  const { text } = await (await visit(sandbox)).see(`requests/${request?.number}`);
  expect(text).toContain('Copy as curl');
  expect(text).not.toContain('pixctl --profile');
});

it('an address that no URL can be made of is repeated as it was', async () => {
  const sandbox = await serve();
  await fetch(`${sandbox.url}//`);
  const [request] = sandbox.requests();
  expect(request && pixctlCommandOf(request)).toBe('pixctl --profile sandbox api GET //');
  expect((await (await visit(sandbox)).see(`requests/${request?.number}`)).status).toBe(200);
});
