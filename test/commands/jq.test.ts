/** `--jq` as users type it: real runs, the real sandbox, and what becomes of the exit code. */
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startService } from '../../bench/service.ts';
import { type Sandbox, startSandbox } from '../../src/sandbox/index.ts';
import { listenOnLoopback } from '../support/listen-on-loopback.ts';
import { noSignals, skipped } from '../support/platform.ts';
import { emptyHome, run, start } from '../support/run.ts';

let sandbox: Sandbox;
beforeAll(async () => {
  sandbox = await startSandbox();
  sandbox.setMerchant({ available: 1_000_000 });
});
afterAll(() => sandbox.close());

const env = () => ({
  PIXCTL_BASE_URL: sandbox.url,
  PIXCTL_API_KEY: sandbox.apiKey,
  PIXCTL_MERCHANT: 'shop',
});
const home = emptyHome();
const pixctl = (...args: string[]) => run(args, { env: env(), home });
const posts = () => sandbox.requests().filter(({ method }) => method === 'POST').length;
const errorIn = (stderr: string): Record<string, unknown> =>
  (JSON.parse(stderr.trimEnd().split('\n').at(-1) ?? '') as { error: Record<string, unknown> }).error;
/** The ids of all charges, as they come. */
const created: string[] = [];
const create = async (...flags: string[]): Promise<string> => {
  const line = ['charge', 'create', '--amount', '10,50', '--jq', '.id', ...flags];
  const id = (await pixctl(...line)).stdout.trimEnd();
  created.push(id);
  return id;
};
const addressOf = async (server: Server): Promise<string> =>
  `http://127.0.0.1:${await listenOnLoopback(server)}`;

describe('--jq', () => {
  it('prints text as it is, any other value as a line of JSON', async () => {
    const id = await create();
    expect(await pixctl('charge', 'get', id, '--jq', '.status, .amount, {id}')).toMatchObject({
      code: 0,
      stdout: `PENDING\n1050\n{"id":"${id}"}\n`,
      stderr: '',
    });
  });

  it('sees a list as a whole with json, and item by item with ndjson', async () => {
    await create();
    await create();
    const count = created.length;
    const list = ['charge', 'list', '--all'];
    expect((await pixctl(...list, '--jq', 'length')).stdout).toBe(`${count}\n`);
    expect((await pixctl(...list, '--json', '--jq', 'map(.amount) | unique')).stdout).toBe('[1050]\n');
    const lines = (await pixctl(...list, '-o', 'ndjson', '--jq', '.amount')).stdout;
    expect(lines).toBe('1050\n'.repeat(count));
    expect((await pixctl(...list, '--fields', 'amount', '--jq', '.[0]')).stdout).toBe('{"amount":1050}\n');
  });

  it.each([
    ['.id |', 'syntax error, unexpected end of file (line 1, column 5)'],
    ['.id | idd', 'idd/0 is not defined (line 1, column 7)'],
  ])('%j is refused before anything is sent', async (jq, says) => {
    const before = posts();
    for (const args of [
      ['charge', 'create', '--amount', '10,50'],
      ['withdraw', '--amount', '10,00', '--to', '52998224725', '--idempotency-key', 'wrong', '--yes'],
      // Before it asks for what is missing, too.
      ['charge', 'create'],
    ]) {
      const { code, stdout, stderr } = await pixctl(...args, '--jq', jq);
      expect({ code, stdout }).toEqual({ code: 64, stdout: '' });
      expect(errorIn(stderr)).toMatchObject({ code: 'USAGE', message: `--jq: ${says}. Nothing was sent.` });
    }
    expect(posts()).toBe(before);
  });

  it.each([
    [
      ['charge', 'list', '--jq', '.', '-o', 'csv'],
      '--jq filters json, which -o csv is not. Nothing was sent.',
    ],
    [
      ['charge', 'list', '--jq', '.', '-o', 'table'],
      '--jq filters json, which -o table is not. Nothing was sent.',
    ],
    [['demo', '--jq', '.'], '-o, --fields and --jq do not apply. Nothing was sent.'],
    [['completion', 'bash', '--jq', '.'], '-o, --fields and --jq do not apply. Nothing was sent.'],
    [['help', 'amounts', '--jq', '.'], '-o, --fields and --jq do not apply. Nothing was sent.'],
    ...[
      ['--jq', '.'],
      ['--fields', 'id'],
      ['-o', 'csv'],
    ].map((flags): [string[], string] => [
      ['webhook', 'show', 'evt_1', '--body', ...flags],
      'as it came: --jq, --fields and -o csv do not apply. Nothing was sent.',
    ]),
    ...[
      ['--fields', 'id'],
      ['-o', 'csv'],
    ].map((flags): [string[], string] => [
      ['webhook', 'trigger', 'CHARGE_PAID', '--dry-run', ...flags],
      'the body is shown, which is JSON: -o csv and --fields do not apply. Nothing was sent.',
    ]),
    [['charge', 'list', '--jq', ' '], '--jq is empty. Nothing was sent.'],
    [['charge', 'list', '-q', '.data'], 'did you mean --jq .data?'],
    [['charge', 'list', '--query', '.data'], 'did you mean --jq?'],
  ])('%j is refused', async (args, says) => {
    const { code, stdout, stderr } = await pixctl(...args);
    expect({ code, stdout }).toEqual({ code: 64, stdout: '' });
    expect(stderr).toContain(says);
  });
});

