/** A stdin without an end: told as what it is, and not read on. */
import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { spawn } from '@lydell/node-pty';
import { expect, it, vi } from 'vitest';
import { converse } from '../support/converse.ts';
import { noPty, noSignals } from '../support/platform.ts';
import { cleanEnvironment, emptyHome, programPath, start } from '../support/run.ts';

it('brcode decode ends with 65 once stdin is larger than any picture of a code', async () => {
  const child = start(['brcode', 'decode', '-']);
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
  expect([code, said]).toEqual([65, expect.stringContaining('stdin has more than 4000000 bytes')]);
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
