/** What users import: the built module, typed and alone, and the documented receivers as they are printed. */
import { spawn, spawnSync } from 'node:child_process';
import { createHash, createHmac } from 'node:crypto';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { noSignals } from './support/platform.ts';
import { programPath, run } from './support/run.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const built = dirname(dirname(programPath()));
const secret = 'whsec_test_0123456789abcdef';
const folder = mkdtempSync(join(tmpdir(), 'pixctl-receivers-'));
mkdirSync(join(folder, 'node_modules/@hono'), { recursive: true });
symlinkSync(built, join(folder, 'node_modules/pixctl'), 'junction');
writeFileSync(join(folder, 'package.json'), '{"dependencies":{"pixctl":"*"}}');
for (const name of ['express', 'fastify', 'hono', '@hono/node-server'])
  symlinkSync(join(root, 'node_modules', name), join(folder, 'node_modules', name), 'junction');

const page = readFileSync(join(root, 'docs/webhook-receivers.md'), 'utf8');
const examples = [...page.matchAll(/^## (.+)\n[^#]*?```js\n([\s\S]*?)```/gm)].map(
  ([, name = '', code = '']) => [name, code] as const,
);

const foreign = new Map(
  [...page.matchAll(/^### (\w+)\n[^#]*?```\w+\n([\s\S]*?)```/gm)].map(([, name = '', code = '']) => [
    name,
    code,
  ]),
);

/** How an example is started. What its language keeps goes into the folder of this run. */
type Begin = (path: string) => readonly [program: string, ...args: string[]];
interface Language {
  readonly name: string;
  readonly extension: string;
  readonly asks: readonly string[];
  readonly begin: Begin;
  /** As the page starts it, where that takes long: once is enough. */
  readonly asPrinted?: Begin;
}
const languages: readonly Language[] = [
  { name: 'Python', extension: 'py', asks: ['python3', '--version'], begin: (path) => ['python3', path] },
  {
    name: 'PHP',
    extension: 'php',
    asks: ['php', '--version'],
    begin: (path) => ['php', '-S', '127.0.0.1:0', path],
  },
  {
    name: 'Ruby',
    extension: 'rb',
    asks: ['ruby', '-r', 'webrick', '-e', ''],
    begin: (path) => ['ruby', path],
  },
  { name: 'Go', extension: 'go', asks: ['go', 'version'], begin: builtOnce(builtByGo) },
  {
    name: 'Java',
    extension: 'java',
    asks: ['java', '--version'],
    begin: builtOnce(builtByJava),
    asPrinted: (path) => ['java', path],
  },
];
const isThere = ([program = '', ...args]: readonly string[]) => spawnSync(program, args).status === 0;
/** One is a function for a server of somebody else's. */
const served = `
import { serve } from '@hono/node-server';
import { Hono } from 'hono';
const { fetch } = new Hono().post('/', ({ req }) => POST(req.raw));
serve({ fetch, port: 0, hostname: '127.0.0.1' }, ({ port }) => console.log('listening on', port));
`;
const inNode = examples.map(([name, code]) => ({
  name,
  code: name === 'Request and Response' ? code + served : code,
  extension: 'mjs',
  begin: ((path) => [process.execPath, path]) as Begin,
  asPrinted: undefined,
  absent: false,
}));
/** The same with the line that makes it a whole server there. */
const ofRequests = new Map(examples).get('Request and Response') ?? '';
const elsewhere = [
  { name: 'Bun', begin: (path: string) => ['bun', path] as const },
  { name: 'Deno', begin: (path: string) => ['deno', 'run', '--allow-env', '--allow-net', path] as const },
].map(({ name, begin }) => ({
  name: `Request and Response in ${name}`,
  code: ofRequests + new RegExp(`^- \\*\\*${name}\\*\\*, by [^*]+?\`([^\`]+;)\`$`, 'm').exec(page)?.[1],
  extension: 'mjs',
  begin,
  asPrinted: undefined,
  absent: !isThere([name.toLowerCase(), '--version']),
}));
const programs = [
  ...inNode,
  ...elsewhere,
  ...languages.map(({ asks, asPrinted, ...language }) => ({
    ...language,
    asPrinted,
    code: foreign.get(language.name) ?? '',
    absent: !isThere(asks),
  })),
];

/** What those say without a secret that are loaded, or even built, before there is one. */
const saidAtADelivery = (name: string): string | undefined => {
  if (name === 'PHP') return 'WEBHOOK_SECRET is not set';
  return name.startsWith('Request and Response') ? 'secret must be a non-empty string' : undefined;
};

type Example = (typeof programs)[number];
const patient = programs.filter(({ name }) => ['Python', 'Ruby', 'Go', 'Java'].includes(name));

/** A queue that fails at its first use. */
const failsOnce: Record<string, string> = {
  mjs: `let failures = 1;
const queue = (...words) => {
  if (failures-- > 0) throw new Error('the queue is down');
  console.log(...words);
};`,
  py: `failures = [1]
def queue(*words, **how):
    if failures and failures.pop():
        raise RuntimeError("the queue is down")
    print(*words, **how)
`,
  rb: `$failures = 1
def queue(*words)
  raise 'the queue is down' if ($failures -= 1) >= 0

  puts(*words)
end
`,
  go: `var failures = 1

func queue(words ...any) {
	if failures--; failures == 0 {
		panic("the queue is down")
	}
	fmt.Println(words...)
}
`,
};

/** The same text is built once, however often it is started. */
function builtOnce(build: Begin): Begin {
  const built = new Map<string, ReturnType<Begin>>();
  return (path) => {
    const code = readFileSync(path, 'utf8');
    const program = built.get(code) ?? build(path);
    built.set(code, program);
    return program;
  };
}

/** `java Receiver.java` compiles at each start, by the compiler that is asked here. It wants the name of the class. */
function builtByJava(path: string): readonly [string, ...string[]] {
  const classes = mkdtempSync(join(folder, 'classes-'));
  const source = join(classes, 'Receiver.java');
  copyFileSync(path, source);
  const compiler = ['-m', 'jdk.compiler/com.sun.tools.javac.Main', '-d', classes, source];
  const { status, stderr } = spawnSync('java', compiler, { encoding: 'utf8' });
  if (status !== 0) throw new Error(stderr);
  return ['java', '-cp', classes, 'Receiver'];
}

/** Not `go run`, whose child outlives it. */
function builtByGo(path: string): readonly [string] {
  const program = `${path}.exe`;
  const env = {
    ...process.env,
    GOCACHE: join(folder, 'go'),
    GOPATH: join(folder, 'go'),
    GOFLAGS: '-mod=mod',
  };
  const { status, stderr } = spawnSync('go', ['build', '-o', program, path], { env, encoding: 'utf8' });
  if (status !== 0) throw new Error(stderr);
  return [program];
}

const children: ReturnType<typeof spawn>[] = [];
afterAll(() => {
  for (const child of children) child.kill();
});

/** Starts an example and resolves with its address and the lines that it prints from then on. */
async function receiver(
  { name, code, extension, begin }: Example,
  key = secret,
  queue?: string,
): Promise<{ url: string; lines: string[]; child: ReturnType<typeof spawn> }> {
  const home = mkdtempSync(join(folder, 'example-'));
  const path = join(home, `receiver.${extension}`);
  writeFileSync(path, code);
  const [program, ...args] = begin(path);
  const child = spawn(program, args, {
    env: { PATH: process.env.PATH, PORT: '0', QUEUE: queue ?? home, WEBHOOK_SECRET: key },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  children.push(child);
  const lines: string[] = [];
  return new Promise((resolvePort, reject) => {
    child.once('error', reject);
    child.once('close', (exit) => reject(new Error(`${name} ended with ${exit}: ${lines.join('\n')}`)));
    const take = (line: string) => {
      // PHP's own server tells its address, and stamps what a program logs, on stderr; Deno's tells its own, too.
      const port = /^listening on (\d+)$|^Listening on .*:(\d+)\/|Server \(.*:(\d+)\) started$/
        .exec(line)
        ?.slice(1);
      if (port !== undefined) resolvePort({ url: `http://127.0.0.1:${port.join('')}/`, lines, child });
      else if (!/127\.0\.0\.1:\d+ /.test(line)) lines.push(line.replace(/^\[.*?\] /, ''));
    };
    for (const input of [child.stdout, child.stderr]) createInterface({ input }).on('line', take);
  });
}

const seconds = Math.floor(Date.now() / 1000);
const bodyOf = (id: string): string =>
  `{"id":"${id}","event":"CHARGE_PAID","createdAt":"2026-01-02T03:04:05.000Z","data":{"amount": 1e3}}`;
const headerOf = (body: string, key = secret): string =>
  `t=${seconds},v1=${createHmac('sha256', key).update(`${seconds}.${body}`).digest('hex')}`;
const post = async (url: string, body: string, header: string): Promise<number> => {
  const answer = await fetch(url, {
    method: 'POST',
    body,
    headers: { 'Content-Type': 'application/json', 'Service-Signature': header },
  });
  await answer.arrayBuffer();
  return answer.status;
};

/** Java, which reads no JSON, tells the file in which it has put the event. */
const toldBy = (name: string, id: string): string =>
  name === 'Java'
    ? `received ${createHash('sha256').update(bodyOf(id)).digest('hex')}.json`
    : `received CHARGE_PAID ${id}`;

/** Resolves when the connection of a request whose body does not come is closed. */
async function leavesWhatStalls(program: Example): Promise<void> {
  const { port } = new URL((await receiver(program)).url);
  const socket = connect(Number(port), '127.0.0.1').resume();
  socket.write('POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 50\r\n\r\n{');
  await new Promise((closed) => socket.once('close', closed));
}

async function expectSound(program: Example): Promise<void> {
  const { url, lines } = await receiver({ ...program, begin: program.asPrinted ?? program.begin });
  const body = bodyOf('evt_1');
  expect(await post(url, body, headerOf(body))).toBe(200);
  expect(await post(url, body, headerOf(body))).toBe(200);
  expect(await post(url, body, headerOf(body, 'whsec_other'))).toBe(400);
  expect(await post(url, JSON.stringify(JSON.parse(body)), headerOf(body))).toBe(400);
  expect(await post(url, '', headerOf(body))).toBe(400);
  expect(await post(url, body, '')).toBe(400);
  expect(await post(url, bodyOf('evt_2'), headerOf(bodyOf('evt_2')))).toBe(200);
  // Its lines come through a pipe, and may be later than its answers; what it printed before the last one is there
  // then.
  await expect.poll(() => lines).toContain(toldBy(program.name, 'evt_2'));
  expect(lines).toEqual(['evt_1', 'evt_2'].map((id) => toldBy(program.name, id)));
}

describe('the documented receivers', () => {
  /** They wait for ten seconds, which pass during the other tests. */
  let left: Promise<unknown> = Promise.resolve();
  beforeAll(() => {
    left = Promise.all(patient.filter(({ absent }) => !absent).map(leavesWhatStalls));
    left.catch(() => {});
  });

  it('are these', () => {
    expect(examples.map(([name]) => name)).toEqual([
      ...['node:http', 'Express', 'Fastify', 'Hono', 'Request and Response'],
    ]);
    expect([...foreign.keys()]).toEqual(['Python', 'PHP', 'Go', 'Ruby', 'Java']);
  });

  for (const program of programs)
    it.skipIf(program.absent)(
      `${program.name} takes what is genuine once, and refuses the rest`,
      async () => {
        await expectSound(program);
      },
    );

  for (const program of programs)
    it.skipIf(program.absent || noSignals !== null)(
      `${program.name} lets a hundred wait that come while it is busy`,
      async () => {
        const { url, child } = await receiver(program);
        child.kill('SIGSTOP');
        const port = Number(new URL(url).port);
        const sockets = Array.from({ length: 100 }, () => connect(port, '127.0.0.1').on('error', () => {}));
        const connected = () =>
          sockets.filter(({ connecting, destroyed }) => !connecting && !destroyed).length;
        try {
          await expect.poll(connected, { timeout: 5_000 }).toBe(100);
        } finally {
          for (const socket of sockets) socket.destroy();
          child.kill('SIGCONT');
        }
      },
    );

  // PHP's own server, with which that example is tried here, is no model of one that does.
  for (const program of programs.filter(({ name }) => name !== 'PHP'))
    it.skipIf(program.absent)(`${program.name} takes a body in pieces of no told length`, async () => {
      const { url } = await receiver(program);
      const inPieces = async (body: string, header: string): Promise<number> => {
        const pieces = [body.slice(0, 20), body.slice(20)].map((piece) => new TextEncoder().encode(piece));
        const headers = { 'Content-Type': 'application/json', 'Service-Signature': header };
        const init = { method: 'POST', headers, body: ReadableStream.from(pieces), duplex: 'half' } as const;
        const answer = await fetch(url, init);
        await answer.arrayBuffer();
        return answer.status;
      };
      const body = bodyOf('evt_1');
      expect(await inPieces(body, headerOf(body))).toBe(200);
      expect(await inPieces(body, headerOf(body, 'whsec_other'))).toBe(400);
    });

  for (const program of programs)
    it.skipIf(program.absent)(`${program.name} takes nothing without a secret, and says so`, async () => {
      const started = receiver(program, '');
      const word = saidAtADelivery(program.name);
      if (word === undefined)
        return expect(started).rejects.toThrow(/ended with 1: [\s\S]*WEBHOOK_SECRET is (?:not set|empty)/);
      const body = bodyOf('evt_1');
      const { url, lines } = await started;
      expect(await post(url, body, headerOf(body, ''))).toBe(500);
      await expect.poll(() => lines.join('\n')).toContain(word);
    });

  for (const program of programs)
    it.skipIf(program.absent)(
      `${program.name} takes no event without an id for one that it has`,
      async () => {
        const { url, lines } = await receiver(program);
        let taken = 0;
        for (const body of ['{"event":"CHARGE_PAID"}', '{"event":"REFUND_COMPLETED"}'])
          if ((await post(url, body, headerOf(body)).catch(() => 0)) === 200) taken += 1;
        const last = bodyOf('evt_1');
        expect(await post(url, last, headerOf(last))).toBe(200);
        await expect.poll(() => lines).toContain(toldBy(program.name, 'evt_1'));
        expect(lines.filter((line) => line.startsWith('received '))).toHaveLength(taken + 1);
      },
    );

  const keeping = programs.filter(({ name }) => ['PHP', 'Java'].includes(name));
  for (const program of keeping)
    it.skipIf(program.absent)(`${program.name} takes nothing without a folder, and says so`, async () => {
      const word = 'QUEUE is not the path of a folder';
      const started = receiver(program, secret, '');
      if (program.name === 'Java') return expect(started).rejects.toThrow(word);
      const { url, lines } = await started;
      const body = bodyOf('evt_1');
      expect(await post(url, body, headerOf(body))).toBe(500);
      await expect.poll(() => lines).toContain(word);
    });

  for (const program of keeping)
    it.skipIf(program.absent)(
      `${program.name} takes an event again that its folder did not take`,
      async () => {
        const queue = mkdtempSync(join(folder, 'queue-'));
        const { url } = await receiver(program, secret, queue);
        const body = bodyOf('evt_1');
        renameSync(queue, `${queue}-away`);
        expect(await post(url, body, headerOf(body))).toBe(500);
        renameSync(`${queue}-away`, queue);
        expect(await post(url, body, headerOf(body))).toBe(200);
        const [kept = '', ...others] = readdirSync(queue);
        expect(others).toEqual([]);
        expect(readFileSync(join(queue, kept), 'utf8')).toBe(body);
      },
    );

  // Where these print, a reader's own program queues, which may fail. In PHP and Java the file is both steps in one.
  const work = { mjs: 'console.log', py: 'print', rb: 'puts', go: 'fmt.Println' } as const;
  for (const program of programs.filter(({ extension }) => extension in work))
    it.skipIf(program.absent)(`${program.name} takes an event again whose work failed`, async () => {
      const print = work[program.extension as keyof typeof work];
      const failing = program.code.replace(`${print}("received`, 'queue("received');
      const code = failing.replace(`${print}('received'`, "queue('received'");
      expect(code).not.toBe(program.code);
      const queue = failsOnce[program.extension];
      const parts = program.extension === 'go' ? [code, queue] : [queue, code];
      const { url, lines } = await receiver({ ...program, code: parts.join('\n') });
      const body = bodyOf('evt_1');
      // The servers of Python and Go close the connection where another answers 500.
      expect([500, 'closed']).toContain(await post(url, body, headerOf(body)).catch(() => 'closed'));
      expect(await post(url, body, headerOf(body))).toBe(200);
      await expect.poll(() => lines).toContain('received CHARGE_PAID evt_1');
    });

  it.skipIf(patient.every(({ absent }) => absent))(
    'Python, Ruby, Go and Java, which wait for ever by themselves, leave a body that stalls',
    async () => {
      await left;
    },
    30_000,
  );

  it('begin with a known answer for those who write their own', () => {
    const [, secretThere = '', t = '', body = '', v1] =
      /the secret `(.+?)`, `t` (\d+) and the body `(.+?)`\sgive `v1` `(.+?)`/.exec(page) ?? [];
    expect(v1).toBe('ef1bcdde914967dda81a2df9e6be50083a4ebb5511ceccb44914bb448832fd01');
    expect(createHmac('sha256', secretThere).update(`${t}.${body}`).digest('hex')).toBe(v1);
  });
});

describe('the documented receivers under webhook test', () => {
  for (const program of programs)
    it.skipIf(program.absent)(`${program.name} passes every case`, async () => {
      const { url } = await receiver(program);
      const { code: exit, stderr } = await run(['webhook', 'test', url, '--max-answer', '10s'], {
        env: { PIXCTL_WEBHOOK_SECRET: secret },
      });
      expect({ exit, stderr }).toEqual({ exit: 0, stderr: '17 passed, 0 failed.\n' });
    });
});

describe('pixctl/webhooks', () => {
  it('makes and accepts the known signature', async () => {
    const { sign, verify } = await import(pathToFileURL(join(built, 'dist/webhooks.js')).href);
    const body =
      '{"id":"evt_0001","event":"CHARGE_PAID","createdAt":"2026-01-02T03:04:05.000Z","data":{"id":"chg_0001","amount":12345}}';
    const header = 't=1767323045,v1=f71aab663e9e24a8c7f90aaf47c207e858ac5af230281311bc2baa1a6a7c909d';
    expect(sign({ secret, body, timestamp: 1_767_323_045 })).toBe(header);
    expect(verify({ secret, body, header, now: 1_767_323_045_000 })).toEqual({
      ok: true,
      timestamp: 1_767_323_045,
    });
    expect(verify({ secret, body, header })).toMatchObject({ ok: false, reason: 'timestamp-too-old' });
    expect(verify({ secret, body, header, toleranceMs: null })).toMatchObject({ ok: true });
    expect(verify({ secret, body, header: sign({ secret, body }) })).toMatchObject({ ok: true });
  });

  it('makes a delivery that is genuine, with the data that is given', async () => {
    const { createDelivery, verify } = await import(pathToFileURL(join(built, 'dist/webhooks.js')).href);
    const { body, headers, event } = createDelivery({
      ...{ secret, event: 'CHARGE_PAID', timestamp: 1_767_323_045, id: 'evt_7' },
      data: { amount: 1050, note: undefined },
    });
    expect(JSON.parse(body)).toEqual(event);
    expect(event).toMatchObject({
      ...{ id: 'evt_7', event: 'CHARGE_PAID', createdAt: '2026-01-02T03:04:05.000Z' },
      data: { amount: 1050, status: 'PAID', customer: { name: 'Maria da Silva' } },
    });
    expect(event.data).not.toHaveProperty('note');
    expect(headers).toEqual({
      'Content-Type': 'application/json',
      'Service-Signature': `t=1767323045,v1=${createHmac('sha256', secret).update(`1767323045.${body}`).digest('hex')}`,
    });
    const fresh = createDelivery({ secret, event: 'NEW_EVENT', data: { a: 1 } });
    expect(fresh.event).toMatchObject({ event: 'NEW_EVENT', data: { a: 1 } });
    expect(fresh.event.id).toMatch(/^evt_[0-9a-f]{32}$/);
    expect(fresh.event.id).not.toBe(createDelivery({ secret, event: 'NEW_EVENT' }).event.id);
    const header = fresh.headers['Service-Signature'];
    expect(verify({ secret, body: fresh.body, header })).toMatchObject({ ok: true });
  });

  it('tests the documented receiver as the page shows it', () => {
    const [, printed = ''] = /^## In your tests[\s\S]*?```ts\n([\s\S]*?)```/m.exec(page) ?? [];
    const home = mkdtempSync(join(folder, 'unit-'));
    writeFileSync(join(home, 'receiver.mjs'), ofRequests);
    writeFileSync(join(home, 'receiver.test.mjs'), printed);
    const { status, stdout } = spawnSync(process.execPath, ['receiver.test.mjs'], {
      cwd: home,
      encoding: 'utf8',
    });
    expect({ status, stdout }).toEqual({ status: 0, stdout: expect.stringContaining('takes a paid charge') });
    expect(stdout).toMatch(/pass 1\n[\s\S]*fail 0\n/);
  });

  it('says what it takes where it is given something else', async () => {
    const { sign, verify } = await import(pathToFileURL(join(built, 'dist/webhooks.js')).href);
    expect(() => sign()).toThrow('sign takes { secret, body }, an object, not undefined');
    expect(() => sign(secret, '{}')).toThrow('sign takes { secret, body }, an object, not string');
    const { createDelivery } = await import(pathToFileURL(join(built, 'dist/webhooks.js')).href);
    expect(() => createDelivery()).toThrow(
      'createDelivery takes { secret, event }, an object, not undefined',
    );
    expect(() => createDelivery({ secret, event: 'charge_paid' })).toThrow(
      "event must be an upper-case event name, like 'CHARGE_PAID'",
    );
    expect(() => createDelivery({ secret: '', event: 'PAID' })).toThrow('secret must be a non-empty string');
    expect(() => createDelivery({ secret, event: 'PAID', timestamp: Number.NaN })).toThrow(
      'timestamp must be Unix time in whole seconds',
    );
    for (const data of ['{}', [1], null])
      expect(() => createDelivery({ secret, event: 'PAID', data })).toThrow(
        'data must be an object of fields',
      );
    expect(() => createDelivery({ secret, event: 'PAID', id: 5 })).toThrow('id must be a string');
    expect(() => verify()).toThrow('verify takes { secret, body, header }, an object, not undefined');
    expect(() => verify(null)).toThrow('verify takes { secret, body, header }, an object, not null');
  });

  it('loads only what every runtime has that supports the modules of Node', () => {
    const outside = new Set<string>();
    const named = new Set<string>();
    const visited = new Set<string>();
    const visit = (path: string): void => {
      if (visited.has(path)) return;
      visited.add(path);
      expect(existsSync(path)).toBe(true);
      for (const [, names = '', target = ''] of readFileSync(path, 'utf8').matchAll(
        /^(?:import|export)\b([^;]*?)["']([^"';]+)["'];/gm,
      ))
        if (target.startsWith('.')) visit(resolve(dirname(path), target));
        else {
          outside.add(target);
          if (names.includes('{')) named.add(target);
        }
    };
    visit(join(built, 'dist/webhooks.js'));
    expect([...outside].sort()).toEqual(['node:crypto', 'node:process']);
    // In Cloudflare's Workers of before September 2025 `node:process` has few names, and one that is missing stops the
    // load.
    expect([...named]).toEqual(['node:crypto']);
  });
});
