/** The pinned interface of `pixctl sandbox start`, as a shell and a script see it. */
import { once } from 'node:events';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer as createHttpServer } from 'node:http';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { text as textOf } from 'node:stream/consumers';
import { afterEach, describe, expect, it } from 'vitest';
import { freePort } from '../../../support/free-port.ts';
import { modeOf, noSignals } from '../../../support/platform.ts';
import { emptyHome, type Finished, run, start } from '../../../support/run.ts';

interface Started {
  readonly url: string;
  readonly apiKey: string;
  readonly pid: number;
  readonly uiUrl: string;
}

const children: ReturnType<typeof start>[] = [];
afterEach(() => {
  for (const child of children.splice(0)) child.kill('SIGKILL');
});

/** Resolves with the line that it prints when it accepts requests. */
async function startSandbox(home: string, ...flags: string[]) {
  const child = start(['sandbox', 'start', '-o', 'json', ...flags], { home });
  children.push(child);
  let text = '';
  child.stderr.resume();
  for await (const chunk of child.stdout) {
    text += String(chunk);
    if (text.includes('\n')) break;
  }
  return { child, text, started: JSON.parse(text) as Started };
}

const shown = ({ stdout, code, stderr }: Finished) => {
  if (code !== 0) throw new Error(`exit ${code}: ${stderr}`);
  return JSON.parse(stdout);
};

