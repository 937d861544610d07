import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { bodyOf, withQuery } from '../../../src/commands/api/fields.ts';
import { parsePath, refuseWithdrawal } from '../../../src/commands/api/request.ts';
import { startSandbox } from '../../../src/sandbox/index.ts';
import { failure, hostileServer, json, someCharge, success } from '../../support/hostile-server.ts';
import { emptyHome, run } from '../../support/run.ts';

const api = (url: string, args: string[], input = '') =>
  run(['api', ...args], { env: { PIXCTL_BASE_URL: url, PIXCTL_API_KEY: 'svc_canary' }, input });

describe('pixctl api sends', () => {
  const file = join(emptyHome(), 'text.txt');
  writeFileSync(file, 'from a file');
  const latin1 = join(emptyHome(), 'latin1.txt');
  writeFileSync(latin1, Buffer.from('Caf\xe9', 'latin1'));
  it.each([
    { args: ['GET', '/x', '-f', 'a=1 2', '-F', 'b=true'], sent: ['GET', '/base/x?a=1%202&b=true', ''] },
    { args: ['get', 'x?y=1', '-f', 'z=2'], sent: ['GET', '/base/x?y=1&z=2', ''] },
    { args: ['POST', '/x'], sent: ['POST', '/base/x', ''] },
    {
      args: [
        'POST',
        '/x',
        '-f',
        'n=1',
        '-F',
        'm=1',
        '-F',
        'o=null',
        '-F',
        'p=1.5',
        '-F',
        'q=word',
        '-F',
        `r=@${file}`,
      ],
      sent: ['POST', '/base/x', '{"n":"1","m":1,"o":null,"p":1.5,"q":"word","r":"from a file"}'],
    },
    {
      args: ['POST', '/x', '-f', 'events[]=A', '-f', 'events[]=B', '-F', 'a[b][c]=1', '-F', '__proto__[x]=1'],
      sent: ['POST', '/base/x', '{"events":["A","B"],"a":{"b":{"c":1}},"__proto__":{"x":1}}'],
    },
    {
      args: ['PATCH', '/x', '--input', '-', '-f', 'a=1'],
      input: '{"k": [1]}',
      sent: ['PATCH', '/base/x?a=1', '{"k": [1]}'],
    },
    { args: ['DELETE', '/x'], sent: ['DELETE', '/base/x', ''] },
  ])('$args', async ({ args, sent, input }) => {
    await using server = await hostileServer((response) => json(response, 200, success({})));
    const { code } = await api(`${server.url}/base`, args, input);
    expect(code).toBe(0);
    expect(server.received.map(({ method, path, body }) => [method, path, body])).toEqual([sent]);
    expect(server.received[0]?.headers.authorization).toBe('Bearer svc_canary');
  });

  it('text with -f, and says how a number is sent where the service wanted one', async () => {
    await using sandbox = await startSandbox();
    const ask = (...fields: string[]) =>
      run(['api', 'POST', '/transparents/create', '-f', 'method=PIX', ...fields, '--yes'], {
        env: { PIXCTL_BASE_URL: sandbox.url, PIXCTL_API_KEY: sandbox.apiKey },
      });
    const text = await ask('-f', 'amount=1050');
    expect(text.code).toBe(80);
    expect(text.stderr).toContain('  -f sends text; -F amount=1050 sends a number, true, false or null.\n');
    const other = await ask('-F', 'amount=1050', '-f', 'expiresIn=soon');
    expect(other.code).toBe(80);
    expect(other.stderr).not.toContain('-f sends text');
    expect((await ask('-F', 'amount=1050')).code).toBe(0);
  });

  it('what it says of it without the keys in the path', async () => {
    const key = 'svc_live_0123456789';
    const told = await api('http://127.0.0.1:9', ['POST', `/x?as=Bearer%20${key}`, '--dry-run']);
    expect(told.stderr).toContain('POST /x?as=Bearer%20svc_****, profile environment');
    const traced = await api('http://127.0.0.1:9', ['GET', `/keys/${key}?id=${key}`, '--debug']);
    expect(traced.stderr).toContain('/keys/svc_****?id=svc_****');
    expect(traced.stderr).not.toContain(key);
    const refused = await api('http://127.0.0.1:9', ['GET', `https://pay.example/x?as=Bearer%20${key}`]);
    expect(refused.stderr).toContain('"https://pay.example/x?as=Bearer%20svc_****" is not at');
  });

  it.each(['C:/Program Files/Git/charges', 'c:\\charges'])(
    'nothing where a shell has made a file of the path, and says so: %s',
    async (path) => {
      const { code, stderr } = await api('http://127.0.0.1:9', ['GET', path]);
      expect(code).toBe(64);
      expect(stderr).toContain('is a file, not a path of the service. Nothing was sent.');
      expect(stderr).toContain(
        'unless MSYS_NO_PATHCONV=1 is set. A path may also be given without its first slash.',
      );
    },
  );

  it('a whole URL when it lies at the profile, and to no other origin', async () => {
    await using server = await hostileServer((response) => json(response, 200, success({})));
    await using thief = await hostileServer((response) => json(response, 200, success({})));
    expect((await api(server.url, ['GET', `${server.url}/x?a=1`])).code).toBe(0);
    expect(server.received[0]?.path).toBe('/x?a=1');
    for (const url of [
      `${thief.url}/x`,
      `//${new URL(thief.url).host}/x`,
      `${server.url}@${new URL(thief.url).host}/x`,
    ]) {
      expect((await api(server.url, ['GET', url])).code).toBe(64);
    }
    expect(thief.received).toEqual([]);
    expect(server.received).toHaveLength(1);
  });

  it.each([
    [['GET', '/a/../b'], 64],
    [['GET', '/a/%2e%2e/b'], 64],
    [['FETCH', '/a'], 64],
    [['GET', '/a', '--input', '-'], 64],
    [['POST', '/a', '--input', '-'], 64],
    [['POST', '/a', '-f', 'novalue'], 64],
    [['POST', '/a', '-f', 'a=1', '-f', 'a[b]=2'], 64],
    [['POST', '/a', '-F', 'n=9007199254740993'], 64],
    [['POST', '/a', '-F', 'a=@-', '-F', 'b=@/dev/stdin'], 64],
    [['POST', '/a', '--paginate'], 64],
    [['GET', '/a', '-o', 'csv'], 64],
    [['POST', '/withdrawals', '-F', 'amount=100'], 87],
    [['POST', '/Withdrawals/'], 87],
    [['POST', '/%77ithdrawals?x=1'], 87],
    [['POST', '/%2577ithdrawals'], 87],
    [['POST', '/withdrawals;v=1'], 87],
    [['POST', '/withdrawals%20'], 87],
    [['POST', '/withdrawals%3fx'], 87],
    [['POST', '/withdrawals%2f%2e'], 87],
    [['POST', '/withdrawals/x/%252e%252e'], 87],
    [['POST', '/', '--base-url', '{server}/v1/withdrawals'], 87],
    [['POST', '/a', '--dry-run'], 0],
    [['POST', '/a', '-F', `a=@${latin1}`], 64],
  ])('nothing for %j (%i)', async (args, exit) => {
    await using server = await hostileServer((response) => json(response, 200, success({})));
    const words = args.map((word) => word.replace('{server}', server.url));
    const { code } = await api(server.url, words, 'not json');
    expect({ code, received: server.received }).toEqual({ code: exit, received: [] });
  });
});

