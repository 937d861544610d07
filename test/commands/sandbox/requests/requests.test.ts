/** `pixctl sandbox requests` as a user runs it, against a sandbox in this process that is really called. */
import { once } from 'node:events';
import { createServer, request } from 'node:http';
import { createInterface } from 'node:readline';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Sandbox, startSandbox } from '../../../../src/sandbox/index.ts';
import { listenOnLoopback } from '../../../support/listen-on-loopback.ts';
import { noSignals, skipped } from '../../../support/platform.ts';
import { emptyHome, run, start } from '../../../support/run.ts';

let sandbox: Sandbox;
const home = emptyHome();
const env = () => ({ PIXCTL_BASE_URL: sandbox.url, PIXCTL_API_KEY: sandbox.apiKey });
const requests = (...args: string[]) => run(['sandbox', 'requests', ...args], { home, env: env() });
const items = (stdout: string) =>
  stdout
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Record<string, unknown>);

const call = (path: string, body?: object, key = sandbox.apiKey) =>
  fetch(sandbox.url + path, {
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    ...(body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) }),
  });
const create = (amount: number) => call('/transparents/create', { method: 'PIX', amount });

beforeAll(async () => {
  sandbox = await startSandbox();
});
afterAll(() => sandbox.close());

describe('after four calls', () => {
  beforeAll(async () => {
    await create(1050);
    await create(5);
    await call('/transparents/list?limit=1', undefined, 'svc_sandbox_nobody');
    sandbox.faults.preset('lost-response');
    await expect(create(700)).rejects.toThrow();
    sandbox.faults.clear();
  });

  it('lists them oldest first, with what was refused and why', async () => {
    const { stdout, code, stderr } = await requests('--fields', 'number,method,target,status,why');
    expect([code, stderr]).toEqual([0, '']);
    expect(stdout.trimEnd().split('\n')).toEqual([
      'No\tMethod\tPath\tAnswer\tWhy',
      '1\tPOST\t/transparents/create\t201\t',
      expect.stringMatching(/^2\tPOST\t\/transparents\/create\t400\tBAD_REQUEST: amount: /),
      expect.stringMatching(/^3\tGET\t\/transparents\/list\?limit=1\t401\tUNAUTHORIZED: /),
      expect.stringMatching(/^4\tPOST\t\/transparents\/create\t\tno answer \(fault_1\)$/),
    ]);
  });

  it('has the newest of those that failed, with what was sent and answered', async () => {
    const { stdout } = await requests('--failed', '-n', '3', '-o', 'ndjson');
    const found = items(stdout);
    expect(found.map(({ number, status }) => [number, status])).toEqual([
      [2, 400],
      [3, 401],
      [4, null],
    ]);
    expect(JSON.parse(String(found[0]?.request))).toEqual({ method: 'PIX', amount: 5 });
    expect(JSON.parse(String(found[0]?.answer))).toMatchObject({ error: 'BAD_REQUEST' });
    expect(items((await requests('--failed', '-n', '1', '-o', 'ndjson')).stdout)).toMatchObject([
      { number: 4 },
    ]);
  });

  it('never has a key', async () => {
    const { stdout } = await requests('-o', 'json');
    expect(stdout).toContain('"number":4');
    expect(stdout).not.toContain('svc_sandbox_');
  });

  it.each([['0'], ['501'], ['x']])('refuses --limit %s', async (limit) => {
    expect(await requests('--limit', limit)).toMatchObject({ code: 64, stdout: '' });
  });
});

it.skipIf(noSignals !== null)(
  skipped('follows what fits, over a reset too, and ends with 0 when it is stopped', noSignals),
  async () => {
    const args = ['sandbox', 'requests', '--failed', '--follow', '-n', '1', '-o', 'ndjson'];
    await create(5);
    const child = start(args, { home, env: env() });
    const ended = once(child, 'close');
    const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
    const next = async () => JSON.parse(String((await lines.next()).value)) as Record<string, unknown>;
    const before = Number((await next()).number);
    expect(before).toBeGreaterThan(0);
    await create(1050);
    await create(6);
    expect(await next()).toMatchObject({ number: before + 2, status: 400 });
    await sandbox.reset();
    await create(7);
    expect(await next()).toMatchObject({ request: '{"method":"PIX","amount":7}' });
    child.kill('SIGINT');
    expect(await ended).toEqual([0, null]);
  },
);

