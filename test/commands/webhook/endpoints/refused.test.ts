/** Registrations that the service refuses at a point that its document leaves open: what can be done then. */
import { expect, it } from 'vitest';
import { startSandbox } from '../../../../src/sandbox/index.ts';
import { freePort } from '../../../support/free-port.ts';
import { hostileServer, json } from '../../../support/hostile-server.ts';
import { emptyHome, run } from '../../../support/run.ts';

it.each(['CONFLICT', 'BAD_REQUEST'])(
  'webhook add and listen say what can be done where a second registration is refused with %s',
  async (word) => {
    const refusal = word === 'CONFLICT' ? '409:CONFLICT' : '400:BAD_REQUEST';
    await using sandbox = await startSandbox({ assume: { 'webhook-repeated-url': refusal } });
    const env = { PIXCTL_BASE_URL: sandbox.url, PIXCTL_API_KEY: sandbox.apiKey, PIXCTL_MERCHANT: 'm' };
    const port = await freePort();
    const add = ['webhook', 'add', '--url', `http://127.0.0.1:${port}/`, '--events', 'CHARGE_PAID'];
    expect((await run(add, { home: emptyHome(), env })).code).toBe(0);
    for (const again of [add, ['webhook', 'listen', '--port', String(port)]]) {
      const { code, stderr } = await run(again, { home: emptyHome(), env });
      expect(code).toBe(80);
      expect(stderr).toMatch(new RegExp(`says ${word}: webhook endpoint wh_\\w+ has this address`));
      expect(stderr).toContain('its secret is not shown again: register another address');
    }
  },
);

it('webhook add and listen name the flag for the address where the service refuses the registration, and it helps', async () => {
  await using sandbox = await startSandbox({ assume: { 'webhook-url-field': 'targetUrl' } });
  const env = { PIXCTL_BASE_URL: sandbox.url, PIXCTL_API_KEY: sandbox.apiKey, PIXCTL_MERCHANT: 'm' };
  const add = ['webhook', 'add', '--url', 'https://shop.example/hook', '--events', 'CHARGE_PAID'];
  for (const refused of [add, ['webhook', 'listen', '--port', '0', '--register']]) {
    const { code, stderr } = await run(refused, { env });
    expect(code).toBe(80);
    expect(stderr).toContain('says VALIDATION_ERROR: targetUrl: is required');
    expect(stderr).toContain('sent as "url", a name that the service\'s document does not show');
    expect(stderr).toContain('pixctl webhook add --url-field <name>');
  }
  expect((await run([...add, '--url-field', 'targetUrl'], { env })).code).toBe(0);
});

it('webhook add and listen name the flag for the events where the service refuses one of them', async () => {
  await using sandbox = await startSandbox();
  const env = { PIXCTL_BASE_URL: sandbox.url, PIXCTL_API_KEY: sandbox.apiKey, PIXCTL_MERCHANT: 'm' };
  for (const refused of [
    ['webhook', 'add', '--url', 'https://shop.example/hook', '--events', 'charge_paid'],
    ['webhook', 'listen', '--port', '0', '--events', 'charge_paid'],
  ]) {
    const { code, stderr } = await run(refused, { env });
    expect(code).toBe(80);
    expect(stderr).toContain('says VALIDATION_ERROR: events: "charge_paid" is not an event name');
    expect(stderr).toContain('Give other --events: the document names CHARGE_PAID, ');
    expect(stderr).not.toContain('--url-field');
  }
});

it('webhook listen says what can be done where the service tries an address before it registers it', async () => {
  await using server = await hostileServer((response, request) => {
    if (request.method !== 'POST') return json(response, 404, {});
    const { url } = JSON.parse(request.body);
    void fetch(url, { method: 'POST', body: '{"event":"PING"}' }).then(({ status }) => {
      const message = `url: the endpoint answered ${status}`;
      json(response, 400, { error: 'VALIDATION_ERROR', message, success: false });
    });
  });
  const env = { PIXCTL_BASE_URL: server.url, PIXCTL_API_KEY: 'svc_test', PIXCTL_MERCHANT: 'm' };
  const { code, stderr } = await run(['webhook', 'listen', '--port', '0', '--register'], { env });
  expect(code).toBe(80);
  expect(stderr).toContain('the endpoint answered 503');
  expect(stderr).toContain('because the secret was not known yet');
  expect(stderr).toMatch(/pixctl webhook add --url http:\S+ --events "?CHARGE_PAID,\S+ registers it/);
  // The request of a stranger may have been that POST.
  expect(stderr).toContain('--url-field');
});
