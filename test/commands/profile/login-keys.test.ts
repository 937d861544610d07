/** What `login` takes for a key: nothing that is another one than was meant, or that no call could use. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { hostileServer } from '../../support/hostile-server.ts';
import { emptyHome, run } from '../../support/run.ts';
import { type StubService, startStubService } from '../../support/stub-service.ts';

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

it('sends no key with the quotes around it that docker run --env-file, a file or stdin hands on', async () => {
  const path = join(home, 'key');
  writeFileSync(path, `'${key}'\n`, { mode: 0o600 });
  const login = ['login', '--base-url', service.url];
  const base = { PIXCTL_BASE_URL: service.url };
  const said = await Promise.all([
    pixctl([...login, '--key-file', path]),
    pixctl([...login, '--key-stdin'], `"${key}"`),
    pixctl(['charge', 'list'], '', { ...base, PIXCTL_API_KEY: `"${key}"` }),
    pixctl(['charge', 'list'], '', { ...base, PIXCTL_API_KEY_FILE: path }),
  ]);
  const keys = [`The key in ${path}`, 'The API key', 'The key in PIXCTL_API_KEY', `The key in ${path}`];
  for (const [at, { code, stderr }] of said.entries()) {
    expect(code).toBe(64);
    expect(stderr).toContain(`error: ${keys[at]} begins or ends with a quote`);
    expect(stderr).not.toContain(key);
  }
  expect(service.seen).toEqual([]);
});

it.each([
  [404, 'Not Found', 'To store the key without asking: --no-check.'],
  [200, '<html><title>Shop</title></html>', ''],
])(
  'that the address does not know with %i names no command that needs the profile or the key',
  async (status, body, more) => {
    await using server = await hostileServer((response) => {
      response.writeHead(status, { 'content-type': 'text/html' }).end(body);
    });
    const { code, stderr } = await pixctl(
      ['login', '--profile', 'acme', '--base-url', server.url, '--key-stdin'],
      key,
    );
    expect(code).toBe(status === 404 ? 1 : 75);
    const hint = `Check the address ${server.url}: it may lack a path, such as the /v1 of https://api.example.com/v1.`;
    expect(stderr.trimEnd().split('\n').at(-1)).toBe(`  ${hint} ${more}`.trimEnd());
    expect(stderr).toContain('The key was not stored.');
  },
);

const stored = async () =>
  (await pixctl(['profile', 'list', '-o', 'csv', '--fields', 'name'])).stdout.trim().split('\n').slice(1);
const aSandbox = () =>
  pixctl(
    ['login', '--profile', 'sandbox', '--base-url', service.url, '--key-stdin', '--no-check'],
    'svc_sandbox_1',
  );

it.each([['--no-check'], ['--dry-run'], ['--quiet']])(
  'keeps no key of the service for a sandbox, and names no variable that is not set (%s)',
  async (flag) => {
    await aSandbox();
    const { code, stderr } = await pixctl(['login', '--base-url', service.url, '--key-stdin', flag], key);
    expect(code).toBe(78);
    expect(stderr).toContain(`${service.url} is a sandbox, and this is not a sandbox key. Nothing was sent.`);
    expect(stderr).toContain('A sandbox has its own key');
    expect(stderr).not.toContain('PIXCTL_API_KEY');
    expect(await stored()).toEqual(['sandbox']);
    expect(service.seen).toEqual([]);
  },
);

it('names the variable to unset where one gave the key', async () => {
  await aSandbox();
  const { code, stderr } = await pixctl(['charge', 'list'], '', { PIXCTL_API_KEY: key });
  expect(code).toBe(78);
  expect(stderr).toContain('Unset PIXCTL_API_KEY to use the key of the profile sandbox.');
});

it.each([
  ['a key of a sandbox for the service', ['--profile', 'acme'], 'svc_sandbox_1', 'Use a key of the service'],
  ['a key of the service as that of the sandbox', ['--profile', 'sandbox'], key, '--profile <name>'],
])('keeps no %s', async (_title, flags, given, says) => {
  const { code, stderr } = await pixctl(
    ['login', '--base-url', 'https://api.example.com', '--key-stdin', '--no-check', ...flags],
    given,
  );
  expect(code).toBe(78);
  expect(stderr).toContain(says);
  expect(await stored()).toEqual([]);
});
