/** A Node without SQLite: built without it, or told to do without. */
import { expect, it } from 'vitest';
import { run } from '../../support/run.ts';

it.each([
  [['webhook', 'inbox']],
  [['demo']],
  [['sandbox', 'start', '--port', '0']],
  [
    [
      ...['withdraw', '--amount', '1,00', '--to', 'a@example.com', '--type', 'EMAIL'],
      ...['--yes', '--idempotency-key', 'k'],
    ],
  ],
])('is told to whoever runs %j, which sends nothing', async (words) => {
  const env = {
    PIXCTL_BASE_URL: 'http://127.0.0.1:1',
    PIXCTL_API_KEY: 'svc_canary',
    NODE_OPTIONS: '--no-experimental-sqlite',
  };
  const { code, stdout, stderr } = await run(words, { env });
  expect({ code, stdout }).toEqual({ code: 78, stdout: '' });
  expect(stderr).toContain('Node has no SQLite (node:sqlite)');
  expect(stderr).toMatch(/nothing was sent/i);
});