describe('pixctl sandbox start -o json', () => {
  it('prints one line with url, apiKey, pid and uiUrl', async () => {
    const { text, started, child } = await startSandbox(emptyHome());
    expect(text.endsWith('}\n') && text.indexOf('\n') === text.length - 1).toBe(true);
    expect(Object.keys(started)).toEqual(['url', 'apiKey', 'pid', 'uiUrl']);
    expect(started.url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
    expect(started.apiKey).toMatch(/^svc_sandbox_[a-z0-9]{32}$/);
    expect(started.pid).toBe(child.pid);
    expect((await fetch(`${started.url}/withdrawals`)).status).toBe(401);
  });

  it.each([
    [
      'csv',
      [],
      /^url,apiKey,pid,uiUrl\r?\nhttp:\/\/127\.0\.0\.1:\d+,svc_sandbox_[a-z0-9]{32},\d+,http:\S+\r?\n$/,
    ],
    ['table', ['--fields', 'pid,url'], /^Process\t\d+\nSandbox\thttp:\/\/127\.0\.0\.1:\d+\n$/],
    ['json', ['--fields', 'url'], /^\{"url":"http:\/\/127\.0\.0\.1:\d+"\}\n$/],
  ])('says the same in %s %j', async (format, fields, expected) => {
    const child = start(['sandbox', 'start', '--no-profile', '-o', format, ...fields], { home: emptyHome() });
    children.push(child);
    let text = '';
    for await (const chunk of child.stdout) {
      text += String(chunk);
      if (expected.test(text)) break;
    }
    expect(text).toMatch(expected);
  });

  it.skipIf(noSignals !== null).each(['SIGINT', 'SIGTERM', 'SIGHUP'] as const)(
    'ends on %s with 0',
    async (signal) => {
      const { child } = await startSandbox(emptyHome());
      child.kill(signal);
      expect(await once(child, 'close')).toEqual([0, null]);
    },
  );

  it('lets other shells charge, pay and look with no further set-up', async () => {
    const home = emptyHome();
    await startSandbox(home);
    const pixctl = (...args: string[]) => run([...args, '-o', 'json', '--quiet'], { home }).then(shown);
    const { id } = await pixctl('charge', 'create', '--amount', '10,50', '--no-qr');
    expect(await pixctl('sandbox', 'pay', id)).toMatchObject({ id, status: 'PAID', amount: 1050 });
    expect(await pixctl('charge', 'get', id)).toMatchObject({ id, status: 'PAID' });
    expect(await pixctl('sandbox', 'merchant', 'get')).toMatchObject({
      balance: { available: 1050, pending: 0 },
    });
  });

  it('needs no more than PIXCTL_BASE_URL and PIXCTL_API_KEY from a shell that knows nothing else', async () => {
    const { started } = await startSandbox(emptyHome(), '--no-profile');
    const env = { PIXCTL_BASE_URL: started.url, PIXCTL_API_KEY: started.apiKey };
    const home = emptyHome();
    const pixctl = (...args: string[]) => run([...args, '-o', 'json', '--quiet'], { home, env }).then(shown);
    const { id } = await pixctl('charge', 'create', '--amount', '500', '--no-qr');
    expect(await pixctl('sandbox', 'expire', id)).toMatchObject({ status: 'EXPIRED' });
  });

  it('names --no-profile where its profile cannot be written, and starts with it', async () => {
    const home = emptyHome();
    writeFileSync(join(home, '.config'), 'no directory');
    const { code, stdout, stderr } = await run(['sandbox', 'start', '-o', 'json'], { home });
    expect([code, stdout]).toEqual([78, '']);
    expect(JSON.parse(stderr).error.hint).toMatch(/ Or start it without a profile: --no-profile\.$/);
    const { started } = await startSandbox(home, '--no-profile');
    expect((await fetch(`${started.url}/withdrawals`)).status).toBe(401);
  });

  it('keeps key and token where only the user reads them', async () => {
    const home = emptyHome();
    const { started } = await startSandbox(home);
    const folder = join(home, '.config/pixctl');
    const secrets = join(folder, 'secrets.json');
    expect(modeOf(secrets, '600')).toBe('600');
    expect(readFileSync(secrets, 'utf8')).toContain(started.apiKey);
    expect(readFileSync(join(folder, 'config.json'), 'utf8')).not.toContain(started.apiKey);
  });

  it('does not take the place of a profile that is current', async () => {
    const home = emptyHome();
    const login = [
      'login',
      '--profile',
      'acme',
      '--base-url',
      'https://api.example.com',
      '--key-stdin',
      '--no-check',
    ];
    expect((await run(login, { home, input: 'svc_live_1\n' })).code).toBe(0);
    await startSandbox(home);
    const profiles = JSON.parse(readFileSync(join(home, '.config/pixctl/config.json'), 'utf8'));
    expect(profiles.current).toBe('acme');
    expect(Object.keys(profiles.profiles)).toEqual(['acme', 'sandbox']);
    expect((await run(['sandbox', 'reset'], { home })).code).toBe(0);
  });
});

describe('pixctl sandbox start', () => {
  it('says when it takes the profile over from a sandbox that still runs', async () => {
    const home = emptyHome();
    const first = await startSandbox(home);
    // What is asked of it later has a second to answer, which loading the control plane may take on a busy machine.
    await (await fetch(`${first.started.url}/__sandbox/openapi.json`)).text();
    const second = start(['sandbox', 'start', '-o', 'json'], { home });
    children.push(second);
    let said = '';
    for await (const chunk of second.stderr) {
      said += String(chunk);
      if (said.includes('\n')) break;
    }
    expect(said).toContain(`The sandbox at ${first.started.url} is still running`);
  });

  it('does not take another program for a sandbox that still runs', async () => {
    const home = emptyHome();
    const port = await freePort();
    const first = start(['sandbox', 'start', '--port', String(port), '-o', 'json'], { home });
    await once(first.stdout, 'data');
    first.kill('SIGTERM');
    await once(first, 'close');
    const asked = Promise.withResolvers<void>();
    const other = createHttpServer((request, response) => {
      request.socket.once('close', () => asked.resolve());
      response.end('hello');
    });
    await once(other.listen(port, '127.0.0.1'), 'listening');
    const second = start(['sandbox', 'start', '-o', 'json'], { home });
    children.push(second);
    const said = textOf(second.stderr);
    await asked.promise;
    second.kill('SIGTERM');
    expect(await said).toBe('');
    other.close();
  });

  it('says that a port is taken, exits 78, and writes neither profile nor state', async () => {
    const home = emptyHome();
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as { port: number };
    const { code, stderr, stdout } = await run(
      ['sandbox', 'start', '--port', String(port), '--state', join(home, 'shop.db')],
      { home },
    );
    server.close();
    expect([code, stdout]).toEqual([78, '']);
    expect(stderr).toContain(`Port ${port} on 127.0.0.1 is taken`);
    expect(stderr).toContain('Give another port with --port');
    expect(readdirSync(home).filter((name) => name !== '.cache')).toEqual([]);
  });

  it('never says that it is ready where its profile cannot be written', async () => {
    const home = emptyHome();
    const notADirectory = join(home, 'file');
    writeFileSync(notADirectory, '');
    const env = { PIXCTL_CONFIG_DIR: join(notADirectory, 'pixctl') };
    const { code, stdout, stderr } = await run(['sandbox', 'start', '-o', 'json'], { home, env });
    expect([code, stdout]).toEqual([78, '']);
    expect(stderr).toContain(JSON.stringify(notADirectory).slice(1, -1));
  });

  it.each([
    [['--port', '70000'], 'takes a whole number from 0 to 65535'],
    [['--assume', 'nonsense'], 'id=behaviour. Nothing was started.'],
    [['--assume', 'no-such=x'], 'There is no assumption "no-such"'],
    [['--assume', 'list-order=sideways'], 'newest-first, oldest-first'],
    [['--undocumented', 'maybe'], 'assume, error, random'],
    [['--withdrawal-step', 'soon'], 'is not a duration'],
    [['--fields', 'uri'], '"uri" is not a field here (sandbox); did you mean "url"?'],
    [['--base-url', 'http://127.0.0.1:4010'], '--port chooses the port, and --host a further address.'],
    [['--profile', 'shop'], 'the profile that it writes is "sandbox". Nothing was started.'],
    [['--withdrawal-step', '9999999999d'], '--withdrawal-step takes at most 366d, not "9999999999d".'],
  ])('refuses %j with 64', async (flags, why) => {
    const { code, stderr } = await run(['sandbox', 'start', ...flags]);
    expect(code).toBe(64);
    expect(stderr).toContain(why);
  });

  it('goes on from a state file: same key, same records', async () => {
    const home = emptyHome();
    const state = join(home, 'shop.db');
    const first = await startSandbox(home, '--state', state);
    const pixctl = (...args: string[]) => run([...args, '-o', 'json', '--quiet'], { home }).then(shown);
    const { id } = await pixctl('charge', 'create', '--amount', '700', '--no-qr');
    first.child.kill('SIGKILL');
    await once(first.child, 'close');
    expect(modeOf(state, '600')).toBe('600');
    const second = await startSandbox(home, '--state', state);
    expect(second.started.apiKey).toBe(first.started.apiKey);
    expect(await pixctl('charge', 'get', id)).toMatchObject({ id, status: 'PENDING' });
    const third = await run(['sandbox', 'start', '--state', state], { home });
    expect(third.code).toBe(78);
    expect(third.stderr).toContain('is in use by another sandbox');
  });

  it('refuses a file that is no sandbox state, and leaves it alone', async () => {
    const file = join(emptyHome(), 'notes.txt');
    writeFileSync(file, 'my notes\n'.repeat(1_000));
    const { code, stderr } = await run(['sandbox', 'start', '--state', file]);
    expect(code).toBe(78);
    expect(stderr).toContain('is not a sandbox state');
    expect(readFileSync(file, 'utf8')).toBe('my notes\n'.repeat(1_000));
  });
});
