/** What a command is to act on, asked for at a real terminal; and the usage error where nobody can be asked. */
import { beforeAll, describe, expect, it } from 'vitest';
import { type Sandbox, startSandbox } from '../../src/sandbox/index.ts';
import { startApplication } from '../support/application.ts';
import { type Answers, converse } from '../support/converse.ts';
import { deliver, eventBody } from '../support/delivery.ts';
import { hostileServer, json, someCharge } from '../support/hostile-server.ts';
import { homeWithSecret, listen } from '../support/listen.ts';
import { noPty, skipped } from '../support/platform.ts';
import { emptyHome, run } from '../support/run.ts';
import { openHurriedBench as openBench } from '../support/withdrawal-bench.ts';

let sandbox: Sandbox;
beforeAll(async () => {
  sandbox = await startSandbox();
  return () => sandbox.close();
});

const service = () => ({ PIXCTL_BASE_URL: sandbox.url, PIXCTL_API_KEY: sandbox.apiKey });

/** In a home where the profiles `acme` and `zeta` are stored. */
async function homeWithProfiles(): Promise<string> {
  const home = emptyHome();
  for (const name of ['acme', 'zeta']) {
    const words = ['login', '--profile', name, '--base-url', sandbox.url, '--key-stdin', '--no-check'];
    const { code, stderr } = await run(words, { home, input: sandbox.apiKey });
    expect(code, stderr).toBe(0);
  }
  return home;
}

async function charged(amount: number): Promise<string> {
  const words = ['charge', 'create', '--amount', String(amount), '--no-qr', '--json'];
  const { stdout } = await run(words, { home: emptyHome(), env: service() });
  return (JSON.parse(stdout) as { id: string }).id;
}

const down = '\u001b[B';
const up = '\u001b[A';

