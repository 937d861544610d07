/** `charge list` against the sandbox, and against servers whose lists misbehave. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Sandbox, startSandbox } from '../../../src/sandbox/index.ts';
import { chargeView } from '../../../src/views/charge.ts';
import { hostileServer, json, someCharge, success } from '../../support/hostile-server.ts';
import { inQuotes, noShell, skipped } from '../../support/platform.ts';
import { emptyHome, run } from '../../support/run.ts';

let sandbox: Sandbox;
let ana: string;
beforeAll(async () => {
  sandbox = await startSandbox();
  ana = sandbox.addCustomer({ name: 'Ana', email: 'ana@example.com', taxId: '52998224725' }).id;
  const key = { authorization: `Bearer ${sandbox.apiKey}`, 'content-type': 'application/json' };
  for (let n = 1; n <= 230; n++) {
    const body = JSON.stringify({
      method: 'PIX',
      amount: n * 100,
      ...(n % 10 === 0 ? { customerId: ana } : {}),
    });
    const reply = await fetch(`${sandbox.url}/transparents/create`, { method: 'POST', headers: key, body });
    const { data } = (await reply.json()) as { data: { id: string } };
    if (n % 4 === 0) sandbox.pay(data.id);
  }
});
afterAll(() => sandbox.close());

const at = (url: string, ...args: string[]) =>
  run(['charge', 'list', ...args], { env: { PIXCTL_BASE_URL: url, PIXCTL_API_KEY: 'svc_sandbox_x' } });
const list = (...args: string[]) =>
  run(['charge', 'list', ...args], { env: { PIXCTL_BASE_URL: sandbox.url, PIXCTL_API_KEY: sandbox.apiKey } });
const fetchText = async (query: string): Promise<string> => {
  const headers = { authorization: `Bearer ${sandbox.apiKey}` };
  return (await fetch(`${sandbox.url}/transparents/list${query}`, { headers })).text();
};
const amounts = (ndjson: string): number[] =>
  ndjson
    .trimEnd()
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line).amount / 100);
const range = (from: number, to: number): number[] =>
  Array.from({ length: to - from + 1 }, (_, at) => from + at);

describe('charge list', () => {
  it('gives a page, and how to get the next', async () => {
    const first = await list('--limit', '3', '-o', 'ndjson');
    expect(amounts(first.stdout)).toEqual([230, 229, 228]);
    const cursor = /--after (\S+)/.exec(first.stderr)?.[1] ?? '';
    expect(first.stderr).toContain('More: pixctl charge list --limit 3 --after ');
    expect(amounts((await list('--limit', '3', '--after', cursor, '-o', 'ndjson')).stdout)).toEqual([
      227, 226, 225,
    ]);
  });

  it('says how many charges of a period it could not date', async () => {
    const dated = { ...someCharge, createdAt: '2026-11-23T02:00:00.000Z' };
    const data = [dated, { ...someCharge, id: 'chg_2', createdAt: '' }];
    await using server = await hostileServer((response) =>
      json(response, 200, { ...success(data), pagination: { hasMore: false, next: null, before: null } }),
    );
    for (const period of [
      ['--since', '2026-01-01'],
      ['--until', '2026-12-31'],
    ]) {
      const { stdout, stderr } = await at(server.url, ...period, '-o', 'ndjson');
      expect(stdout).toBe(`${JSON.stringify(dated)}\n`);
      expect(stderr).toBe('warning: Left out: 1 charge whose creation time cannot be read.\n');
    }
    expect((await at(server.url, '--all')).stderr).toBe('');
  });

  it('shows a charge whose customer has no name, e-mail or tax id, and leaves it as it came in json', async () => {
    const data = [
      { ...someCharge, customer: { id: 'cust_1', name: null, taxId: null, email: null } },
      { ...someCharge, id: 'chg_2', customer: { id: 'cust_2', taxId: '52998224725', age: 33 } },
      {
        ...someCharge,
        id: 'chg_3',
        customer: { id: 'cust_3', name: 'Ana', taxId: '1', email: 'a@b.example' },
      },
    ];
    await using server = await hostileServer((response) =>
      json(response, 200, { ...success(data), pagination: { hasMore: false, next: null, before: null } }),
    );
    const table = await at(server.url);
    expect(table).toMatchObject({ code: 0, stderr: '' });
    expect(table.stdout.split('\n').map((line) => line.split('\t')[4])).toEqual([
      'Customer',
      'cust_1',
      'cust_2',
      'cust_3',
      undefined,
    ]);
    const { text } = chargeView.columns.find(({ key }) => key === 'customer') ?? {};
    expect(data.map((charge) => text?.(charge))).toEqual(['- (cust_1)', '- (cust_2)', 'Ana (cust_3)']);
    expect(JSON.parse((await at(server.url, '-o', 'json')).stdout)).toEqual(data);
    const only = await at(server.url, '--customer', 'cust_2', '-o', 'ndjson');
    expect(only.stdout).toBe(`${JSON.stringify(data[1])}\n`);
  });

  it.each([
    { amount: '1050' },
    { amount: null },
    { status: null },
    { id: '' },
    { customer: { name: 'Ana', taxId: '1', email: 'a@b.example' } },
  ])('still refuses a wrong value that money depends on: %j', async (wrong) => {
    const data = [{ ...someCharge, ...wrong }];
    await using server = await hostileServer((response) =>
      json(response, 200, { ...success(data), pagination: { hasMore: false, next: null, before: null } }),
    );
    const { code, stderr } = await at(server.url);
    expect([code, stderr]).toEqual([1, expect.stringContaining('does not fit the contract')]);
  });

  it('goes on in the direction in which it was asked', async () => {
    const { pagination } = JSON.parse(await fetchText('?limit=3'));
    const second = JSON.parse(await fetchText(`?limit=3&after=${pagination.next}`));
    const third = JSON.parse(await fetchText(`?limit=3&after=${second.pagination.next}`));
    const back = await list('--limit', '3', '--before', third.pagination.before, '-o', 'ndjson');
    expect(amounts(back.stdout)).toEqual([227, 226, 225]);
    expect(back.stderr).not.toContain('--after');
    const cursor = /^More: pixctl charge list --limit 3 --before (\S+) -o ndjson$/m.exec(back.stderr)?.[1];
    const first = await list('--limit', '3', '--before', cursor ?? '', '-o', 'ndjson');
    expect(amounts(first.stdout)).toEqual([230, 229, 228]);
    expect(first.stderr).toBe('');
  });

  it.each([
    [[], ''],
    [['--json'], ' --json'],
    [
      ['-o', 'csv', '--fields', 'id,amount', '--csv-locale', 'pt-BR'],
      ` -o csv --fields ${process.platform === 'win32' ? inQuotes('id,amount') : 'id,amount'} --csv-locale pt-BR`,
    ],
    [['--output=ndjson', '--csv-locale', 'machine'], ' -o ndjson'],
    [['-o', 'ndjson', '--jq=-.amount'], ' -o ndjson --jq=-.amount'],
  ])('gets the next page as it showed the first: %j', async (flags, said) => {
    const { stderr } = await list('--limit', '2', ...flags);
    expect(stderr).toMatch(new RegExp(`^More: pixctl charge list --limit 2 --after \\S+${said}$`, 'm'));
  });

  it.each(['7', '100'])('gives every charge once with --all, %s per page', async (limit) => {
    const { code, stdout } = await list('--all', '--limit', limit, '-o', 'ndjson');
    expect({ code, amounts: amounts(stdout) }).toEqual({ code: 0, amounts: range(1, 230).reverse() });
  });

  it('reads as many pages as it takes for more than the service gives at once', async () => {
    const { code, stdout, stderr } = await list('--limit', '205', '-o', 'ndjson');
    expect({ code, amounts: amounts(stdout) }).toEqual({ code: 0, amounts: range(26, 230).reverse() });
    expect(stderr).toContain('Stopped at 205; --all shows every one that matches.');
    const cursor = /--after (\S+)/.exec((await list('--limit', '100')).stderr)?.[1] ?? '';
    const rest = await list('--limit', '500', '--after', cursor, '-o', 'ndjson');
    expect(amounts(rest.stdout)).toEqual(range(1, 130).reverse());
    expect(rest.stderr).toBe('');
  });

  it.each([
    { flags: ['--status', 'paid', '--all'], wanted: range(1, 230).filter((n) => n % 4 === 0) },
    { flags: ['--customer', () => ana, '--all'], wanted: range(1, 23).map((n) => n * 10) },
    { flags: ['--min-amount', '200,00', '--max-amount', '20500', '--all'], wanted: range(200, 205) },
    {
      flags: ['--status', 'PAID,EXPIRED', '--min-amount', '20000', '--all'],
      wanted: [200, 204, 208, 212, 216, 220, 224, 228],
    },
    { flags: ['--until', '2020-01-01', '--all'], wanted: [] },
    { flags: ['--since', '1h', '--status', 'PAID', '--limit', '2'], wanted: [224, 228] },
  ])('filters here with $flags', async ({ flags, wanted }) => {
    const { code, stdout } = await list(
      ...flags.map((flag) => (typeof flag === 'string' ? flag : flag())),
      '-o',
      'ndjson',
    );
    expect({ code, amounts: amounts(stdout) }).toEqual({ code: 0, amounts: [...wanted].reverse() });
  });

  it.each([
    [['--limit', '0'], '1 to 100'],
    [['--limit', '10001'], '1 to 10000'],
    [['--limit', '101', '--all'], '1 to 100'],
    [['--status', 'PAYED'], 'did you mean PAID?'],
    [['--since', 'last week'], 'is not a moment'],
    [['--since', '2026-02-30'], 'is not a moment'],
    [['--min-amount', '1,5'], '--min-amount'],
    [['--after', 'a', '--before', 'b'], 'contradict'],
  ])('refuses %j with 64', async (flags, says) => {
    const { code, stderr } = await list(...flags);
    expect({ code, says: stderr.includes(says) }).toEqual({ code: 64, says: true });
  });

  it.skipIf(noShell !== null)(skipped('ends quietly when its reader goes away', noShell), async () => {
    const { spawn } = await import('node:child_process');
    const { cleanEnvironment, emptyHome, programPath } = await import('../../support/run.ts');
    const env = cleanEnvironment(emptyHome(), {
      PIXCTL_BASE_URL: sandbox.url,
      PIXCTL_API_KEY: sandbox.apiKey,
    });
    const shell = spawn(
      'sh',
      [
        '-c',
        '"$0" "$1" charge list --all --limit 1 -o ndjson | head -n 2; exit $?',
        process.execPath,
        programPath(),
      ],
      { env },
    );
    let out = '';
    let err = '';
    shell.stdout.on('data', (chunk) => {
      out += chunk;
    });
    shell.stderr.on('data', (chunk) => {
      err += chunk;
    });
    await new Promise((resolve) => shell.once('close', resolve));
    expect({ lines: out.trimEnd().split('\n').length, err }).toEqual({ lines: 2, err: '' });
  });
});

describe('a list that moves while it is read', () => {
  const ids = (items: readonly (readonly [number, string])[], next: string | null) => ({
    ...success(items.map(([n, status]) => ({ ...someCharge, id: `chg_${n}`, status }))),
    pagination: { hasMore: next !== null, next, before: null },
  });

  it.each([
    { flags: ['--all'], lines: 230 },
    { flags: ['--all', '--limit', '7'], lines: 230 },
    { flags: ['--all', '--status', 'PAID'], lines: 57 },
  ])('gives an item that is on two pages only once, with $flags', async ({ flags, lines }) => {
    sandbox.faults.preset('moving-pages');
    const { code, stdout } = await list(...flags, '-o', 'ndjson').finally(() => sandbox.faults.clear());
    const shown = stdout.trimEnd().split('\n');
    expect({ code, lines: shown.length, once: new Set(shown).size }).toEqual({ code: 0, lines, once: lines });
  });

  it('gives a charge that was left out before it was paid', async () => {
    await using server = await hostileServer((response, { path }) =>
      json(
        response,
        200,
        path.includes('after=c1')
          ? ids(
              [
                [2, 'PAID'],
                [1, 'PAID'],
              ],
              null,
            )
          : ids(
              [
                [3, 'PAID'],
                [2, 'PENDING'],
              ],
              'c1',
            ),
      ),
    );
    const { stdout } = await at(server.url, '--all', '--status', 'PAID', '-o', 'ndjson');
    expect(stdout.match(/chg_\d/g)).toEqual(['chg_3', 'chg_2', 'chg_1']);
  });
});

describe('a list that misbehaves', () => {
  let made = 0;
  const page = (items: number, next: string | null) => ({
    ...success(Array.from({ length: items }, () => ({ ...someCharge, id: `chg_${++made}` }))),
    pagination: { hasMore: next !== null, next, before: null },
  });

  it('says to start over when its own cursor is refused, after what it has shown', async () => {
    await using server = await hostileServer((response, { path }) =>
      path.includes('after=c2')
        ? json(response, 400, {
            success: false,
            error: 'VALIDATION_ERROR',
            message: 'cursor \u001b[31mgone\u0007',
          })
        : json(response, 200, page(2, path.includes('after=c1') ? 'c2' : 'c1')),
    );
    const { code, stdout, stderr } = await at(server.url, '--all', '-o', 'ndjson');
    expect({ code, lines: stdout.trimEnd().split('\n').length }).toEqual({ code: 80, lines: 4 });
    expect(stderr).toContain('"hint":"Start again from the first page."');
    const further = await at(server.url, '--all', '--after', 'c1', '-o', 'ndjson');
    expect(further.stderr).toContain('"hint":"Start again: --after c1"');
    expect(stderr).toContain('cursor \\u001b[31mgone\\u0007');
  });

  it('is no loop', async () => {
    await using server = await hostileServer((response) => json(response, 200, page(1, 'same')));
    const { code, stdout, stderr } = await at(server.url, '--all', '-o', 'ndjson');
    expect({ code, lines: stdout.trimEnd().split('\n').length }).toEqual({ code: 1, lines: 2 });
    expect(stderr).toMatch(/for the second time; stopped, because it would never end\.","exitCode":1\}\}\n$/);
  });
});

describe('a day of --since and --until', () => {
  // The day begins at 03:00Z in São Paulo, at 05:00Z in New York.
  const hours = ['02:59:59', '03:00:00', '04:59:59', '05:00:00', '23:59:59'];
  const listed = async (env: Record<string, string>, { timeZone, flags = ['-o', 'json'] }: DayOptions) => {
    await using server = await hostileServer((response) =>
      json(response, 200, {
        ...success(hours.map((at) => ({ ...someCharge, id: at, createdAt: `2026-11-23T${at}.000Z` }))),
        pagination: { hasMore: false, next: null, before: null },
      }),
    );
    const home = emptyHome();
    if (timeZone !== undefined) await run(['config', 'set', 'timeZone', timeZone], { home });
    const { code, stdout } = await run(
      ['charge', 'list', '--since', '2026-11-23', '--until', '2026-11-23', ...flags],
      { home, env: { PIXCTL_BASE_URL: server.url, PIXCTL_API_KEY: 'svc_sandbox_x', ...env } },
    );
    expect(code).toBe(0);
    return hours.filter((at) => stdout.includes(`T${at}`) || stdout.includes(`\n${at};`));
  };
  interface DayOptions {
    readonly timeZone?: string;
    readonly flags?: string[];
  }
  // An empty TZ is none: the machine is then in UTC, as servers are.
  const server = { TZ: '' };
  const forBrazil = ['-o', 'csv', '--csv-locale', 'pt-BR'];

  it('is one of the configured zone, wherever the output goes', async () => {
    expect(await listed(server, { timeZone: 'America/Sao_Paulo' })).toEqual(hours.slice(1));
    expect(await listed(server, { timeZone: 'America/New_York' })).toEqual(hours.slice(3));
  });

  it('is one of TZ first, as times in tables are, and otherwise of the machine', async () => {
    expect(await listed({ TZ: 'UTC' }, { timeZone: 'America/New_York' })).toEqual(hours);
    expect(await listed({ TZ: 'America/New_York' }, {})).toEqual(hours.slice(3));
    expect(await listed(server, {})).toEqual(hours);
  });

  it.each(['America/Sao_Paul', 'america/sao_paulo', 'Etc/GMTT+3', '<-03>3'])(
    'is none where TZ is %s, which Node takes for UTC without a word',
    async (TZ) => {
      const { code, stderr } = await run(['charge', 'list', '--since', '2026-11-23'], {
        env: { PIXCTL_BASE_URL: sandbox.url, PIXCTL_API_KEY: sandbox.apiKey, TZ },
      });
      expect({ code, stderr }).toEqual({
        code: 78,
        stderr: expect.stringContaining(`TZ is "${TZ}", which is not a time zone known here`),
      });
    },
  );

  it.each([
    'UTC',
    'Etc/UTC',
    'GMT',
    'UTC0',
    'Zulu',
    // Forms of POSIX, which Windows has not.
    ...(process.platform === 'win32' ? [] : [':UTC', 'posix/Europe/London', 'BRT3']),
    'Europe/London',
    'EST5EDT',
  ])('is one where TZ is %s', async (TZ) => {
    expect(await listed({ TZ }, {})).not.toEqual([]);
  });

  it('is one of São Paulo in csv for Brazil, whose times are', async () => {
    expect(await listed({ TZ: 'UTC' }, { flags: forBrazil })).toEqual(hours.slice(1));
    expect(await listed(server, { timeZone: 'America/New_York', flags: forBrazil })).toEqual(hours.slice(1));
  });
});
