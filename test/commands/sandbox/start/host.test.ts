/** `sandbox start --host`: the sandbox in a container, and what it says to whoever starts it. */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { afterEach, describe, expect, it, onTestFinished } from 'vitest';
import { createOtherMachine, noNamespaces, type OtherMachine } from '../../../support/network-namespace.ts';
import { noIpv6, skipped } from '../../../support/platform.ts';
import { cleanEnvironment, emptyHome, node, programPath, run, start } from '../../../support/run.ts';

const key = 'svc_sandbox_for-the-compose-file';
const env = { PIXCTL_SANDBOX_API_KEY: key };

const children: ChildProcess[] = [];
afterEach(() => {
  for (const child of children.splice(0)) child.kill('SIGKILL');
});

interface Started {
  readonly child: ChildProcess;
  readonly url: string;
  readonly port: string;
  readonly apiKey: string;
  readonly stderr: () => string;
}

async function read(child: ReturnType<typeof start>): Promise<Started> {
  children.push(child);
  let said = '';
  child.stderr.on('data', (chunk) => (said += chunk));
  let text = '';
  for await (const chunk of child.stdout) {
    text += String(chunk);
    if (text.includes('\n')) break;
  }
  if (text === '') throw new Error(`it did not start: ${said}`);
  const { url, apiKey } = JSON.parse(text) as { url: string; apiKey: string };
  return { child, url, apiKey, port: new URL(url).port, stderr: () => said };
}

const startSandbox = (home: string, ...flags: string[]) =>
  read(start(['sandbox', 'start', '-o', 'json', ...flags], { home, env }));

describe('pixctl sandbox start --host', () => {
  it.each(noIpv6 === null ? ['0.0.0.0', '::'] : ['0.0.0.0'])(
    'warns that others can reach it on %s, and uses the key it was given',
    async (host) => {
      const home = emptyHome();
      const { url, apiKey, port, stderr } = await startSandbox(home, '--host', host);
      expect([url, apiKey]).toEqual([`http://127.0.0.1:${port}`, key]);
      await expect
        .poll(stderr)
        .toContain('warning: Other machines and containers can reach this sandbox, at ');
      expect(stderr()).toContain(`${host === '::' ? '[::]' : host}:${port}.`);
      expect(stderr()).not.toContain(key);
      const charge = ['charge', 'create', '--amount', '10,50', '--no-qr', '-o', 'json', '--quiet'];
      expect(await run(charge, { home })).toMatchObject({ code: 0 });
    },
  );

  it('warns of nothing where only this machine reaches it', async () => {
    const home = emptyHome();
    const { child, stderr } = await startSandbox(home, '--host', '127.0.0.1', '--allow-host', 'sandbox');
    child.kill('SIGTERM');
    await once(child, 'close');
    expect(stderr()).toBe('');
  });

  it.each([
    [['--host', 'localhost'], {}, 64, '--host "localhost" is not an IP address. Nothing was started.'],
    [['--host', ''], {}, 64, '--host is empty.'],
    [['--host', '192.0.2.1'], {}, 78, 'cannot listen on 192.0.2.1:0: this machine has no such address'],
    [['--allow-host', 'a:4010'], {}, 64, '--allow-host "a:4010" is not a host name. Nothing was started.'],
    [['--allow-host', '*'], {}, 64, '--allow-host "*" is not a host name. Nothing was started.'],
    [[], { PIXCTL_SANDBOX_API_KEY: 'svc_live_x' }, 78, 'PIXCTL_SANDBOX_API_KEY is not a key for a sandbox.'],
  ])('refuses %j with %o: %d', async (flags, given, code, why) => {
    const ended = await run(['sandbox', 'start', ...flags], { env: given });
    expect([ended.code, ended.stdout, ended.stderr]).toEqual([code, '', expect.stringContaining(why)]);
    expect(ended.stderr).not.toContain('svc_live_x');
  });

  it('draws a key where the variable is empty', async () => {
    const words = ['sandbox', 'start', '-o', 'json', '--no-profile'];
    const child = start(words, { env: { PIXCTL_SANDBOX_API_KEY: '' } });
    expect((await read(child)).apiKey).toMatch(/^svc_sandbox_[a-z0-9]{32}$/);
  });
});

const noNamespacesOfProcesses = (() => {
  try {
    execFileSync('unshare', ['--pid', '--fork', '--mount-proc', 'true'], { stdio: 'pipe' });
    return null;
  } catch {
    return 'this user may make no namespace of processes';
  }
})();

