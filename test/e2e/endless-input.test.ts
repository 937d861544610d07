/** A stdin without an end: told as what it is, and not read on. */
import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { spawn } from '@lydell/node-pty';
import { expect, it, vi } from 'vitest';
import { converse } from '../support/converse.ts';
import { homeWithSecret } from '../support/listen.ts';
import { noPty, noSignals } from '../support/platform.ts';
import { cleanEnvironment, emptyHome, programPath, start } from '../support/run.ts';

it.each([
  ['4 MB', ['brcode', 'decode', '-']],
  ['1 MB', ['login', '--base-url', 'https://pay.invalid', '--no-check', '--key-stdin']],
  ['1 MB', ['webhook', 'listen', '--port', '0', '--secret-stdin']],
  ['20 MB', ['webhook', 'sign', '--secret-file', 'SECRET', '--payload-file', '-']],
  ['20 MB', ['webhook', 'trigger', 'CHARGE_PAID', '-f', '9', '--secret-file', 'SECRET', '--data', '@-']],
  ['20 MB', ['api', 'POST', '/transparents/create', '--input', '-']],
  ['20 MB', ['api', 'POST', '/transparents/create', '-F', 'description=@-']],
  ['100 MB', ['withdrawal', 'batch', '-', '--result', 'RESULT', '--yes']],
  ['250 MB', ['reconcile', '--orders', '-']],
  ['500 MB', ['sandbox', 'restore', '-']],
])('a stdin without an end is refused with 65 once it has more than %s: %j', async (limit, args) => {
  const home = homeWithSecret();
  const places: Record<string, string> = { SECRET: `${home}/secret`, RESULT: `${home}/result.csv` };
  const child = start(
    args.map((arg) => places[arg] ?? arg),
    { home, env: { PIXCTL_BASE_URL: 'http://127.0.0.1:9', PIXCTL_API_KEY: 'svc_x' } },
  );
  const chunk = Buffer.alloc(65_536, '0');
  // Its end is what ends this writer.
  child.stdin.on('error', () => {});
  const write = () => {
    while (child.stdin.writable && child.stdin.write(chunk));
  };
  child.stdin.on('drain', write);
  write();
  let said = '';
  child.stderr.on('data', (text: Buffer) => {
    said += text.toString();
  });
  const code = await new Promise((resolve) => child.on('close', resolve));
  expect([code, said]).toEqual([65, expect.stringContaining(`stdin has more than ${limit}`)]);
});

it
  .skipIf(noSignals !== null)
  .each([
    [['brcode', 'decode', '-']],
    [['reconcile', '--orders', '-']],
    [['api', 'POST', '/transparents/create', '--input', '-']],
    [['login', '--base-url', 'https://pay.invalid', '--key-stdin']],
  ])('%j ends at the first SIGTERM, though the end of stdin never comes', async (args) => {
  const env = { PIXCTL_BASE_URL: 'http://127.0.0.1:9', PIXCTL_API_KEY: 'svc_x' };
  const child = start(args, { env });
  child.stdin.on('error', () => {});
  // More than a pipe holds: once it is taken, somebody reads.
  child.stdin.write(Buffer.alloc(200_000, '0'), () => child.kill('SIGTERM'));
  let said = '';
  child.stderr.on('data', (text: Buffer) => {
    said += text.toString();
  });
  const code = await new Promise((resolve) => child.on('close', resolve));
  expect([code, said]).toEqual([143, 'Interrupted while stdin was read. Nothing was sent.\n']);
});

it.skipIf(noSignals !== null)(
  'a batch reads its pipe on after a signal, says so, and then reports every line and sends none',
  async () => {
    const home = emptyHome();
    const path = join(home, 'pipe');
    execFileSync('mkfifo', [path]);
    const env = { PIXCTL_BASE_URL: 'http://127.0.0.1:9', PIXCTL_API_KEY: 'svc_x' };
    const child = start(['withdrawal', 'batch', path, '--yes', '--result', `${home}/result.csv`], {
      home,
      env,
    });
    let said = '';
    child.stderr.on('data', (text: Buffer) => {
      said += text.toString();
    });
    const ended = new Promise((resolve) => child.on('close', resolve));
    // It has opened the pipe once this does not wait any longer for a reader.
    const writer = await open(path, 'w');
    child.kill('SIGINT');
    while (!said.includes('Still reading')) await once(child.stderr, 'data');
    await writer.write('idempotency_key,amount,pix_key,pix_key_type\na1,100,a@example.com,EMAIL\n');
    await writer.close();
    expect([await ended, said]).toEqual([130, expect.stringContaining('0 of 1 withdrawal completed')]);
  },
);

it.skipIf(noPty !== null)('a terminal is told that it is read, and its first Ctrl-C ends that', async () => {
  const read = 'Reading from this terminal; Ctrl-D ends it.';
  const { code, screen } = await converse(['brcode', 'decode', '-'], [[read, '\u0003']], {
    home: emptyHome(),
  });
  expect([code, screen]).toEqual([
    130,
    expect.stringMatching(
      /^Reading from this terminal; Ctrl-D ends it\.\s+\^CInterrupted while stdin was read\./,
    ),
  ]);
});

it.skipIf(noPty !== null || process.platform !== 'linux').each([
  ['\u0003', 130, 'Interrupted while /dev/tty was read.'],
  ['\u0004', 65, 'the file is empty'],
])('a terminal that is named as a file ends with %j', async (typed, expected, said) => {
  const home = emptyHome();
  const env = { PIXCTL_BASE_URL: 'http://127.0.0.1:1', PIXCTL_API_KEY: 'svc_0123456789' };
  const terminal = spawn(process.execPath, [programPath(), 'reconcile', '--orders', '/dev/tty'], {
    cwd: home,
    env: cleanEnvironment(home, env),
  });
  let screen = '';
  terminal.onData((text) => {
    screen += text;
  });
  const ended = new Promise((resolve) => terminal.onExit(({ exitCode }) => resolve(exitCode)));
  const isOpen = () =>
    readFileSync(`/proc/${terminal.pid}/cmdline`, 'utf8').includes('--orders') &&
    readdirSync(`/proc/${terminal.pid}/fd`).some((fd) => {
      if (Number(fd) < 3) return false;
      try {
        return /^\/dev\/(?:tty|pts\/)/.test(readlinkSync(`/proc/${terminal.pid}/fd/${fd}`));
      } catch {
        return false;
      }
    });
  await vi.waitUntil(isOpen, { timeout: 20_000 });
  terminal.write(typed);
  expect([await ended, screen]).toEqual([expected, expect.stringContaining(said)]);
});

it.skipIf(noPty !== null)(
  'a key for --key-stdin is asked for at a terminal, where it would be shown as it is typed',
  async () => {
    const args = ['login', '--base-url', 'https://127.0.0.1:9', '--no-check', '--key-stdin'];
    const { code, screen } = await converse(args, [['API key for', 'svc_canary\r']], { home: emptyHome() });
    expect(code).toBe(0);
    expect(screen).not.toContain('canary');
  },
);
