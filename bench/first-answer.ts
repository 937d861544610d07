/**
 * Measures from the start of a process to its first whole answer. The port is chosen beforehand and tried again and
 * again until somebody is there, as a test that waits for a server does. It is the same for both servers.
 */
import { spawn } from 'node:child_process';
import { connect } from 'node:net';
import { freePort } from '../test/support/free-port.ts';
import { program } from './home.ts';
import { median } from './measure.ts';
import type { Row } from './row.ts';

const part = 'sandbox';

/** The least that a server can be: it answers 200 to everything. */
const bare = (port: number) =>
  `require('node:http').createServer((_, response) => response.end('{}')).listen(${port}, '127.0.0.1')`;

export async function measureFirstAnswers(env: Record<string, string>, rounds: number): Promise<Row[]> {
  const port = await freePort();
  // With a seed the key is the same in each run, so that the first answer is a real one: 200, with a list.
  const start = [program, 'sandbox', 'start', '--port', `${port}`, '--seed', 'bench', '-o', 'json'];
  const key = await readApiKey(start, env);
  const get = `GET /transparents/list?limit=20 HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nAuthorization: Bearer ${key}\r\n\r\n`;
  const subjects = {
    bare: () => measureExit(['-e', '0'], env),
    http: () => measureFirstAnswer(['-e', bare(port)], env, port, get),
    sandbox: () => measureFirstAnswer(start, env, port, get),
    quiet: () => measureFirstAnswer([...start, '--no-profile'], env, port, get),
  };
  const times: Record<keyof typeof subjects, number[]> = { bare: [], http: [], sandbox: [], quiet: [] };
  const names = Object.keys(subjects) as (keyof typeof subjects)[];
  for (let round = -2; round < rounds; round++)
    for (const name of names) {
      const elapsed = await subjects[name]();
      if (round >= 0) times[name].push(elapsed);
    }
  const ratio = (one: keyof typeof subjects, other: keyof typeof subjects) =>
    median(times[one].map((elapsed, round) => elapsed / (times[other][round] ?? Number.NaN)));
  const detail = names.map((name) => `${name} ${median(times[name]).toFixed(0)} ms`).join(', ');
  const row = (name: string, value: number, most?: number): Row => ({
    ...{ part, name, value, unit: '', detail },
    ...(most === undefined ? {} : { most }),
  });
  return [
    row('start to first answer / bare node:http, the same', ratio('sandbox', 'http'), 1.5),
    row('start to first answer / node -e 0', ratio('sandbox', 'bare'), 1.5),
    row('start to first answer, --no-profile / node -e 0', ratio('quiet', 'bare')),
    row('bare node:http, start to first answer / node -e 0', ratio('http', 'bare')),
  ];
}

function readApiKey(args: readonly string[], env: Record<string, string>): Promise<string> {
  const child = spawn(process.execPath, args, { env, stdio: ['ignore', 'pipe', 'inherit'] });
  return new Promise((resolve, reject) => {
    let told = '';
    child.stdout.on('data', (chunk) => {
      told += chunk;
      if (told.includes('\n')) child.kill();
    });
    child.once('exit', () => {
      const key = /"apiKey":"([^"]+)"/.exec(told)?.[1];
      if (key === undefined) reject(new Error('the sandbox did not start'));
      else resolve(key);
    });
  });
}

function measureExit(args: readonly string[], env: Record<string, string>): Promise<number> {
  const begun = performance.now();
  const child = spawn(process.execPath, args, { env, stdio: 'ignore' });
  return new Promise((resolve) => child.once('exit', () => resolve(performance.now() - begun)));
}

/** Returns the milliseconds from spawn to the end of an answer with 200. */
function measureFirstAnswer(
  args: readonly string[],
  env: Record<string, string>,
  port: number,
  get: string,
): Promise<number> {
  const begun = performance.now();
  const child = spawn(process.execPath, args, { env, stdio: ['ignore', 'ignore', 'inherit'] });
  return new Promise((resolve, reject) => {
    let elapsed = 0;
    const ask = () => {
      const socket = connect({ port, host: '127.0.0.1', noDelay: true });
      let told = '';
      socket.once('connect', () => socket.write(get));
      socket.on('data', (chunk) => {
        told += chunk;
        if (!told.endsWith('}')) return;
        elapsed = performance.now() - begun;
        if (!told.startsWith('HTTP/1.1 200 ')) reject(new Error(`first answer: ${told.slice(0, 40)}`));
        socket.destroy();
        child.kill();
      });
      socket.once('error', () => {
        socket.destroy();
        if (child.exitCode === null) setTimeout(ask, 1);
      });
    };
    ask();
    child.once('exit', (code) =>
      elapsed > 0 ? resolve(elapsed) : reject(new Error(`it ended with ${code}`)),
    );
  });
}
