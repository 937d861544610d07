/** A service that registers an address once, and a machine that does not know the first secret. */
import { expect, it } from 'vitest';
import { startSandbox } from '../../../../src/sandbox/index.ts';
import { freePort } from '../../../support/free-port.ts';
import { emptyHome, run } from '../../../support/run.ts';

it('webhook add and listen say what can be done where the service refuses a second registration', async () => {
  await using sandbox = await startSandbox({ assume: { 'webhook-repeated-url': '409:CONFLICT' } });
  const env = { PIXCTL_BASE_URL: sandbox.url, PIXCTL_API_KEY: sandbox.apiKey, PIXCTL_MERCHANT: 'm' };
  const port = await freePort();
  const add = ['webhook', 'add', '--url', `http://127.0.0.1:${port}/`, '--events', 'CHARGE_PAID'];
  expect((await run(add, { home: emptyHome(), env })).code).toBe(0);
  for (const again of [add, ['webhook', 'listen', '--port', String(port)]]) {
    const { code, stderr } = await run(again, { home: emptyHome(), env });
    expect(code).toBe(80);
    expect(stderr).toMatch(/says CONFLICT: webhook endpoint wh_\w+ has this address/);
    expect(stderr).toContain('its secret is not shown again: register another address');
  }
});