it.each([
  [['-o', 'csv'], "A line of csv for each item of a list: --jq '.data[] | [.id, .amount] | @csv'"],
  [['--fields', 'id'], 'Parts of it: --jq .data.id'],
])('%j, which does not apply, leads to the filter that does it', async (flags, hint) => {
  await using server = await hostileServer((response) => json(response, 200, success([someCharge])));
  const { stderr } = await api(server.url, ['GET', '/a', ...flags]);
  expect(stderr).toContain(hint);
  const [, filter = ''] = /--jq '?([^']+?)'?$/.exec(hint) ?? [];
  const { code } = await api(server.url, ['GET', '/a', '--jq', filter.replace('.data.id', '.data[0].id')]);
  expect(code).toBe(0);
});

describe('pixctl api tells the truth', () => {
  it.each([
    { what: '2xx', status: 202, body: '{"a":0.10}', get: 0, post: 0 },
    { what: 'no body', status: 204, body: '', get: 0, post: 0 },
    { what: '2xx that says that it failed', status: 200, body: '{"success":false}', get: 1, post: 81 },
    {
      what: '2xx that says both',
      status: 201,
      body: '{"success":true,"error":"INTERNAL_ERROR"}',
      get: 1,
      post: 81,
    },
    { what: '2xx without JSON', status: 200, body: 'ok', get: 1, post: 81 },
    { what: 'a refusal', status: 400, body: JSON.stringify(failure('BAD_REQUEST', 'no')), get: 80, post: 80 },
    { what: '404', status: 404, body: JSON.stringify(failure('NOT_FOUND', 'no')), get: 88, post: 88 },
    { what: 'a redirect', status: 302, body: '', get: 1, post: 81 },
    { what: '500', status: 500, body: JSON.stringify(failure('INTERNAL_ERROR', 'no')), get: 75, post: 81 },
  ])('about $what, and prints what came', async ({ status, body, get, post }) => {
    await using server = await hostileServer((response) => {
      response.writeHead(
        status,
        status === 204 ? {} : { 'content-type': 'application/json', location: '/y' },
      );
      response.end(body);
    });
    const read = await api(server.url, ['GET', '/x']);
    const sent = await api(server.url, ['POST', '/x']);
    expect({ read: read.code, sent: sent.code }).toEqual({ read: get, sent: post });
    expect(read.stdout.trimEnd()).toBe(body);
    expect(server.received.filter(({ method }) => method === 'POST')).toHaveLength(1);
  });

  it('about a path that the service does not know: it need not be the id', async () => {
    await using server = await hostileServer((response) => json(response, 404, failure('NOT_FOUND', 'no')));
    const { stderr } = await api(server.url, ['GET', '/nope']);
    expect(stderr).toContain('Check the path, any id in it, and whether it belongs to this profile');
  });

  it.each([
    ['/transparents/create', 409, 'CONFLICT', 81],
    ['/transparents/refund?id=chg_1', 409, 'CONFLICT', 81],
    ['/transparents/refund?id=chg_1', 400, 'NEW_RULE', 81],
    ['/transparents/refund?id=chg_1', 400, 'BAD_REQUEST', 80],
    ['/customers', 409, 'CONFLICT', 80],
  ])('about POST %s that is refused with %i %s (%i)', async (path, status, error, exit) => {
    await using server = await hostileServer((response) => json(response, status, failure(error, 'no')));
    const { code, stderr } = await api(server.url, ['POST', path]);
    expect(code).toBe(exit);
    expect(stderr).toContain(
      exit === 81 ? `may have taken effect: ${new URL(server.url).host} says ${error}` : error,
    );
  });

  it('with --include shows status and headers', async () => {
    await using server = await hostileServer((response) => json(response, 200, success(1)));
    const { stdout } = await api(server.url, ['GET', '/x', '-i']);
    expect(stdout).toMatch(
      /^200\ncontent-type: application\/json\n(.+\n)+\n\{"data":1,"error":null,"success":true\}\n$/,
    );
  });

  it.each([
    ['ndjson', '{"n":0}\n{"n":1}\n{"n":2}\n'],
    ['json', '[\n{"n":0},\n{"n":1},\n{"n":2}\n]\n'],
  ])('with --paginate -o %s gives the items of all pages', async (format, expected) => {
    await using server = await hostileServer((response, { path }) => {
      const at = Number(new URL(path, 'http://x').searchParams.get('after') ?? 0);
      json(response, 200, { ...success([{ n: at }]), pagination: { hasMore: at < 2, next: String(at + 1) } });
    });
    const get = ['GET', '/things?limit=1', '--paginate', '-o', format];
    const { code, stdout, stderr } = await api(server.url, get);
    expect({ code, stdout, stderr }).toEqual({ code: 0, stdout: expected, stderr: '' });
    expect(server.received.map(({ path }) => path)).toEqual([
      '/things?limit=1',
      '/things?limit=1&after=1',
      '/things?limit=1&after=2',
    ]);
    await api(server.url, ['GET', '/things?a=b?c&after=0', '--paginate']);
    expect(server.received.slice(3).map(({ path }) => path)).toEqual([
      '/things?a=b?c&after=0',
      '/things?a=b?c&after=1',
      '/things?a=b?c&after=2',
    ]);
    const headed = await api(server.url, [...get, '--include']);
    expect(headed.stdout).toBe(expected);
    expect(headed.stderr.match(/^200$/gm)).toHaveLength(3);
  });
});

