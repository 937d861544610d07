/** A service whose answer to a registration has no secret where it was assumed. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, it } from 'vitest';
import { emptyHome, run } from '../../../support/run.ts';

it('is told with the endpoint that stays behind, and with what shows the answer', async () => {
  const server = createServer((request, response) => {
    request.resume();
    const data = { id: 'wh_7', signingKey: 'whsec_elsewhere' };
    response.writeHead(201, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ data, error: null, success: true }));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const env = {
    PIXCTL_BASE_URL: `http://127.0.0.1:${port}`,
    PIXCTL_API_KEY: 'svc_test',
    PIXCTL_MERCHANT: 'm',
  };
  const args = ['webhook', 'add', '--url', 'https://shop.example/hook', '--events', 'CHARGE_PAID'];
  const { code, stderr } = await run(args, { home: emptyHome(), env });
  expect(code).toBe(1);
  expect(stderr).toContain('The endpoint wh_7 was registered for https://shop.example/hook');
  expect(stderr).toContain('--debug shows an answer');
  expect(stderr).not.toContain('whsec_elsewhere');
  server.close();
});
