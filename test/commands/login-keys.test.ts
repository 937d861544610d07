/** What `login` takes for a key: nothing that is another one than was meant, or that no call could use. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { emptyHome, run } from '../support/run.ts';
import { type StubService, startStubService } from '../support/stub-service.ts';

const key = 'svc_live_1';
let service: StubService;
let home: string;

beforeEach(async () => {
  service = await startStubService(key);
  home = emptyHome();
});
afterEach(() => service.close());

const pixctl = (args: readonly string[], input: string | Uint8Array = '', env: Record<string, string> = {}) =>
  run(args, { home, input, env });

it('says of a key in UTF-16, from a file or stdin, what is wrong with it', async () => {
  const path = join(home, 'key');
  const bytes = Buffer.from(`\ufeff${key}`, 'utf16le');
  writeFileSync(path, bytes, { mode: 0o600 });
  for (const way of [['--key-file', path], ['--key-stdin']]) {
    const { code, stderr } = await pixctl(['login', '--base-url', service.url, ...way], bytes);
    expect(code).toBe(64);
    expect(stderr).toContain('is UTF-16');
  }
  const env = { PIXCTL_BASE_URL: service.url, PIXCTL_API_KEY_FILE: path };
  expect((await pixctl(['charge', 'list'], '', env)).stderr).toContain(`The key in ${path} is UTF-16`);
  expect(service.seen).toEqual([]);
});