it.each([
  [401, 'UNAUTHORIZED', 77],
  [400, 'BAD_REQUEST', 80],
])(
  'with --paginate a later page that is refused with %i ends it so, and its array is left open',
  async (status, error, exit) => {
    await using server = await hostileServer((response, { path }) =>
      path.includes('after=')
        ? json(response, status, failure(error, 'no'))
        : json(response, 200, { ...success([{ n: 0 }]), pagination: { hasMore: true, next: 'next' } }),
    );
    const { code, stdout, stderr } = await api(server.url, ['GET', '/things', '--paginate', '-o', 'json']);
    expect({ code, stdout }).toEqual({ code: exit, stdout: '[\n{"n":0}' });
    expect(stderr).toContain(error);
  },
);

it('with --paginate goes back from where a cursor of before begins', async () => {
  const sandbox = await startSandbox();
  const env = { PIXCTL_BASE_URL: sandbox.url, PIXCTL_API_KEY: sandbox.apiKey };
  for (const amount of ['100', '200', '300', '400', '500'])
    await run(['charge', 'create', '--amount', amount, '-q'], { env });
  const get = async (...args: string[]) =>
    run(['api', 'GET', '/transparents/list', '-f', 'limit=2', ...args], { env });
  const cursors = async (...args: string[]) =>
    JSON.parse((await get(...args)).stdout).pagination as { next: string; before: string };
  const second = await cursors('-f', `after=${(await cursors()).next}`);
  const last = await cursors('-f', `after=${second.next}`);
  const { code, stdout } = await get('-f', `before=${last.before}`, '--paginate');
  await sandbox.close();
  const amounts = (JSON.parse(stdout) as { amount: number }[]).map(({ amount }) => amount);
  expect({ code, amounts }).toEqual({ code: 0, amounts: [300, 200, 500, 400] });
});