describe('as the first process of a container', () => {
  const words = ['sandbox', 'start', '-o', 'json', '--host', '0.0.0.0'];
  it.skipIf(noNamespacesOfProcesses !== null).each(['SIGTERM', 'SIGINT'] as const)(
    skipped('ends on %s with 0', noNamespacesOfProcesses),
    async (signal) => {
      const program = ['--pid', '--fork', '--mount-proc', node, programPath(), ...words];
      const shell = spawn('unshare', program, { env: cleanEnvironment(emptyHome(), env) });
      const { url, child } = await read(shell);
      expect((await fetch(`${url}/withdrawals`)).status).toBe(401);
      // The signal goes to the first process itself, as `docker stop` sends it, not to unshare.
      const first = readFileSync(`/proc/${child.pid}/task/${child.pid}/children`, 'utf8').trim();
      expect(readFileSync(`/proc/${first}/status`, 'utf8')).toMatch(/^NSpid:\t\d+\t1$/m);
      const closed = once(child, 'close');
      process.kill(Number(first), signal);
      expect(await closed).toEqual([0, null]);
    },
  );
});

describe.skipIf(noNamespaces !== null)(skipped('from another machine', noNamespaces), () => {
  function join(): OtherMachine {
    const machine = createOtherMachine();
    onTestFinished(() => machine[Symbol.dispose]());
    return machine;
  }

  /** Prints the status of each path there, with these headers; the code of the error if nothing answers. */
  const statuses = (base: string, paths: readonly string[], headers: Record<string, string>) => `
    import { request } from 'node:http';
    for (const path of ${JSON.stringify(paths)}) {
      const told = await new Promise((resolve) => {
        request(${JSON.stringify(base)} + path, { headers: ${JSON.stringify(headers)}, agent: false }, (answer) => {
          answer.resume();
          resolve(answer.statusCode);
        }).on('error', ({ code }) => resolve(code)).end();
      });
      console.log(path, told);
    }
  `;
  const paths = ['/withdrawals', '/__sandbox/clock', '/__sandbox/ui/charges'];
  const authorization = `Bearer ${key}`;

  it('is not reached without it', async () => {
    const { here, run: there } = join();
    const { port } = await startSandbox(emptyHome());
    expect(await there(statuses(`http://${here.ipv4}:${port}`, ['/withdrawals'], { authorization }))).toBe(
      '/withdrawals ECONNREFUSED\n',
    );
  });

  it.each([
    ['0.0.0.0', 'ipv4'],
    ['::', 'ipv4'],
    ['::', 'ipv6'],
  ] as const)(
    'is reached with --host %s over %s: the API by its key, the control plane by an allowed name',
    async (host, family) => {
      const { here, run: there } = join();
      const { port } = await startSandbox(emptyHome(), '--host', host, '--allow-host', 'sandbox');
      const base = `http://${family === 'ipv6' ? `[${here.ipv6}]` : here.ipv4}:${port}`;
      const named = { host: `sandbox:${port}` };
      expect(await there(statuses(base, paths, { authorization }))).toBe(
        '/withdrawals 200\n/__sandbox/clock 403\n/__sandbox/ui/charges 403\n',
      );
      expect(await there(statuses(base, paths, { ...named, authorization }))).toBe(
        '/withdrawals 200\n/__sandbox/clock 200\n/__sandbox/ui/charges 403\n',
      );
      expect(await there(statuses(base, paths, named))).toBe(
        '/withdrawals 401\n/__sandbox/clock 401\n/__sandbox/ui/charges 403\n',
      );
    },
  );

  it.each(['ipv4', 'ipv6'] as const)('is reached at that address alone, over %s', async (family) => {
    const { here, run: there } = join();
    const { port } = await startSandbox(emptyHome(), '--host', here[family]);
    const base = (address: string) => `http://${address.includes(':') ? `[${address}]` : address}:${port}`;
    const other = here[family === 'ipv4' ? 'ipv6' : 'ipv4'];
    expect(await there(statuses(base(here[family]), paths, { authorization }))).toBe(
      '/withdrawals 200\n/__sandbox/clock 200\n/__sandbox/ui/charges 403\n',
    );
    expect(await there(statuses(base(other), ['/withdrawals'], { authorization }))).toBe(
      '/withdrawals ECONNREFUSED\n',
    );
  });
});
