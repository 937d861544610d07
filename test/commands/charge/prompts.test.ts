/** A person at a terminal: a real pseudo-terminal, answered as its questions appear. */
import { spawn } from '@lydell/node-pty';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Sandbox, startSandbox } from '../../../src/sandbox/index.ts';
import { type Answers, converse } from '../../support/converse.ts';
import { noPty } from '../../support/platform.ts';
import { cleanEnvironment, emptyHome, programPath } from '../../support/run.ts';

let sandbox: Sandbox;
beforeAll(async () => {
  sandbox = await startSandbox();
});
afterAll(() => sandbox.close());

const headers = () => ({ authorization: `Bearer ${sandbox.apiKey}`, 'content-type': 'application/json' });

/** The id of a charge of R$ 7,00. */
async function paidCharge(): Promise<string> {
  const body = JSON.stringify({ method: 'PIX', amount: 700 });
  const made = await fetch(`${sandbox.url}/transparents/create`, {
    method: 'POST',
    headers: headers(),
    body,
  });
  const { data } = (await made.json()) as { data: { id: string } };
  sandbox.pay(data.id);
  return data.id;
}

async function statusOf(id: string): Promise<string> {
  const read = await fetch(`${sandbox.url}/transparents/check?id=${id}`, { headers: headers() });
  return ((await read.json()) as { data: { status: string } }).data.status;
}

const environment = (home: string) =>
  cleanEnvironment(home, {
    PIXCTL_BASE_URL: sandbox.url,
    PIXCTL_API_KEY: sandbox.apiKey,
    TERM: 'xterm-256color',
  });

/** Types each answer once its question is on the screen; resolves with all that was shown. */
function session(
  args: readonly string[],
  answers: readonly (readonly [question: RegExp, typed: string])[],
  home = emptyHome(),
) {
  return watched(process.execPath, [programPath(), ...args], answers, home);
}

/** Runs a line of a shell, which can redirect; `$0` is Node and `$1` the program. */
const shell = (line: string) =>
  watched('/bin/sh', ['-c', line, process.execPath, programPath()], [], emptyHome());

function watched(
  file: string,
  args: string[],
  answers: readonly (readonly [question: RegExp, typed: string])[],
  home: string,
) {
  const terminal = spawn(file, args, { cols: 120, rows: 60, env: environment(home) });
  const waiting = [...answers];
  let shown = '';
  let from = 0;
  terminal.onData((data) => {
    shown += data;
    if (waiting[0]?.[0].test(shown.slice(from)) !== true) return;
    from = shown.length;
    terminal.write(waiting.shift()?.[1] ?? '');
  });
  return new Promise<{ code: number; shown: string }>((resolve) =>
    terminal.onExit(({ exitCode }) => resolve({ code: exitCode, shown })),
  );
}

it.skipIf(noPty !== null)(
  'charge create asks for what is missing, corrects an amount, and shows the same as one line',
  async () => {
    const { code, shown } = await session(
      ['charge', 'create'],
      [
        [/Amount/, '10,5\r'],
        [/could mean R\$ 10,50/, '0\r'],
        [/Description/, "it's\r"],
        [/Customer/, '\r'],
      ],
    );
    expect(code).toBe(0);
    expect(shown).toContain('Charge of R$ 10,50 ("it\'s"), profile environment');
    expect(shown).toContain('▀▀▀▀▀▀▀');
    expect(shown).toContain("pixctl charge create --amount 10,50 --description 'it'\\''s'");
  },
);

