/** `webhook add --secret-file` where the file can be made and not be written, as on a full disk. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { expect, it } from 'vitest';
import { serve } from '../../../sandbox/support/over-http.ts';
import { cleanEnvironment, emptyHome, programPath } from '../../../support/run.ts';

it.skipIf(process.platform === 'win32')('does not send anybody to a file that has no secret', async () => {
  const { url, apiKey } = await serve();
  const home = emptyHome();
  const file = join(home, 'pix.secret');
  const args = ['webhook', 'add', '--url', 'https://shop.example/', '--events', 'CHARGE_PAID'];
  const command = [process.execPath, programPath(), ...args, '--secret-file', file];
  // No file may have so much as a byte.
  const child = spawn('sh', ['-c', 'ulimit -f 0; exec "$@"', 'sh', ...command], {
    env: cleanEnvironment(home, { PIXCTL_BASE_URL: url, PIXCTL_API_KEY: apiKey }),
  });
  const [stderr, [code]] = await Promise.all([text(child.stderr), once(child, 'close')]);
  expect(code).toBe(1);
  expect(readFileSync(file, 'utf8')).toBe('');
  expect(stderr).toMatch(/The endpoint wh_\w+ is registered for https:\/\/shop.example\//);
  expect(stderr).toContain('Its secret is lost: the service does not show it again.');
  expect(stderr).not.toContain('Its secret is in');
});