describe('a dry run that shows a body', () => {
  it.each([
    [
      ['webhook', 'trigger', 'CHARGE_PAID', '--dry-run', '--set', 'data.amount=5000'],
      '.data.amount',
      '5000\n',
    ],
    [['api', 'POST', '/x', '-F', 'amount=1', '-f', 'id=a', '--dry-run'], '.amount, .id', '1\na\n'],
    [['api', 'DELETE', '/x', '--dry-run'], '.', ''],
  ])('%j shows what the expression makes of it', async (args, expression, shown) => {
    const { code, stdout, stderr } = await pixctl(...args, '--jq', expression);
    expect({ code, stdout }).toEqual({ code: 0, stdout: shown });
    expect(stderr).toContain('Nothing was sent.');
  });

  it('keeps a number that has more digits than JavaScript can count', async () => {
    const args = ['api', 'POST', '/x', '--input', '-', '--dry-run', '--jq', '.id'];
    const { stdout } = await run(args, { env: env(), input: '{"id":9007199254740993}' });
    expect(stdout).toBe('9007199254740993\n');
  });
});

describe('an expression that fails on what was read', () => {
  it('ends the run with 65 and what jq says', async () => {
    const id = await create();
    const { code, stdout, stderr } = await pixctl('charge', 'get', id, '--jq', '.amount, .amount.cents');
    expect({ code, stdout }).toEqual({ code: 65, stdout: '1050\n' });
    expect(errorIn(stderr)).toMatchObject({
      code: 'JQ',
      message: '--jq failed: Cannot index number with string ("cents")',
      exitCode: 65,
    });
  });

  it.each([
    ['json', '.[0].id.cents'],
    ['ndjson', '.id.cents'],
  ])('and so does one on a list, with -o %s', async (format, expression) => {
    await create();
    const { code, stdout, stderr } = await pixctl('charge', 'list', '-o', format, '--jq', expression);
    expect({ code, stdout }).toEqual({ code: 65, stdout: '' });
    expect(errorIn(stderr)).toMatchObject({ code: 'JQ', exitCode: 65 });
  });

  it.each([
    [['charge', 'get', 'chg_none'], 88, 'NOT_FOUND'],
    [['charge', 'wait', '<id>', '--timeout', '1s'], 82, 'STILL_PENDING'],
    [['withdrawal', 'status', 'none'], 88, 'NO_SUCH_KEY'],
  ])('changes no code that says something else: %j', async (args, exit, says) => {
    const id = await create();
    const line = [...args.map((word) => (word === '<id>' ? id : word)), '--jq', '.amount.cents'];
    const { code, stdout, stderr } = await pixctl(...line);
    expect({ code, stdout }).toEqual({ code: exit, stdout: '' });
    expect(errorIn(stderr)).toMatchObject({ code: says });
    expect(stderr.includes('warning: --jq failed: Cannot index number')).toBe(args[1] === 'wait');
  });
});

