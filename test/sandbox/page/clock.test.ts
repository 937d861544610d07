/** What the page says of the sandbox's clock. */
import { setImmediate } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { type Served, serve } from '../support/over-http.ts';

async function told({ uiUrl, url }: Served): Promise<string | undefined> {
  const { headers } = await fetch(uiUrl, { redirect: 'manual' });
  const cookie = headers.get('set-cookie')?.split(';')[0] ?? '';
  const page = await (await fetch(`${url}/__sandbox/ui/clock`, { headers: { cookie } })).text();
  return /<dt>It<\/dt><dd>([^<]+)</.exec(page)?.[1];
}

it('stands still, runs with the machine, behind it or ahead of it', async () => {
  const sandbox = await serve();
  expect(await told(sandbox)).toBe('runs with the machine');
  sandbox.clock.freeze();
  expect(await told(sandbox)).toBe('stands still');
  while (Date.now() <= sandbox.clock.now()) await setImmediate();
  sandbox.clock.unfreeze();
  expect(await told(sandbox)).toBe('runs, behind the machine');
  await sandbox.clock.advance('1h');
  expect(await told(sandbox)).toBe('runs, ahead of the machine');
});