it.skipIf(noPty !== null).each([
  ['an expiry out of bounds', ['--expires-in', '59s'], 64, '--expires-in 59s is outside 60s to 30d.'],
  ['a key of two lines', ['--idempotency-key', 'a\nb'], 64, '--idempotency-key'],
  ['no API key', [], 77, 'There is no API key for'],
])('charge create ends unasked for %s', async (_, flags, expected, told) => {
  const env = {
    PIXCTL_BASE_URL: sandbox.url,
    ...(expected === 77 ? {} : { PIXCTL_API_KEY: sandbox.apiKey }),
  };
  const answers: Answers = [
    ['Amount', '10,50\r'],
    ['Description', '\r'],
    ['Customer', '\r'],
  ];
  const args = ['charge', 'create', ...flags];
  const { code, screen } = await converse(args, answers, { home: emptyHome(), env });
  expect(code, screen).toBe(expected);
  expect(screen).toContain(told);
  expect(screen).not.toContain('Amount');
});

it.skipIf(noPty !== null)('charge create --dry-run asks without an API key, as it needs none', async () => {
  const { code, screen } = await converse(
    ['charge', 'create', '--dry-run'],
    [
      ['Amount', '10,50\r'],
      ['Description', '\r'],
      ['Customer', '\r'],
    ],
    { home: emptyHome(), env: { PIXCTL_BASE_URL: sandbox.url } },
  );
  expect(code, screen).toBe(0);
  expect(screen).toContain('Nothing was sent.');
});

it.skipIf(noPty !== null).each([
  { does: 'pay', status: 'PAID' },
  { does: 'expire', status: 'EXPIRED' },
] as const)(
  'charge create draws nothing to pay for a key whose charge is $status already',
  async ({ does, status }) => {
    const home = emptyHome();
    const create = () =>
      session(['charge', 'create', '-a', '778', '--idempotency-key', `k-${status}`], [], home);
    const first = await create();
    expect(first.shown).toContain('PIX copy and paste');
    sandbox[does](/chg_\w+/.exec(first.shown)?.[0] ?? '');
    const { code, shown } = await create();
    expect(code).toBe(0);
    expect(shown).toContain(`This charge is ${status}: nobody should pay it.`);
    expect(shown).not.toMatch(/▀▀▀|PIX copy and paste|br\.gov\.bcb\.pix|charge wait/);
  },
);

it.skipIf(noPty !== null).each([
  { answer: 'n', exit: 87, status: 'PAID' },
  { answer: 'y', exit: 0, status: 'REFUNDED' },
])('charge refund asks, and $answer ends with $exit', async ({ answer, exit, status }) => {
  const id = await paidCharge();
  const { code, shown } = await session(
    ['charge', 'refund', id],
    [[/Refund R\$ 7,00 to its payer\?/, `${answer}\r`]],
  );
  expect(shown).not.toContain('br.gov.bcb.pix');
  expect({ code, status: await statusOf(id) }).toEqual({ code: exit, status });
});

it.skipIf(noPty !== null).each([
  { where: 'with stdin a pipe', rest: '</dev/null', exit: 64, status: 'PAID' },
  { where: 'with stderr in a file', rest: '2>/dev/null', exit: 64, status: 'PAID' },
  { where: 'with --no-input', rest: '--no-input', exit: 64, status: 'PAID' },
  { where: 'with --yes', rest: '--yes </dev/null', exit: 0, status: 'REFUNDED' },
])(
  'charge refund at a terminal that it cannot ask, $where, ends with $exit',
  async ({ rest, exit, status }) => {
    const id = await paidCharge();
    const { code, shown } = await shell(`"$0" "$1" charge refund ${id} ${rest}`);
    expect({ code, status: await statusOf(id) }, shown).toEqual({ code: exit, status });
    if (exit === 64 && !rest.startsWith('2>')) expect(shown).toContain('Missing: --yes.');
  },
);

it.skipIf(noPty !== null).each([
  { args: ['charge', 'create', '--no-input'], exit: 64 },
  { args: ['api', 'DELETE', '/customers/x'], exit: 87 },
])('$args on a terminal does not act without an answer', async ({ args, exit }) => {
  const before = sandbox.requests().length;
  const { code } = await session(args, [[/Send DELETE/, '\r']]);
  expect({ code, requests: sandbox.requests().length }).toEqual({ code: exit, requests: before });
});
