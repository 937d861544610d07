/** A service that puts escape sequences into every string: nothing raw in a pipe or on a terminal, no key anywhere. */
import { writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { converse } from '../support/converse.ts';
import { allHostileText as evil, rawIn } from '../support/hostile-text.ts';
import { listenOnLoopback } from '../support/listen-on-loopback.ts';
import { noPty, skipped } from '../support/platform.ts';
import { emptyHome, run } from '../support/run.ts';

const canary = 'svc_canary_hostile';

const charge = {
  ...{ id: `chg_${evil}`, amount: 1050, status: evil, txid: evil, brCode: evil, imageBase64: evil },
  ...{ expiresAt: evil, createdAt: evil, description: evil, [evil]: { [evil]: [evil] } },
  customer: { id: evil, name: evil, taxId: evil, email: evil, phone: evil },
};
const withdrawal = {
  ...{ id: `wd_${evil}`, amount: 1050, fee: 100, pixKey: evil, pixKeyType: evil, status: evil },
  ...{ failedReason: evil, createdAt: evil, [evil]: evil },
};
const delivery = {
  id: evil,
  eventId: evil,
  event: evil,
  status: evil,
  httpStatus: 500,
  success: false,
  attempt: 1,
  error: evil,
  createdAt: evil,
};
const pages: Record<string, unknown> = {
  '/transparents/list': [charge, charge],
  '/transparents/check': { ...charge, id: 'chg_1' },
  '/customers/cust_1': { ...charge.customer, id: 'cust_1', createdAt: evil, updatedAt: evil, [evil]: evil },
  '/withdrawals': [withdrawal],
  '/withdrawals/wd_1': { ...withdrawal, id: 'wd_1' },
  '/webhooks/wh_1/deliveries': [delivery],
};

const server = createServer((request, response) => {
  const path = (request.url ?? '').split('?')[0] ?? '';
  const data = Object.hasOwn(pages, path) ? pages[path] : undefined;
  const pagination = Array.isArray(data) ? { pagination: { hasMore: false, next: null, before: null } } : {};
  // Our own key comes back, in the message and in a header.
  const failure = { error: evil, message: `${evil} ${request.headers.authorization}`, success: false };
  response.writeHead(data === undefined ? 400 : 200, {
    'content-type': 'application/json',
    'x-echo': request.headers.authorization ?? '',
  });
  response.end(
    JSON.stringify(data === undefined ? failure : { data, error: null, success: true, ...pagination }),
  );
});
let env: Record<string, string>;
beforeAll(async () => {
  const port = await listenOnLoopback(server);
  env = { PIXCTL_BASE_URL: `http://127.0.0.1:${port}`, PIXCTL_API_KEY: canary };
});
afterAll(() => void server.close());

const reads = [
  ['charge', 'list'],
  ['charge', 'get', 'chg_1'],
  ['charge', 'qr', 'chg_1'],
  ['customer', 'get', 'cust_1'],
  ['withdrawal', 'list'],
  ['withdrawal', 'get', 'wd_1'],
  ['webhook', 'deliveries', 'wh_1'],
  ['api', 'GET', '/transparents/check?id=chg_1', '--include'],
];
const refused = [
  ['customer', 'get', 'cust_refused'],
  ['withdrawal', 'get', 'wd_refused'],
  ['api', 'GET', '/refused', '--include'],
];
const formats = ['table', 'json', 'ndjson', 'csv'];
const cases = [...reads, ...refused].flatMap((words) =>
  formats.map((format) => [words.join(' '), format, words] as const),
);

/** What a terminal is sent: newlines come as CR LF there. */
async function onTerminal(args: readonly string[]): Promise<string> {
  const { written } = await converse(args, [], { home: emptyHome(), env, columns: 100 });
  return written.replaceAll('\r\n', '\n');
}

describe.skipIf(noPty !== null)(skipped('a hostile service', noPty), () => {
  it.each(cases)('%s -o %s: nothing raw, no key', async (_title, format, words) => {
    const args = [...words, '-o', format, '--debug'];
    // csv and ndjson are the same bytes on a terminal; table and json dress for it.
    const seen = format === 'table' || format === 'json' ? onTerminal(args) : '';
    const [{ stdout, stderr }, screen] = await Promise.all([run(args, { env }), seen]);
    expect(stdout + stderr).not.toBe('');
    expect({ stdout: rawIn(stdout), stderr: rawIn(stderr), screen: rawIn(screen) }).toEqual({
      stdout: [],
      stderr: [],
      screen: [],
    });
    expect(stdout + stderr + screen).not.toContain('canary');
  });

  it.each([
    ['api', 'POST', '/anything', '--dry-run', '--input', ''],
    ['webhook', 'trigger', 'ANY_EVENT', '--dry-run', '--data', '@'],
  ])('%s %s %s %s: what a file holds is made visible on a terminal only', async (...words) => {
    const home = emptyHome();
    const file = join(home, 'body.json');
    const body = '{"note":"\u009b31mred \u202e"}';
    writeFileSync(file, body);
    const args = [...words.slice(0, -1), `${words.at(-1)}${file}`];
    const [screen, piped] = await Promise.all([converse(args, [], { home, env }), run(args, { home, env })]);
    expect([screen.code, piped.code]).toEqual([0, 0]);
    expect(rawIn(screen.written.replaceAll('\r\n', '\n'))).toEqual([]);
    expect(screen.written).toContain('\\x9b31mred \\u{202e}');
    expect(piped.stdout).toContain(body.slice(1, -1));
  });

  it.each(
    reads.filter(([noun]) => noun !== 'api' && noun !== 'webhook').filter(([, verb]) => verb === 'get'),
  )('%s %s -o json loses nothing', async (...words) => {
    const { stdout } = await run([...words, '-o', 'json'], { env });
    expect(JSON.stringify(JSON.parse(stdout))).toContain(JSON.stringify(evil).slice(1, -1));
  });
});