describe.skipIf(noPty !== null)(skipped('at a terminal', noPty), () => {
  it('charge get offers the newest charge first, keeps the flags of the line, and shows the whole line', async () => {
    await charged(1_111);
    const id = await charged(2_222);
    const { code, screen } = await converse(
      ['charge', 'get', '--fields', 'status'],
      [['Which charge?', '\r']],
      { home: emptyHome(), env: service() },
    );
    expect(code, screen).toBe(0);
    expect(screen.indexOf('R$ 22,22')).toBeLessThan(screen.indexOf('R$ 11,11'));
    expect(screen).toContain(`The same without questions: pixctl charge get --fields status ${id}`);
  });

  it('a choice is one line, without the columns that a narrow terminal has no room for', async () => {
    await using bench = await openBench();
    expect((await bench.pay('k-1', 1_050, '--wait')).code).toBe(0);
    const lineAt = async (columns: number) => {
      const { screen } = await converse(['withdrawal', 'get'], [['Which withdrawal?', '\u0003']], {
        ...bench,
        columns,
      });
      return screen.split('\r\n').find((line) => line.includes('COMPLETED')) ?? '';
    };
    expect(await lineAt(80)).toMatch(/wd_\w+ {2}COMPLETED {2}R\$.10,50 {2}[\d-]{10} [\d:]{8}\s*$/);
    expect(await lineAt(120)).toMatch(/R\$.10,50 {2}R\$.1,00 {2}m\*+@example\.com {2}EMAIL/);
  });

  it('an id that is not in the list is typed', async () => {
    const id = await charged(3_333);
    const { code, screen } = await converse(
      ['charge', 'get'],
      [
        ['Which charge?', `${up}\r`],
        ['Id of the charge', '\r'],
        ['A value is required.', `${id}\r`],
      ],
      { home: emptyHome(), env: service() },
    );
    expect(code, screen).toBe(0);
    expect(screen).toContain('R$ 33,33');
  });

  it.each([
    ['n\r', 87, 'PAID'],
    ['\r', 87, 'PAID'],
    ['y\r', 0, 'REFUNDED'],
  ])('charge refund offers what is paid, and still asks: %j ends with %i', async (typed, exit, now) => {
    const id = await charged(4_444);
    sandbox.pay(id);
    const pending = await charged(5_555);
    const { code, screen } = await converse(
      ['charge', 'refund'],
      [
        ['Which charge?', '\r'],
        ['Refund R$ 44,44 to its payer?', typed],
      ],
      { home: emptyHome(), env: service() },
    );
    expect(code, screen).toBe(exit);
    expect(screen).not.toContain(pending);
    expect(screen.includes(`The same without questions: pixctl charge refund ${id} --yes`)).toBe(exit === 0);
    const read = await run(['charge', 'get', id, '--json'], { home: emptyHome(), env: service() });
    expect(JSON.parse(read.stdout)).toMatchObject({ status: now });
  });

  it('charge refund --yes asks nothing: a choice would be the last word', async () => {
    sandbox.pay(await charged(6_666));
    const asked = { home: emptyHome(), env: service() };
    const { code, screen } = await converse(['charge', 'refund', '--yes'], [['Which charge?', '\r']], asked);
    expect({ code, asked: screen.includes('Which charge?') }).toEqual({ code: 64, asked: false });
    expect(screen).toContain('<id> is missing: id of the charge, chg_... Nothing was sent.');
    const alone = { ...asked, env: { ...service(), PIXCTL_BASE_URL: 'http://127.0.0.1:1' } };
    const unheard = await converse(['charge', 'refund', '--yes'], [], alone);
    expect(unheard.code, unheard.screen).toBe(64);
  });

  it.each<[title: string, words: string[], answers: Answers, line: string]>([
    ['chooses a profile', ['profile', 'use'], [['Which profile?', `${down}\r`]], 'profile use zeta'],
    [
      'removes a profile, after a yes',
      ['profile', 'remove'],
      [
        ['Which profile?', '\r'],
        ['Remove the profile acme', 'y\r'],
      ],
      'profile remove acme --yes',
    ],
    [
      'asks for a PIX key, again where it is none',
      ['destination', 'add', 'rent'],
      [
        ['PIX key', 'nonsense\r'],
        ['none of the five kinds', `${'\x7f'.repeat(8)}owner@example.com\r`],
      ],
      'destination add rent --key owner@example.com',
    ],
    [
      'asks for its type where it could be two, and for a name',
      ['destination', 'add'],
      [
        ['PIX key', '11987654321\r'],
        ['Which type is it?', '\r'],
        ['Name to save it under', 'mum\r'],
      ],
      'destination add --key 11987654321 --type TELEFONE mum',
    ],
    [
      'asks for a flag where -- ends the flags',
      ['destination', 'add', '--', 'rent'],
      [['PIX key', 'owner@example.com\r']],
      'destination add --key owner@example.com -- rent',
    ],
    [
      'chooses the name of an event',
      ['webhook', 'trigger', '--dry-run', '--secret-file', '/dev/null'],
      [['Which event?', '\u0003']],
      '',
    ],
  ])('%s', async (_title, words, answers, line) => {
    const home = await homeWithProfiles();
    const { code, screen } = await converse(words, answers, { home });
    expect(code, screen).toBe(line === '' ? 130 : 0);
    if (line !== '') expect(screen).toContain(`The same without questions: pixctl ${line}`);
  });

  it.each([
    ['pay', 'PENDING', 'PAID'],
    ['expire', 'PENDING', 'EXPIRED'],
  ])('sandbox %s offers what is %s', async (verb, before, after) => {
    const id = await charged(7_777);
    const { code, screen } = await converse(['sandbox', verb], [['Which charge?', '\r']], {
      home: emptyHome(),
      env: service(),
    });
    expect(code, screen).toBe(0);
    expect(screen).toContain(before);
    expect(screen).toContain(after);
    expect(screen).toContain(`pixctl sandbox ${verb} ${id}`);
  });

  it('withdrawal get and status offer what there is', async () => {
    await using bench = await openBench();
    await bench.pay('k-1', 1_050);
    await bench.pay('k-2', 2_050);
    const status = await converse(['withdrawal', 'status'], [['Which idempotency key?', `${down}\r`]], bench);
    expect(status.code, status.screen).toBe(0);
    expect(status.screen).toContain('pixctl withdrawal status k-1');
    const get = await converse(['withdrawal', 'get'], [['Which withdrawal?', '\r']], bench);
    expect(get.code, get.screen).toBe(0);
    expect(get.screen).toMatch(/pixctl withdrawal get wd_\w+/);
  });

  it('withdrawal resolve asks which key and which withdrawal, and still wants the key typed', async () => {
    await using bench = await openBench();
    bench.proxy.intercept = ({ method }) => (method === 'POST' ? { kind: 'reset', when: 'before' } : null);
    expect((await bench.pay('k-1', 1_050)).code).toBe(81);
    const resolve = (typed: string) =>
      converse(
        ['withdrawal', 'resolve'],
        [
          ['Which idempotency key?', '\r'],
          ['Id of the withdrawal:', 'wd_nope\r'],
          ['Type the idempotency key to confirm:', typed],
        ],
        bench,
      );
    const no = await resolve('\r');
    expect(no.code, no.screen).toBe(87);
    const yes = await resolve('k-1\r');
    expect(yes.code, yes.screen).toBe(88);
    expect(yes.screen).not.toContain('The same without questions');
    const unattended = await bench.run(['withdrawal', 'resolve', 'k-1']);
    expect(unattended.code).toBe(64);
    expect(unattended.stderr).toContain('Give either --withdrawal <id> or --not-sent.');
  });

  it('withdrawal resolve offers no key whose outcome is known', async () => {
    await using bench = await openBench();
    expect((await bench.pay('k-1', 1_050)).code).toBe(0);
    const told = await converse(
      ['withdrawal', 'resolve', '--not-sent'],
      [['Idempotency key:', 'k-1\r']],
      bench,
    );
    expect(told.code, told.screen).toBe(64);
    expect(told.screen).toContain('Its outcome is known');
  });

  it.each([
    [['charge', 'get', '--fields', 'nope'], '"nope" is not a field here (charge)'],
    [['charge', 'get', '--dry-run'], 'takes no --dry-run'],
    [['charge', 'get', '--no-input'], '<id> is missing: id of the charge, chg_...'],
    [['destination', 'add', 'rent', '--no-input'], '--key <pix key> is missing.'],
    [['webhook', 'replay', '--no-input'], 'Which events? Give ids, --last, --failed, --since or --contains.'],
    [['profile', 'use'], 'There are no profiles. Nothing was changed.'],
    [['profile', 'use', '--no-input'], '<name> is missing: name of a profile.'],
    [['brcode', 'decode'], '<code> is missing: a copy-and-paste code'],
  ])('%j ends with 64 before anything is asked', async (words, says) => {
    const { code, screen } = await converse(words, [], { home: emptyHome(), env: service() });
    expect(code, screen).toBe(64);
    expect(screen).toContain(says);
  });

  it('an id that a hostile service lists is an id, not a flag', async () => {
    const pagination = { hasMore: false, next: null, before: null };
    await using server = await hostileServer((response) =>
      json(response, 200, {
        data: [{ ...someCharge, id: '--yes', status: 'PAID', createdAt: '\u001b[2Jnever' }],
        error: null,
        success: true,
        pagination,
      }),
    );
    const { code, screen } = await converse(['charge', 'refund'], [['Which charge?', '\r']], {
      home: emptyHome(),
      env: { PIXCTL_BASE_URL: server.url, PIXCTL_API_KEY: 'svc_live_0123456789' },
    });
    expect(code, screen).not.toBe(0);
    expect(server.received.map(({ method, path }) => `${method} ${path}`)).toEqual([
      'GET /transparents/list?limit=100',
      'GET /transparents/check?id=--yes',
    ]);
  });

  it('webhook show and replay offer what was received, by its key', async () => {
    const home = homeWithSecret();
    const application = await startApplication();
    const secret = ['--secret-file', `${home}/secret`];
    const listener = await listen(home, ['--port', '0', ...secret, '-f', String(application.port)]);
    await deliver(listener.url, eventBody('evt_1'));
    await application.untilTaken(['evt_1']);
    await listener.stop();
    const show = await converse(['webhook', 'show', ...secret], [['Which event?', '\r']], { home });
    expect(show.code, show.screen).toBe(0);
    expect(show.screen).toMatch(/The same without questions: pixctl webhook show --secret-file \S+ \S+/);
    expect(show.screen).toMatch(/genuine: signed at [\d-]{10} [\d:]{8} -03:00, received/);
    expect(show.screen).toMatch(/^ {2}1\. [\d-]{10} [\d:]{8} -03:00 {2}http:/m);
    const replay = await converse(['webhook', 'replay', ...secret], [['Which event?', '\r']], { home });
    expect(replay.code, replay.screen).toBe(0);
    expect(application.received).toHaveLength(2);
    await application.close();
  });

  it('webhook deliveries offers the endpoints registered from here', async () => {
    const asked = { home: emptyHome(), env: service() };
    const add = ['webhook', 'add', '--url', 'https://example.com/hooks', '--events', 'CHARGE_PAID'];
    expect((await run(add, asked)).code).toBe(0);
    const { code, screen } = await converse(
      ['webhook', 'deliveries'],
      [['https://example.com/hooks', '\r']],
      asked,
    );
    expect(code, screen).toBe(0);
    expect(screen).toMatch(/The same without questions: pixctl webhook deliveries wh_\w+/);
  });

  it('charge wait shows the line even when the wait ran out', async () => {
    const id = await charged(8_888);
    const { code, screen } = await converse(
      ['charge', 'wait', '--timeout', '1s'],
      [['Which charge?', '\r']],
      {
        home: emptyHome(),
        env: service(),
      },
    );
    expect(code, screen).toBe(82);
    expect(screen).toContain(`The same without questions: pixctl charge wait --timeout 1s ${id}`);
  });

  it.each([
    ['Ctrl-C', '\u0003'],
    ['Ctrl-D', '\u0004'],
  ])('left with %s, it has done nothing', async (_key, typed) => {
    const asked = { home: emptyHome(), env: service() };
    const { code, screen } = await converse(['charge', 'refund'], [['Which charge?', typed]], asked);
    expect(code, screen).toBe(130);
    expect(screen).toContain('Interrupted at a question; nothing was sent.');
    expect(screen).not.toContain('error:');
  });
});