describe('an expression that fails on what was done', () => {
  const fails = ['--jq', '.amount.cents'];
  const told = 'warning: --jq failed: Cannot index number with string ("cents"). The whole value:\n';
  /** The line after the warning. */
  const valueIn = (stderr: string) => JSON.parse(stderr.split(told)[1]?.split('\n')[0] ?? '');

  it('leaves 0 to a charge that was created, and shows it whole on stderr', async () => {
    const { code, stdout, stderr } = await pixctl('charge', 'create', '--amount', '10,50', ...fails);
    expect({ code, stdout }).toEqual({ code: 0, stdout: '' });
    const { id } = valueIn(stderr) as { id: string };
    created.push(id);
    expect((await pixctl('charge', 'get', id, '--jq', '.amount')).stdout).toBe('1050\n');
  });

  it('leaves its code to a withdrawal, sent once, and to the run that finds it paid', async () => {
    const words = ['withdraw', '--amount', '10,00', '--to', '52998224725', '--type', 'CPF'];
    const line = [...words, '--idempotency-key', 'paid', '--yes', ...fails];
    const before = posts();
    for (const runs of [1, 2]) {
      const { code, stdout, stderr } = await pixctl(...line);
      expect({ runs, code, stdout }).toEqual({ runs, code: 0, stdout: '' });
      expect(valueIn(stderr)).toMatchObject({ idempotencyKey: 'paid', amount: 1000 });
    }
    expect(posts()).toBe(before + 1);
    await sandbox.clock.advance('1h');
  });

  it('leaves 81 to one whose outcome is unknown', async () => {
    sandbox.faults.preset('lost-request');
    const words = ['withdraw', '--amount', '11,00', '--to', '52998224725', '--type', 'CPF'];
    const { code, stdout, stderr } = await pixctl(...words, '--idempotency-key', 'lost', '--yes', ...fails);
    expect({ code, stdout }).toEqual({ code: 81, stdout: '' });
    expect(valueIn(stderr)).toMatchObject({ idempotencyKey: 'lost', state: 'UNKNOWN' });
    expect(errorIn(stderr)).toMatchObject({ exitCode: 81 });
  });

  it('leaves 0 to an endpoint that was registered; its secret is stored, and shows on no stderr', async () => {
    const add = ['webhook', 'add', '--url', 'https://shop.example.com/hooks', '--events', 'CHARGE_PAID'];
    const { code, stdout, stderr } = await pixctl(...add, '--jq', '.id.name');
    expect({ code, stdout }).toEqual({ code: 0, stdout: '' });
    expect(stderr).toMatch(/^warning: --jq failed: .* The whole value:\n{.*"secret":"whsec_\*\*\*\*"/m);
    expect(stderr).toContain('The secret is stored here too');
  });

  it('leaves 0 to a change of the sandbox', async () => {
    const id = await create();
    const { code, stdout, stderr } = await pixctl('sandbox', 'pay', id, ...fails);
    expect({ code, stdout }).toEqual({ code: 0, stdout: '' });
    expect(valueIn(stderr)).toMatchObject({ id, status: 'PAID' });
  });

  it('does not end a listener, which has answered the delivery', async () => {
    const withSecret = { home, env: { ...env(), PIXCTL_WEBHOOK_SECRET: 'whsec_test_0123456789abcdef' } };
    const jq = 'if .type == "ready" then .url elif .event == "CHARGE_PAID" then error else .event end';
    const line = ['webhook', 'listen', '--port', '0', '--exit-after', '2', '-o', 'ndjson', '--jq', jq];
    const child = start(line, withSecret);
    const stderr = text(child.stderr);
    const closed = once(child, 'close');
    const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
    const { value: address } = (await lines.next()) as { value: string };
    for (const event of ['CHARGE_PAID', 'REFUND_COMPLETED'])
      expect(await run(['webhook', 'trigger', event, '-f', address], withSecret)).toMatchObject({ code: 0 });
    const shown = [];
    for await (const event of { [Symbol.asyncIterator]: () => lines }) shown.push(event);
    expect(shown).toContain('REFUND_COMPLETED');
    expect(shown).not.toContain('CHARGE_PAID');
    expect(await stderr).toMatch(
      /^warning: --jq failed: {.*"event":"CHARGE_PAID".*\. The whole value:\n{.*CHARGE_PAID/m,
    );
    expect(await closed).toEqual([0, null]);

    const posted: string[] = [];
    const application = createServer((request, response) => {
      posted.push(String(request.url));
      request.resume().on('end', () => response.end());
    });
    const target = await addressOf(application);
    const replay = ['webhook', 'replay', '--last', '2', '-f', target, '-o', 'ndjson', '--jq', 'error("no")'];
    const replayed = await run(replay, withSecret);
    application.close();
    expect({ code: replayed.code, stdout: replayed.stdout }).toEqual({ code: 0, stdout: '' });
    expect(posted).toHaveLength(2);
    expect(replayed.stderr.match(/^warning: --jq failed: no\. The whole value:\n{/gm)).toHaveLength(2);
  });
});

describe('pixctl api', () => {
  it('filters an answer as it came, with every digit of its numbers', async () => {
    const answer = '{"data":{"cents":9007199254740993,"rate":0.10},"success":true,"error":null}';
    const service = createServer((_, response) => response.end(answer));
    const url = await addressOf(service);
    const args = ['api', 'GET', '/x', '--jq', '.data | .cents, .rate, .'];
    const { code, stdout } = await run(args, { env: { ...env(), PIXCTL_BASE_URL: url } });
    service.close();
    expect({ code, stdout }).toEqual({
      code: 0,
      stdout: '9007199254740993\n0.10\n{"cents":9007199254740993,"rate":0.10}\n',
    });
  });

  it('filters items of all pages', async () => {
    const args = ['api', 'GET', '/transparents/list', '--paginate', '-o', 'ndjson', '--jq', '.id'];
    expect((await pixctl(...args)).stdout.trimEnd().split('\n').sort()).toEqual([...created].sort());
  });

  it('keeps an answer that is a refusal apart, on stderr and as it came', async () => {
    const { code, stdout, stderr } = await pixctl(
      'api',
      'GET',
      '/transparents/check?id=none',
      '--jq',
      '.data.id',
    );
    expect({ code, stdout }).toEqual({ code: 88, stdout: '' });
    expect(stderr).toMatch(/^{.*"error":"NOT_FOUND".*}\n{"error":.*}\n$/);
  });
});

describe('sandbox start', () => {
  it('prints what a script asks for', async () => {
    const child = start(['sandbox', 'start', '--no-profile', '--port', '0', '--jq', '.url']);
    const [url] = await once(createInterface({ input: child.stdout }), 'line');
    expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
    child.kill();
    await once(child, 'close');
  });

  it('ends at once if it could not say where it is', async () => {
    const { code, stdout } = await run([
      'sandbox',
      'start',
      '--no-profile',
      '--port',
      '0',
      '--jq',
      '.url.port',
    ]);
    expect({ code, stdout }).toEqual({ code: 65, stdout: '' });
  });
});

describe('an expression that never ends', () => {
  it.skipIf(noSignals !== null)(skipped('leaves the run able to hear a signal', noSignals), async () => {
    const service = createServer((_, response) => {
      response.end('{}');
      child.kill('SIGTERM');
    });
    const url = await addressOf(service);
    const child = start(['api', 'GET', '/x', '--jq', 'def f: f; f'], {
      env: { ...env(), PIXCTL_BASE_URL: url },
    });
    const stderr = text(child.stderr);
    const [code] = await once(child, 'close');
    service.close();
    expect(code).toBe(143);
    expect(errorIn(await stderr)).toMatchObject({ code: 'INTERRUPTED' });
  });
});

describe('memory', () => {
  it('is level while a list is filtered item by item: 34 MB of it pass through a heap of 32', async () => {
    const service = await startService(20_000);
    try {
      const args = ['charge', 'list', '--all', '--limit', '100', '-o', 'ndjson', '--jq'];
      const { code, stdout } = await run([...args, 'select(.id | endswith("999")).id'], {
        env: {
          PIXCTL_BASE_URL: service.url,
          PIXCTL_API_KEY: 'svc_sandbox_test',
          NODE_OPTIONS: '--max-old-space-size=32',
        },
      });
      expect(code).toBe(0);
      expect(stdout.trimEnd().split('\n')).toHaveLength(20);
    } finally {
      await service.close();
    }
  });
});
