/**
 * Deliveries answered a second by `webhook listen` (verified, durably stored), against a bare `node:http`
 * server that only answers 200, and Express with a verifier. Each server is a process of its own.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { createHmac } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { join } from 'node:path';
import { program, temporaryHome } from './home.ts';
import type { BenchOptions } from './main.ts';
import { median } from './measure.ts';
import type { Row } from './row.ts';

const part = 'listener';
const secret = 'whsec_bench_0123456789abcdef';
const deliveries = 6_000;
const connections = 64;
const offered = 400;

export async function listener({ rounds }: BenchOptions): Promise<Row[]> {
  const home = temporaryHome();
  writeFileSync(join(home.path, 'secret'), secret, { mode: 0o600 });
  const servers = {
    bare: await startServer(['--input-type=module', '-e', bare], home.env),
    express: await startServer(['--input-type=module', '-e', express], home.env),
    pixctl: await startServer(
      [
        program,
        'webhook',
        'listen',
        '--port',
        '0',
        '--secret-file',
        join(home.path, 'secret'),
        '-o',
        'ndjson',
      ],
      home.env,
    ),
  };
  try {
    const rates: Record<string, number[]> = { pixctl: [], express: [] };
    for (let round = 0; round < (rounds < 10 ? 2 : 5); round++) {
      const base = await rate(servers.bare.url);
      for (const name of ['pixctl', 'express'] as const)
        rates[name]?.push((await rate(servers[name].url)) / base);
    }
    const own = await p99(servers.pixctl.url);
    const other = await p99(servers.express.url);
    return [
      {
        part,
        name: 'answered, verified and stored / bare 200',
        value: median(rates.pixctl ?? []),
        unit: '',
        least: 0.5,
      },
      { part, name: 'Express, verified only / bare 200', value: median(rates.express ?? []), unit: '' },
      {
        part,
        name: `p99 at ${offered}/s / Express`,
        value: own / other,
        unit: '',
        most: 1,
        detail: `${own.toFixed(1)} ms, Express ${other.toFixed(1)} ms`,
      },
    ];
  } finally {
    for (const { child } of Object.values(servers)) child.kill();
    home.remove();
  }
}

const bare = `import { createServer } from 'node:http';
createServer((request, response) => { request.resume().on('end', () => response.end('{}')); })
  .listen(0, '127.0.0.1', function () { console.log(JSON.stringify({ url: 'http://127.0.0.1:' + this.address().port })); });`;

const express = `import { createHmac, timingSafeEqual } from 'node:crypto';
import express from ${JSON.stringify(import.meta.resolve('express'))};
const app = express();
app.post('/', express.raw({ type: () => true }), (request, response) => {
  const [, t, v1] = /^t=(\\d+),v1=([0-9a-f]{64})$/.exec(request.get('service-signature') ?? '') ?? [];
  const made = createHmac('sha256', ${JSON.stringify(secret)}).update(t + '.').update(request.body).digest();
  if (!v1 || !timingSafeEqual(made, Buffer.from(v1, 'hex'))) return response.status(400).json({});
  response.json({ received: true });
});
const server = app.listen(0, '127.0.0.1', () => console.log(JSON.stringify({ url: 'http://127.0.0.1:' + server.address().port })));`;

async function startServer(args: readonly string[], env: Record<string, string>) {
  const child: ChildProcess = spawn(process.execPath, args, { env, stdio: ['ignore', 'pipe', 'inherit'] });
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
  return { child, url };
}

let made = 0;

function delivery(): { body: string; signature: string } {
  const body = JSON.stringify({
    id: `evt_${process.pid}_${made++}`,
    event: 'CHARGE_PAID',
    createdAt: '2026-01-02T03:04:05.000Z',
    data: { id: 'chg_1', amount: 1050, status: 'PAID' },
  });
  const t = Math.floor(Date.now() / 1000);
  return {
    body,
    signature: `t=${t},v1=${createHmac('sha256', secret).update(`${t}.${body}`).digest('hex')}`,
  };
}

function post(url: string, agent: Agent, { body, signature }: ReturnType<typeof delivery>): Promise<void> {
  return new Promise((resolve, reject) => {
    const headers = {
      'content-type': 'application/json',
      'content-length': Buffer.byteLength(body),
      'service-signature': signature,
    };
    request(url, { method: 'POST', agent, headers }, (response) => {
      response.resume().on('end', () => {
        if (response.statusCode === 200) resolve();
        else reject(new Error(`${url} answered ${response.statusCode}`));
      });
    })
      .on('error', reject)
      .end(body);
  });
}

/** Deliveries a second with all connections busy; signed beforehand, so that only the server works. */
async function rate(url: string): Promise<number> {
  const agent = new Agent({ keepAlive: true, maxSockets: connections });
  const all = Array.from({ length: deliveries }, delivery);
  const begun = performance.now();
  await Promise.all(
    Array.from({ length: connections }, async () => {
      for (let one = all.pop(); one !== undefined; one = all.pop()) await post(url, agent, one);
    }),
  );
  agent.destroy();
  return deliveries / ((performance.now() - begun) / 1000);
}

/** The 99th percentile of the answer's time, milliseconds, at a load that none of the servers is pressed by. */
async function p99(url: string): Promise<number> {
  const agent = new Agent({ keepAlive: true, maxSockets: connections });
  const times: Promise<number>[] = [];
  const begun = performance.now();
  for (let sent = 0; sent < offered * 5; ) {
    const due = Math.min(offered * 5, Math.floor(((performance.now() - begun) / 1000) * offered));
    for (; sent < due; sent++) {
      const at = performance.now();
      times.push(post(url, agent, delivery()).then(() => performance.now() - at));
    }
    await new Promise((resolve) => setTimeout(resolve, 1));
  }
  const sorted = (await Promise.all(times)).sort((a, b) => a - b);
  agent.destroy();
  return sorted[Math.floor(sorted.length * 0.99)] ?? Number.NaN;
}
