/** The built program where it may open few files, while strangers hold more connections than these allow. */
import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { afterEach, expect, it } from 'vitest';
import { eventBody, signatureOf } from '../support/delivery.ts';
import { homeWithSecret } from '../support/listen.ts';
import { skipped } from '../support/platform.ts';
import { cleanEnvironment, node, programPath } from '../support/run.ts';

const noLimits = existsSync('/proc/self/limits')
  ? null
  : 'the system does not tell how many files are allowed';
const home = homeWithSecret();
const strangers: Socket[] = [];
let child: ChildProcess | undefined;
afterEach(async () => {
  for (const stranger of strangers.splice(0)) stranger.destroy();
  const ended = new Promise((resolve) => child?.once('exit', resolve));
  child?.kill();
  await ended;
});

/** Runs it with 128 files; resolves with the port that its line names, and what it writes. */
function startWithFewFiles(args: readonly string[]): Promise<{ port: number; said: () => string }> {
  let said = '';
  child = spawn('/bin/sh', ['-c', 'ulimit -n 128; exec "$0" "$@"', node, programPath(), ...args], {
    env: cleanEnvironment(home),
  });
  return new Promise((resolve) => {
    const hear = (chunk: Buffer) => {
      said += chunk;
      const [, port] = /"url":"http:\/\/127\.0\.0\.1:(\d+)/.exec(said) ?? [];
      if (port !== undefined) resolve({ port: Number(port), said: () => said });
    };
    child?.stdout?.on('data', hear);
    child?.stderr?.on('data', hear);
  });
}

function ask(port: number, request: string): Promise<string> {
  return new Promise((resolve) => {
    let got = '';
    const socket = connect(port, '127.0.0.1').on('error', () => {});
    socket.setEncoding('latin1').on('data', (chunk: string) => {
      got += chunk;
    });
    socket.on('close', () => resolve(got.slice(0, 12))).write(request);
  });
}

/** Connections that say nothing, and read nothing. */
async function comeInCrowds(port: number): Promise<void> {
  const connected = Array.from({ length: 200 }, () => {
    const stranger = connect(port, '127.0.0.1').on('error', () => {});
    strangers.push(stranger);
    return new Promise((resolve) => stranger.once('connect', resolve).once('close', resolve));
  });
  await Promise.all(connected);
}

const body = eventBody('evt_1');
const delivery = `POST / HTTP/1.1\r\nHost: a\r\nConnection: close\r\nService-Signature: ${signatureOf(body)}\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
const call = 'GET /transparents/list HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n';

it.skipIf(noLimits !== null).each([
  ['a listener', ['webhook', 'listen', '--secret-file', `${home}/secret`], delivery, 'HTTP/1.1 200'],
  ['a sandbox', ['sandbox', 'start', '--no-profile'], call, 'HTTP/1.1 401'],
])(
  skipped('%s lets strangers go that say nothing, hears the others, and says why', noLimits),
  async (_, args, request, answer) => {
    const { port, said } = await startWithFewFiles([...args, '--port', '0', '-o', 'ndjson']);
    await comeInCrowds(port);
    await expect.poll(() => ask(port, request), { timeout: 5_000, interval: 50 }).toBe(answer);
    await expect
      .poll(said)
      .toMatch(/connections .* are closed[\s\S]*Allow it to open more files \(ulimit -n\)/);
  },
);
