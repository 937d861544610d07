/** Reaching the listener from outside: a real SSH server, and programs that speak like the known ones. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, readFileSync, writeFileSync } from 'node:fs';
import type { ServerResponse } from 'node:http';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { shellQuoted } from '../../../../src/flags/file-remedies.ts';
import { type Sandbox, startSandbox } from '../../../../src/sandbox/index.ts';
import { answers } from '../../../support/answers.ts';
import { startApplication } from '../../../support/application.ts';
import { deliver, eventBody } from '../../../support/delivery.ts';
import { freePort } from '../../../support/free-port.ts';
import { hostileServer } from '../../../support/hostile-server.ts';
import { homeWithSecret, type Listening, listen } from '../../../support/listen.ts';
import { noShell, skipped } from '../../../support/platform.ts';
import { cleanEnvironment, emptyHome, node, programPath, run, start } from '../../../support/run.ts';
import { type SshServer, sshMissing, startSshServer } from '../../../support/ssh-server.ts';

const fakes = fileURLToPath(new URL('../../../fixtures/tunnels', import.meta.url));
let sandbox: Sandbox;
let running: Listening | null = null;
beforeAll(async () => {
  sandbox = await startSandbox();
});
afterAll(() => sandbox.close());
afterEach(() => {
  running?.child.kill('SIGKILL');
  running = null;
});

const env = () => ({
  PIXCTL_BASE_URL: sandbox.url,
  PIXCTL_API_KEY: sandbox.apiKey,
  PATH: `${fakes}:${process.env.PATH}`,
});

async function pay(): Promise<void> {
  const response = await fetch(`${sandbox.url}/transparents/create`, {
    method: 'POST',
    headers: { authorization: `Bearer ${sandbox.apiKey}`, 'content-type': 'application/json' },
    body: JSON.stringify({ method: 'PIX', amount: 4_200 }),
  });
  sandbox.pay(((await response.json()) as { data: { id: string } }).data.id);
}

describe.skipIf(sshMissing !== null)(
  `a reverse SSH tunnel${sshMissing === null ? '' : ` (skipped: ${sshMissing})`}`,
  () => {
    let ssh: SshServer;
    beforeAll(async () => {
      ssh = await startSshServer();
    });
    afterAll(() => ssh.stop());

    it('carries what the sandbox delivers to the application', async () => {
      const application = await startApplication();
      running = await listen(
        emptyHome(),
        [
          '--port',
          '0',
          '-f',
          String(application.port),
          '--tunnel',
          `ssh:${ssh.destination}`,
          '--ssh-config',
          ssh.clientConfig,
          '--register',
        ],
        env(),
      );
      const publicUrl = String(running.ready.publicUrl);
      expect(new URL(publicUrl).port).not.toBe(new URL(running.url).port);
      await pay();
      const line = await running.line(({ type }) => type === 'event');
      expect(line).toMatchObject({ event: 'CHARGE_PAID', amount: 4_200, forward: { status: 200 } });
      expect(sandbox.deliveries().at(0)).toMatchObject({ url: publicUrl });
      expect(await running.stop()).toBe(130);
      expect(running.stderr()).toContain('no way to delete one');
      await expect(deliver(publicUrl, '')).rejects.toThrow();
      await application.close();
    });

    it('ends with a listener that is killed outright', async () => {
      const home = homeWithSecret();
      const tunnel = ['--tunnel', `ssh:${ssh.destination}`, '--ssh-config', ssh.clientConfig];
      running = await listen(home, ['--port', '0', '--secret-file', `${home}/secret`, ...tunnel], env());
      const publicUrl = String(running.ready.publicUrl);
      expect(await answers(publicUrl)).toBe(true);
      await running.stop('SIGKILL');
      await expect.poll(() => answers(publicUrl)).toBe(false);
    });

    it('that cannot be made is told, and nothing is registered', async () => {
      const requests = sandbox.requests().length;
      const failed = await run(
        ['webhook', 'listen', '--port', '0', '--register', '--tunnel', 'ssh:nobody@127.0.0.1:1'],
        { env: env() },
      );
      expect(failed.code).toBe(75);
      expect(failed.stderr).toMatch(/The ssh tunnel did not start.*refused/s);
      expect(sandbox.requests().length).toBe(requests);
    });
  },
);

describe('a tunnel program', () => {
  it.skipIf(noShell !== null)(
    skipped('gets none of our secrets, and its address is registered once it answers', noShell),
    async () => {
      const home = emptyHome();
      running = await listen(home, ['--port', '0', '--tunnel', 'ngrok', '--register'], {
        ...env(),
        NGROK_AUTHTOKEN: 'theirs',
      });
      const { env: seen } = JSON.parse(readFileSync(join(home, 'tunnel.json'), 'utf8')) as {
        env: Record<string, string>;
      };
      expect(Object.keys(seen).filter((name) => name.startsWith('PIXCTL'))).toEqual([]);
      expect(seen.NGROK_AUTHTOKEN).toBe('theirs');
      await pay();
      expect(await running.line(({ type }) => type === 'event')).toMatchObject({ amount: 4_200 });
    },
  );

  it.skipIf(noShell !== null)(skipped('is stopped with the listener', noShell), async () => {
    const home = homeWithSecret();
    running = await listen(
      home,
      ['--port', '0', '--tunnel', 'ngrok', '--secret-file', `${home}/secret`],
      env(),
    );
    const publicUrl = String(running.ready.publicUrl);
    expect((await deliver(publicUrl, '', {}, 'GET')).status).toBe(200);
    await running.stop();
    await expect(deliver(publicUrl, '', {}, 'GET')).rejects.toThrow();
  });

  it.skipIf(noShell !== null)(
    skipped('is over when it has ended, also where what it started holds its output open', noShell),
    async () => {
      const home = homeWithSecret();
      const path = emptyHome();
      const wrapper = `#!/bin/sh\necho $$ > "$HOME/wrapper"\n${shellQuoted(`${fakes}/ngrok`)} "$@"\n`;
      writeFileSync(join(path, 'ngrok'), wrapper, { mode: 0o700 });
      running = await listen(home, ['--port', '0', '--tunnel', 'ngrok', '--secret-file', `${home}/secret`], {
        ...env(),
        PATH: `${path}:${process.env.PATH}`,
      });
      const { pid } = JSON.parse(readFileSync(join(home, 'tunnel.json'), 'utf8')) as { pid: number };
      process.kill(Number(readFileSync(join(home, 'wrapper'), 'utf8')));
      await expect.poll(running.stderr).toContain('The tunnel has ended');
      process.kill(pid);
      await expect.poll(running.stderr, { timeout: 10_000 }).toContain('The tunnel is back');
      const left = JSON.parse(readFileSync(join(home, 'tunnel.json'), 'utf8')) as { pid: number };
      expect(await running.stop('SIGTERM')).toBe(143);
      process.kill(left.pid);
    },
  );

  it.skipIf(noShell !== null)(
    skipped('that ends by itself is told with its last words', noShell),
    async () => {
      const failed = await run(
        ['webhook', 'listen', '--port', '0', '--register', '--tunnel', 'cloudflared'],
        {
          env: { ...env(), TUNNEL_TEST_FAILS: '1' },
        },
      );
      expect(failed.code).toBe(75);
      expect(failed.stderr).toContain('no such host');
    },
  );

  it('that is not there is named with where to get it', async () => {
    const missing = await run(['webhook', 'listen', '--port', '0', '--register', '--tunnel', 'cloudflared'], {
      env: { ...env(), PATH: join(emptyHome(), 'none') },
    });
    expect(missing.code).toBe(78);
    expect(missing.stderr).toContain('cloudflared is not on PATH');
    expect(missing.stderr).toContain('--public-url');
  });

  it('that lies in the working directory alone is not there', async () => {
    const [home, folder] = [homeWithSecret(), emptyHome()];
    const program = join(folder, process.platform === 'win32' ? 'ngrok.exe' : 'ngrok');
    copyFileSync(process.execPath, program);
    const args = [
      'webhook',
      'listen',
      '--port',
      '0',
      '--secret-file',
      join(home, 'secret'),
      '--tunnel',
      'ngrok',
    ];
    const child = spawn(node, [programPath(), ...args], {
      cwd: folder,
      env: cleanEnvironment(home, { PATH: join(home, 'none') }),
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    const said = text(child.stderr);
    const [code] = await once(child, 'close');
    expect([code, await said]).toEqual([78, expect.stringContaining('ngrok is not on PATH')]);
  });

  it.skipIf(noShell !== null)(
    skipped('that may not be run is no matter of trying later', noShell),
    async () => {
      const path = emptyHome();
      writeFileSync(join(path, 'cloudflared'), '', { mode: 0o600 });
      const closed = await run(
        ['webhook', 'listen', '--port', '0', '--register', '--tunnel', 'cloudflared'],
        {
          env: { ...env(), PATH: path },
        },
      );
      expect(closed.code).toBe(78);
      expect(closed.stderr).toContain('cloudflared cannot be run');
    },
  );
});

describe("an address of one's own", () => {
  it('is looked at, and told when it leads elsewhere', async () => {
    const elsewhere = await startApplication();
    const home = homeWithSecret();
    running = await listen(
      home,
      ['--port', '0', '--secret-file', `${home}/secret`, '--public-url', elsewhere.url],
      env(),
    );
    expect(running.stderr()).toContain('does not lead to this listener');
    await elsewhere.close();
  });

  it.skipIf(noShell !== null)(
    skipped(
      'loses nothing that comes while it is looked for with a secret that is known, and tells it',
      noShell,
    ),
    async () => {
      const home = homeWithSecret();
      const port = await freePort();
      const statuses: number[] = [];
      let stopListener = () => {};
      const onLook = async (response: ServerResponse) => {
        statuses.push((await deliver(`http://127.0.0.1:${port}/`, eventBody('evt_early'))).status);
        stopListener();
        response.end();
      };
      await using elsewhere = await hostileServer((response) => void onLook(response));
      await using hanging = await hostileServer(() => {});
      const address = ['--port', `${port}`, '--public-url', elsewhere.url, '-f', hanging.url];
      const child = start(['webhook', 'listen', '--secret-file', `${home}/secret`, ...address], {
        home,
        env: env(),
      });
      stopListener = () => child.kill('SIGINT');
      let errors = '';
      child.stderr.setEncoding('utf8').on('data', (text: string) => {
        errors += text;
      });
      const [code] = await once(child, 'close');
      expect([code, statuses]).toEqual([130, [200]]);
      expect(errors).toContain('1 event came before this listener was ready, and is kept');
      const { stdout } = await run(['webhook', 'inbox', '-o', 'ndjson'], { home, env: env() });
      expect(JSON.parse(stdout)).toMatchObject({ eventId: 'evt_early', state: 'WAITING' });
      using inbox = new DatabaseSync(`${home}/.local/state/pixctl/inbox.sqlite`);
      expect(inbox.prepare('SELECT claimed_by FROM inbox_event').all()).toEqual([{ claimed_by: null }]);
    },
  );

  it('is refused by registration when it is plain http beyond this machine', async () => {
    const refused = await run(
      [
        'webhook',
        'listen',
        '--port',
        '0',
        '--register',
        '--public-url',
        'http://192.0.2.1/x',
        '--base-url',
        'https://api.example.com',
      ],
      { env: { ...env(), PIXCTL_BASE_URL: 'https://api.example.com' } },
    );
    expect(refused.code).toBe(64);
    expect(refused.stderr).toContain('HTTPS addresses only');
  });
});