describe('a key that is not for a sandbox', () => {
  it('does not go to the profile that `sandbox start` wrote', async () => {
    await using server = await hostileServer((response) => json(response, 200, success({})));
    const home = emptyHome();
    const login = ['login', '--profile', 'sandbox', '--base-url', server.url, '--key-stdin', '--no-check'];
    expect((await run(login, { home, input: 'svc_sandbox_1' })).code).toBe(0);
    const env = { PIXCTL_BASE_URL: server.url, PIXCTL_API_KEY: 'svc_live_canary' };
    const { code, stderr } = await run(['charge', 'get', 'chg_1'], { home, env });
    expect({ code, received: server.received }).toEqual({ code: 78, received: [] });
    expect(stderr).not.toContain('canary');
  });
});

describe('paths and fields', () => {
  it.each([
    ['customers/1', 'https://a.example/v1', '/customers/1'],
    ['/customers/1', 'https://a.example/v1', '/customers/1'],
    ['https://a.example/v1/customers/1?x=1', 'https://a.example/v1', '/customers/1?x=1'],
    ['HTTPS://A.example:443/v1/x', 'https://a.example/v1', '/x'],
  ])('%s at %s is %s', (text, base, path) => {
    expect(parsePath(text, base)).toBe(path);
  });

  it.each([
    ['https://a.example/other', 'https://a.example/v1'],
    ['https://a.example.evil/v1/x', 'https://a.example/v1'],
    ['https://u:p@a.example/v1/x', 'https://a.example/v1'],
    ['https://u@a.example/v1/x', 'https://a.example/v1'],
    ['https://:p@a.example/v1/x', 'https://a.example/v1'],
    ['http://a.example/v1/x', 'https://a.example/v1'],
    ['//evil.example/x', 'https://a.example/v1'],
    ['\\\\evil.example/x', 'https://a.example/v1'],
    ['javascript:alert(1)', 'https://a.example/v1'],
  ])('%s does not lie at %s', (text, base) => {
    expect(() => parsePath(text, base)).toThrow(/Nothing was sent/);
  });

  it('refuses a withdrawal only', () => {
    expect(() => refuseWithdrawal('POST', '/withdrawals/%')).not.toThrow();
    expect(() => refuseWithdrawal('POST', '/withdrawals%ff')).not.toThrow();
    expect(() => refuseWithdrawal('POST', '/withdrawals-of-mine;withdrawals')).not.toThrow();
    expect(() => refuseWithdrawal('GET', '/withdrawals')).not.toThrow();
    expect(() => refuseWithdrawal('POST', '/withdrawals/wd_1/cancel')).not.toThrow();
    expect(() => refuseWithdrawal('POST', '/my-withdrawals')).not.toThrow();
    expect(() => refuseWithdrawal('PUT', '/withdrawals')).toThrow(/sends no withdrawals/);
  });

  it.each([
    '/v1/withdrawals',
    '/v1/withdrawals/?dry=1',
    '/;/withdrawals',
    '/;a=b/withdrawals;c=d/',
    '/transparents;x/withdrawals',
    '/%5Cwithdrawals',
    '/v1%2Fwithdrawals%3Bx',
    '/withdrawals/.;x/',
    '/a/..%2f..%2fwithdrawals',
    '/v1/withdrawals.json',
  ])('refuses a withdrawal behind what a server drops or its base URL lacks: %s', (path) => {
    expect(() => refuseWithdrawal('POST', path)).toThrow(/sends no withdrawals/);
  });

  it('encodes a query, and keeps the order of a body', () => {
    expect(withQuery('/x', [['a b', 'c&d']])).toBe('/x?a%20b=c%26d');
    expect(
      JSON.stringify(
        bodyOf([
          ['z', 1],
          ['a', { b: 1 }],
        ]),
      ),
    ).toBe('{"z":1,"a":{"b":1}}');
  });
});

describe('an answer that is no JSON', () => {
  const page = '<title>502</title>\x1b[31m"';
  it.each([
    { args: [], printed: page },
    { args: ['-o', 'json'], printed: '"<title>502</title>\\u001b[31m\\""\n' },
    { args: ['-o', 'ndjson'], printed: '"<title>502</title>\\u001b[31m\\""\n' },
  ])('is what a pipe can read: $args', async ({ args, printed }) => {
    await using server = await hostileServer((response) => {
      response.writeHead(404, { 'content-type': 'text/html' }).end(page);
    });
    expect(await api(server.url, ['GET', '/x', ...args])).toMatchObject({ code: 1, stdout: printed });
  });
});
