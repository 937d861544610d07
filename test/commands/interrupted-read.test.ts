/** Interrupted in the pause before a read is tried again: the run ends because of that, not of the answer before it. */
import { once } from 'node:events';
import { expect, it } from 'vitest';
import { hostileServer, json } from '../support/hostile-server.ts';
import { noSignals, skipped } from '../support/platform.ts';
import { start } from '../support/run.ts';

it.skipIf(noSignals !== null).each([
  ['SIGINT', 130],
  ['SIGTERM', 143],
] as const)(
  skipped('%s between two tries of a read ends with %i, and not with "run it again"', noSignals),
  async (signal, exit) => {
    await using server = await hostileServer((response) => {
      response.setHeader('retry-after', '9');
      json(response, 429, { error: 'RATE_LIMITED', message: 'slow down', success: false });
    });
    const env = { PIXCTL_BASE_URL: server.url, PIXCTL_API_KEY: 'svc_test_key' };
    const child = start(['charge', 'get', 'chg_1', '--debug'], { env });
    let said = '';
    child.stderr.on('data', (chunk) => {
      const isPaused = said.includes('< 429');
      said += chunk;
      if (!isPaused && said.includes('< 429')) child.kill(signal);
    });
    expect(await once(child, 'close')).toEqual([exit, null]);
    expect(said).toContain('Stopped while asking');
    expect(server.received).toHaveLength(1);
  },
);