it.skipIf(noSignals !== null)(
  skipped('misses none that came after a reset, however many came before it', noSignals),
  async () => {
    await sandbox.reset();
    const args = ['sandbox', 'requests', '--follow', '-o', 'ndjson'];
    await create(5);
    const child = start(args, { home, env: env() });
    const ended = once(child, 'close');
    const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
    const next = async () => JSON.parse(JSON.parse(String((await lines.next()).value)).request).amount;
    expect(await next()).toBe(5);
    child.kill('SIGSTOP');
    // What it may just have asked is answered before this.
    await call('/transparents/list?limit=1');
    await sandbox.reset();
    for (const amount of [6, 7, 8, 9]) await create(amount);
    child.kill('SIGCONT');
    expect([await next(), await next(), await next(), await next()]).toEqual([6, 7, 8, 9]);
    child.kill('SIGINT');
    expect(await ended).toEqual([0, null]);
  },
);

it('follows for as long as --timeout says, and lists what is past only once', async () => {
  await create(1050);
  await create(5);
  const { code, stdout, stderr } = await requests('--follow', '-n', '2', '--timeout', '1s');
  expect([code, stderr]).toEqual([0, 'Waiting for requests; Ctrl-C stops it.\n']);
  expect(stdout.trimEnd().split('\n')).toHaveLength(3);
});

it.skipIf(noSignals !== null)(
  skipped('says how many came while it was not looking, if the sandbox kept no more', noSignals),
  async () => {
    await create(1050);
    const args = ['sandbox', 'requests', '--follow', '-n', '1', '-o', 'ndjson'];
    const child = start(args, { home, env: env() });
    const ended = once(child, 'close');
    let said = '';
    child.stderr.on('data', (text: Buffer) => {
      said += text.toString();
    });
    const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
    const next = async () => Number(JSON.parse(String((await lines.next()).value)).number);
    const before = await next();
    child.kill('SIGSTOP');
    // What it may just have asked is answered before this.
    await call('/transparents/list?limit=1');
    for (let at = 0; at < 17; at++)
      await Promise.all(Array.from({ length: 30 }, () => call('/transparents/list?limit=1')));
    child.kill('SIGCONT');
    expect(await next()).toBe(before + 12);
    child.kill('SIGINT');
    expect(await ended).toEqual([0, null]);
    expect(said).toContain('Not listed: 11 requests. The sandbox keeps 500, and none from before a reset.');
  },
);

it.skipIf(noSignals !== null)(
  skipped('ends with 0, and without a word, when it is stopped while it asks', noSignals),
  async () => {
    const asked = Promise.withResolvers<void>();
    /** Between it and the sandbox: what is asked for later gets no answer. */
    const between = createServer((incoming, answer) => {
      if (incoming.url?.includes('after=')) return asked.resolve();
      const { host: _, ...headers } = incoming.headers;
      request(`${sandbox.url}${incoming.url}`, { method: incoming.method, headers }, (answered) => {
        answer.writeHead(answered.statusCode ?? 500, answered.headers);
        answered.pipe(answer);
      }).end();
    });
    const url = `http://127.0.0.1:${await listenOnLoopback(between)}`;
    const args = ['sandbox', 'requests', '--follow', '-n', '1'];
    const child = start(args, { home, env: { ...env(), PIXCTL_BASE_URL: url } });
    const ended = once(child, 'close');
    let said = '';
    child.stderr.on('data', (text: Buffer) => {
      said += text.toString();
    });
    await asked.promise;
    child.kill('SIGINT');
    expect(await ended).toEqual([0, null]);
    expect(said).toBe('Waiting for requests; Ctrl-C stops it.\n');
    between.closeAllConnections();
    between.close();
  },
);
