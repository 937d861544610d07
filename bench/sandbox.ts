/**
 * The sandbox beside comparable local API servers, each in a process of its own with its usual settings: records
 * created, listed and read per second under the same load (`load.ts`), with thousands of records present. Also its
 * start, up to the first answer.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { freePort } from '../test/support/free-port.ts';
import { measureFirstAnswers } from './first-answer.ts';
import { program, temporaryHome } from './home.ts';
import type { LoadOptions } from './load.ts';
import { median } from './measure.ts';
import { fetchPeerServers, type PeerServer, sent } from './peer-servers.ts';
import type { BenchOptions, Row } from './row.ts';

const part = 'sandbox';
const connections = 32;
const records = 3_000;

export async function benchSandbox({ rounds, peers }: BenchOptions): Promise<Row[]> {
  const home = temporaryHome();
  const running: RunningServer[] = [];
  try {
    running.push(await startPeer(pixctl('in memory', []), home));
    running.push(await startPeer(pixctl('with --state', ['--state', join(home.path, 'state.db')]), home));
    for (const rival of peers ? await fetchPeerServers() : []) running.push(await startPeer(rival, home));
    for (const it of running) await it.check();
    const seconds = rounds < 10 ? 1 : 2;
    const turns = rounds < 10 ? 3 : 5;
    return [
      ...comparisonRows(
        'lists of 20',
        await measureInTurns(running, turns, (it) => it.load(it.requests.list, seconds)),
        3,
      ),
      ...comparisonRows(
        'reads',
        await measureInTurns(running, turns, (it) => it.load(it.requests.one, seconds)),
      ),
      ...comparisonRows(
        'creates',
        await measureInTurns(running, turns, (it) => it.load(it.requests.create, seconds)),
        3,
      ),
      ...(await measureFirstAnswers(home.env, rounds)),
    ];
  } finally {
    for (const { child } of running) child.kill();
    home.remove();
  }
}

const key = 'known once it runs';
const pixctl = (how: string, flags: readonly string[]): PeerServer => ({
  name: `pixctl ${how}`,
  args: (port) => [program, 'sandbox', 'start', '--port', `${port}`, '-o', 'json', ...flags],
  create: { path: '/transparents/create', type: 'application/json', body: JSON.stringify(sent) },
  list: '/transparents/list?limit=20',
  one: (id) => `/transparents/check?id=${id}`,
  tokens: [key],
  keeps: true,
});

interface RunningServer {
  readonly name: string;
  readonly child: ChildProcess;
  readonly requests: Readonly<Record<'create' | 'list' | 'one', string[]>>;
  load(requests: readonly string[], seconds: number, answers?: number): Promise<number>;
  /** Creates the records. Throws if an answer does not hold what was requested. */
  check(): Promise<void>;
}

async function startPeer(
  it: PeerServer,
  home: { path: string; env: Record<string, string> },
): Promise<RunningServer> {
  const port = await freePort();
  const child = spawn(process.execPath, it.args(port, home.path), {
    env: home.env,
    cwd: home.path,
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  let told = '';
  child.stdout?.on('data', (chunk) => {
    told = (told + chunk).slice(0, 4_096);
  });
  const url = `http://127.0.0.1:${port}`;
  process.once('exit', () => child.kill());
  await waitUntilAnswering(url, child, () => it.tokens[0] !== key || told.includes('\n'));
  const tokens = it.tokens.map((token) => (token === key ? (JSON.parse(told).apiKey as string) : token));
  const head = (token: string) => `Host: 127.0.0.1:${port}\r\nAuthorization: Bearer ${token}\r\n`;
  const get = (path: string) => tokens.map((token) => `GET ${path} HTTP/1.1\r\n${head(token)}\r\n`);
  const { path, type, body } = it.create;
  const headers = { authorization: `Bearer ${tokens[0]}`, 'content-type': type };
  const made = await read(await fetch(url + path, { method: 'POST', headers, body }));
  const requests = {
    create: tokens.map(
      (token) =>
        `POST ${path} HTTP/1.1\r\n${head(token)}Content-Type: ${type}\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
    ),
    list: get(it.list),
    one: get(it.one(idOf(made))),
  };
  const load = (given: readonly string[], seconds: number, answers?: number) =>
    runLoad({ port, connections, seconds, requests: given, ...(answers ? { answers } : {}) });
  return {
    name: it.name,
    child,
    requests,
    load,
    async check() {
      if (it.keeps) await load(requests.create, 60, records);
      const one = await read(await fetch(url + it.one(idOf(made)), { headers }));
      const page = await read(await fetch(url + it.list, { headers }));
      const items = Array.isArray(page) ? page : (page as { data: unknown[] }).data;
      const right = idOf(one) === idOf(made) && amountOf(one) === sent.amount && items.length === 20;
      if (!right) throw new Error(`${it.name} does not answer what it was asked`);
    },
  };
}

async function read(response: Response): Promise<unknown> {
  if (!response.ok) throw new Error(`${response.url} answered ${response.status}`);
  return response.json();
}
/** Returns the record, bare or from an envelope. */
const recordOf = (body: unknown) =>
  ((body as { data?: object }).data ?? body) as { id: string; amount: number };
const idOf = (body: unknown) => recordOf(body).id;
const amountOf = (body: unknown) => recordOf(body).amount;

async function waitUntilAnswering(url: string, child: ChildProcess, hasTold: () => boolean): Promise<void> {
  for (let tries = 0; tries < 600 && child.exitCode === null; tries++) {
    const answered = await fetch(url).then(
      () => true,
      () => false,
    );
    if (answered && hasTold()) return;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error(`${child.spawnargs.join(' ')} does not answer`);
}

/** Runs the load in a process of its own, so that the bench's own work counts for nobody. */
async function runLoad(order: LoadOptions): Promise<number> {
  const child = spawn(process.execPath, [fileURLToPath(new URL('load.ts', import.meta.url))], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  child.stdin.end(JSON.stringify(order));
  const told = await text(child.stdout);
  if (told === '') throw new Error('the load ended');
  return Number(told);
}

interface Rate {
  readonly name: string;
  readonly perSecond: number;
}

async function measureInTurns(
  all: readonly RunningServer[],
  turns: number,
  measure: (it: RunningServer) => Promise<number>,
): Promise<Rate[]> {
  const rates = all.map((): number[] => []);
  for (let turn = 0; turn < turns; turn++)
    for (const [at, it] of all.entries()) rates[at]?.push(await measure(it));
  return all.map(({ name }, at) => ({ name, perSecond: median(rates[at] ?? []) }));
}

function comparisonRows(what: string, rates: readonly Rate[], least?: number): Row[] {
  const own = rates.filter(({ name }) => name.startsWith('pixctl'));
  const others = rates.filter((rate) => !own.includes(rate)).sort((a, b) => b.perSecond - a.perSecond);
  const tell = ({ name, perSecond }: Rate) => `${name} ${perSecond.toFixed(0)}/s`;
  const [fastest] = others;
  return own.map((rate) => ({
    part,
    name: `${what}, ${rate.name}${fastest ? ` / ${fastest.name}` : ''}`,
    value: fastest ? rate.perSecond / fastest.perSecond : rate.perSecond,
    unit: fastest ? '' : '/s',
    detail: [`${rate.perSecond.toFixed(0)}/s`, ...others.map(tell)].join('; '),
    ...(least !== undefined && fastest ? { least } : {}),
  }));
}
