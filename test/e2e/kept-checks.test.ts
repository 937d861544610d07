/**
 * What a bundler takes for superfluous: a call that it knows to change nothing, and whose result is not used, though
 * it was made to see whether it throws. Only the built program shows it.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, it } from 'vitest';
import { programPath, run } from '../support/run.ts';

const dist = join(dirname(dirname(programPath())), 'dist');

describe('the built program', () => {
  it('tries nothing that has been left out', () => {
    const files = readdirSync(dist, { recursive: true, encoding: 'utf8' }).filter((name) =>
      /\.c?js$/.test(name),
    );
    const emptied = /\btry \{\s*(?:return (?:true|false|null|undefined|void 0);\s*)?\}/;
    expect(files.length).toBeGreaterThan(10);
    expect(files.filter((name) => emptied.test(readFileSync(join(dist, name), 'utf8')))).toEqual([]);
  });

  it('refuses a webhook address whose password no request can be made of', async () => {
    const built = pathToFileURL(join(dist, 'sandbox.js')).href;
    const { startSandbox } = (await import(built)) as typeof import('../../src/sandbox/index.ts');
    await using sandbox = await startSandbox();
    const answer = await fetch(`${sandbox.url}/webhooks`, {
      method: 'POST',
      headers: { authorization: `Bearer ${sandbox.apiKey}`, 'content-type': 'application/json' },
      body: JSON.stringify({ url: 'http://user:50%25%@127.0.0.1:9/', events: ['CHARGE_PAID'] }),
    });
    expect([answer.status, await answer.json()]).toEqual([
      400,
      {
        error: 'VALIDATION_ERROR',
        message: 'url: must have % only in front of two hexadecimal digits, and UTF-8 in them',
        success: false,
      },
    ]);
  });

  it('says what is wrong with the password of a proxy, rather than that it is broken', async () => {
    const { code, stderr } = await run(['charge', 'list'], {
      env: {
        HTTPS_PROXY: 'http://user:50%@127.0.0.1:9',
        PIXCTL_BASE_URL: 'https://127.0.0.1:9',
        PIXCTL_API_KEY: 'svc_abcdefgh',
      },
    });
    expect(stderr).toContain(
      'The user name or password in HTTPS_PROXY has a % that is not part of a percent code.',
    );
    expect(code).toBe(78);
  });
});
