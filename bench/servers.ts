/** The servers that deliveries are offered to, each in a process of its own. */
import { type ChildProcess, spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { freePort } from '../test/support/free-port.ts';
import { secret } from './deliveries.ts';
import { program, temporaryHome } from './home.ts';

export interface Server {
  readonly url: string;
  /** Resolves when it has ended. */
  stop(): Promise<void>;
}

/** Only answers 200. */
export const startBareServer = (): Promise<Server> => serve(['--input-type=module', '-e', bare], {});

/** An application that counts the events that it gets, and answers a GET with the count. */
export const startCountingApplication = (): Promise<Server> =>
  serve(['--input-type=module', '-e', counting], {});

/** Express with a verifier of its own. It stores nothing. */
export const startExpressServer = (): Promise<Server> =>
  serve(['--input-type=module', '-e', express], { NODE_ENV: 'production' });

/** `webhook listen`, the whole command, with an inbox of its own. Its reports go where those of the others go. */
export async function startListenServer(...args: string[]): Promise<Server> {
  const home = temporaryHome();
  const file = join(home.path, 'secret');
  writeFileSync(file, secret, { mode: 0o600 });
  const port = await freePort();
  const listen = ['webhook', 'listen', '--port', `${port}`, '--secret-file', file, '-o', 'ndjson', '--quiet'];
  const child = spawn(process.execPath, [program, ...listen, ...args], {
    env: { ...process.env, ...home.env },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  const url = `http://127.0.0.1:${port}/`;
  while (!(await answers(url))) {
    if (child.exitCode !== null) throw new Error(`webhook listen ended with ${child.exitCode}`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  return {
    url,
    async stop() {
      child.kill();
      await ended;
      home.remove();
    },
  };
}

const answers = (url: string): Promise<boolean> =>
  fetch(url).then(
    () => true,
    () => false,
  );

/** Listens on any free port, and prints it as a line of JSON. */
const listening = `.listen(0, '127.0.0.1', function () { console.log(JSON.stringify({ url: 'http://127.0.0.1:' + this.address().port })); });`;

const bare = `import { createServer } from 'node:http';
createServer((request, response) => { request.resume().on('end', () => response.end('{}')); })
  ${listening}`;

const counting = `import { createServer } from 'node:http';
let events = 0;
createServer((request, response) => {
  request.resume().on('end', () => response.end(String(request.method === 'POST' ? ++events : events)));
})${listening}`;

const express = `import { createHmac, timingSafeEqual } from 'node:crypto';
import express from ${JSON.stringify(import.meta.resolve('express'))};
const app = express();
app.post('/', express.raw({ type: () => true }), (request, response) => {
  const [, t, v1] = /^t=(\\d+),v1=([0-9a-f]{64})$/.exec(request.get('service-signature') ?? '') ?? [];
  const made = createHmac('sha256', ${JSON.stringify(secret)}).update(t + '.').update(request.body).digest();
  if (!v1 || !timingSafeEqual(made, Buffer.from(v1, 'hex'))) return response.status(400).json({});
  response.json({ received: JSON.parse(request.body).id });
});
app${listening}`;

/** Resolves with the first line that names a URL. Later output is read and dropped. */
async function serve(args: readonly string[], env: Record<string, string>): Promise<Server> {
  const child: ChildProcess = spawn(process.execPath, args, {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const url = await new Promise<string>((resolve, reject) => {
    let told = '';
    child.stdout?.on('data', (chunk: Buffer) => {
      if (told.includes('\n')) return;
      told += chunk;
      const found = /"url":"([^"]+)"/.exec(told)?.[1];
      if (found !== undefined) resolve(found);
    });
    child.once('exit', (code) => reject(new Error(`a server ended with ${code}`)));
  });
  child.removeAllListeners('exit');
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  return {
    url,
    stop() {
      child.kill();
      return ended;
    },
  };
}
