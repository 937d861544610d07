/** Tunnel programs that end, say nothing, or say what cannot be; and the listener that goes on. */
import { once } from 'node:events';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, expect, it } from 'vitest';
import { answers } from '../../../support/answers.ts';
import { deliver, eventBody } from '../../../support/delivery.ts';
import { freePort } from '../../../support/free-port.ts';
import { homeWithSecret, type Listening, listen } from '../../../support/listen.ts';
import { noShell, skipped } from '../../../support/platform.ts';
import { emptyHome, run, start } from '../../../support/run.ts';

const fakes = fileURLToPath(new URL('../../../fixtures/tunnels', import.meta.url));
const PATH = `${fakes}:${process.env.PATH}`;
let running: Listening | null = null;
afterEach(async () => {
  await running?.stop('SIGTERM');
  running = null;
});

const args = (home: string) => ['--port', '0', '--secret-file', `${home}/secret`, '--tunnel', 'ngrok'];
const tunnelPid = (home: string) =>
  (JSON.parse(readFileSync(join(home, 'tunnel.json'), 'utf8')) as { pid: number }).pid;
/** Null while it has not started yet. */
function pidSoFar(home: string): number | null {
  try {
    return tunnelPid(home);
  } catch {
    return null;
  }
}
const said = (stderr: () => string, text: string): Promise<void> => expect.poll(stderr).toContain(text);

it.skipIf(noShell !== null)(
  skipped('starts the tunnel again when it ends, and says that it is back', noShell),
  async () => {
    const home = homeWithSecret();
    running = await listen(home, args(home), { PATH, NGROK_TEST_PORT: String(await freePort()) });
    const publicUrl = String(running.ready.publicUrl);
    const before = tunnelPid(home);
    process.kill(before, 'SIGKILL');
    await said(running.stderr, 'The tunnel has ended');
    await said(running.stderr, 'The tunnel is back');
    expect(tunnelPid(home)).not.toBe(before);
    expect((await deliver(publicUrl, eventBody('evt_1'))).status).toBe(200);
  },
);

it.skipIf(noShell !== null)(
  skipped('says when the tunnel is back at another address, which nobody knows', noShell),
  async () => {
    const home = homeWithSecret();
    running = await listen(home, args(home), { PATH });
    process.kill(tunnelPid(home), 'SIGKILL');
    await said(running.stderr, 'back at another address');
    expect(running.stderr()).toContain(`Deliveries to ${new URL(String(running.ready.publicUrl)).origin}`);
  },
);

it.skipIf(noShell !== null)(
  skipped('says when the program goes on at another address', noShell),
  async () => {
    const home = homeWithSecret();
    running = await listen(home, args(home), { PATH });
    process.kill(tunnelPid(home), 'SIGUSR2');
    await expect.poll(running.stderr, { timeout: 15_000 }).toContain('The tunnel has another address now');
    const first = new URL(String(running.ready.publicUrl)).origin;
    expect(running.stderr()).toContain(`Deliveries to ${first} do not arrive here`);
  },
);

it.skipIf(noShell !== null)(
  skipped(
    'says nothing when the program has a second address, and the first one leads here as before',
    noShell,
  ),
  async () => {
    const home = homeWithSecret();
    running = await listen(home, args(home), { PATH });
    process.kill(tunnelPid(home), 'SIGUSR1');
    await expect.poll(() => existsSync(join(home, 'reached-after-moving'))).toBe(true);
    expect((await deliver(String(running.ready.publicUrl), eventBody('evt_1'))).status).toBe(200);
    expect(await running.stop('SIGTERM')).toBe(143);
    expect(running.stderr()).not.toContain('another address');
    running = null;
  },
);

it.skipIf(noShell !== null)(
  skipped('reads an address and last words that are coloured', noShell),
  async () => {
    const home = homeWithSecret();
    const path = emptyHome();
    const words = String.raw`\033[31mERR\033[0m |  https://\033[1mfar-away.trycloudflare.com\033[0m  |`;
    writeFileSync(join(path, 'cloudflared'), `#!/bin/sh\nprintf '${words}\n' >&2\nexec sleep 1000\n`, {
      mode: 0o700,
    });
    const child = start(
      ['webhook', 'listen', '--port', '0', '--secret-file', `${home}/secret`, '--tunnel', 'cloudflared'],
      { home, env: { PATH: `${path}:${process.env.PATH}` } },
    );
    let stderr = '';
    child.stderr.on('data', (text: Buffer) => (stderr += text.toString()));
    await said(() => stderr, 'Waiting until https://far-away.trycloudflare.com/ answers');
    child.kill('SIGTERM');
    await once(child, 'close');
    writeFileSync(join(path, 'cloudflared'), `#!/bin/sh\nprintf '${words.replace('https', 'no')}\n' >&2\n`);
    const failed = await run(
      ['webhook', 'listen', '--port', '0', '--secret-file', `${home}/secret`, '--tunnel', 'cloudflared'],
      { home, env: { PATH: `${path}:${process.env.PATH}` } },
    );
    expect(failed.stderr).toContain('did not start: ERR |  no://far-away.trycloudflare.com  |');
  },
);

it.skipIf(noShell !== null).each(['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGKILL'] as const)(
  'leaves no tunnel behind when it is ended by %s, also one that was started again',
  async (signal) => {
    const home = homeWithSecret();
    running = await listen(home, args(home), { PATH });
    const first = String(running.ready.publicUrl);
    expect(await answers(first)).toBe(true);
    process.kill(tunnelPid(home), 'SIGKILL');
    await said(running.stderr, 'back at another address');
    const [, second = ''] = /back at another address: (\S+)\. /.exec(running.stderr()) ?? [];
    expect(await answers(second)).toBe(true);
    expect(await running.stop(signal)).toBe(
      { SIGINT: 130, SIGTERM: 143, SIGHUP: 143, SIGKILL: null }[signal],
    );
    await expect.poll(() => answers(second)).toBe(false);
    expect(await answers(first)).toBe(false);
  },
);

it.skipIf(noShell !== null).each(['tcp://0.tcp.ngrok.io:1234', 'file:///etc/passwd', 'not an address'])(
  'refuses the address %s',
  async (address) => {
    const home = homeWithSecret();
    const failed = await run(['webhook', 'listen', ...args(home)], {
      home,
      env: { PATH, NGROK_TEST_ADDRESS: address },
    });
    expect(failed.code).toBe(75);
    expect(failed.stderr).toContain(`it gave ${address}, where no deliveries can be sent`);
  },
);

it.skipIf(noShell !== null)(
  skipped('a signal while the tunnel comes up is no failure of the tunnel, and leaves none behind', noShell),
  async () => {
    const home = homeWithSecret();
    const child = start(['webhook', 'listen', ...args(home)], {
      home,
      env: { PATH, NGROK_TEST_ADDRESS: '' },
    });
    let stderr = '';
    child.stderr.on('data', (text: Buffer) => (stderr += text.toString()));
    const code = new Promise((resolve) => child.once('close', resolve));
    await expect.poll(() => pidSoFar(home)).not.toBeNull();
    const pid = tunnelPid(home);
    child.kill('SIGINT');
    expect(await code).toBe(130);
    expect(stderr).toContain('nothing was registered');
    expect(() => process.kill(pid, 0)).toThrow('ESRCH');
  },
);
