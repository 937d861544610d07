/** `webhook inbox`, `show` and `replay` on what a listener has really received. */
import { createHmac } from 'node:crypto';
import { cpSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type Application, startApplication } from '../../../support/application.ts';
import { converse } from '../../../support/converse.ts';
import { deliver, eventBody, signatureOf, testSecret } from '../../../support/delivery.ts';
import { homeWithSecret, listen } from '../../../support/listen.ts';
import { noPty, noSignals, skipped } from '../../../support/platform.ts';
import { emptyHome, run, start } from '../../../support/run.ts';

let application: Application;
/** The home of the listener, and the copy of it that each test has for itself: a replay is recorded in it. */
let received: string;
let home: string;
let secretFile: string;
const oddBody =
  '{"id":"evt_odd\\u001b[31m","event":"CHARGE_PAID","data":{"note":"\\u001b]0;title\\u0007\u009b31m\u202e"}}';

beforeAll(async () => {
  application = await startApplication();
  received = homeWithSecret();
  secretFile = `${received}/secret`;
  application.answer = (id) => (id === 'evt_refused' ? 422 : 200);
  const listener = await listen(received, [
    '--port',
    '0',
    '--secret-file',
    secretFile,
    '-f',
    `${application.port}/hook`,
    '--attempts',
    '1',
  ]);
  await deliver(listener.url, eventBody('evt_1'));
  await deliver(listener.url, eventBody('evt_1'));
  await deliver(listener.url, eventBody('evt_refused', 'WITHDRAWAL_FAILED'));
  await deliver(listener.url, oddBody, { 'Service-Signature': signatureOf(oddBody) });
  await listener.line(({ id, forward }) => id === 'evt_refused' && forward !== null);
  await listener.line(({ id, forward }) => String(id).startsWith('evt_odd') && forward !== null);
  await listener.stop();
});
afterAll(() => application.close());
beforeEach(() => {
  application.answer = 200;
  home = emptyHome();
  cpSync(received, home, { recursive: true });
});

const json = async (args: readonly string[]) => {
  const { stdout, code, stderr } = await run([...args, '-o', 'ndjson'], { home });
  const items = stdout
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Record<string, unknown>);
  return { items, code, stderr };
};
const ids = (items: readonly Record<string, unknown>[]) => items.map(({ eventId, id }) => eventId ?? id);
const since = () => application.received.length;

describe('webhook inbox', () => {
  it('says that a choice fits nothing, not that the inbox is empty', async () => {
    const { code, stderr } = await run(['webhook', 'inbox', '--status', 'not-forwarded'], { home });
    expect(code).toBe(0);
    expect(stderr).toMatch(/^No event in the inbox \(.*inbox\.sqlite\) matches\.$/m);
    expect((await run(['webhook', 'inbox'])).stderr).toContain('pixctl webhook listen fills it.');
  });

  it.each([
    [[], ['evt_odd\u001b[31m', 'evt_refused', 'evt_1']],
    [['list', '--status', 'given-up'], ['evt_refused']],
    [
      ['--status', 'delivered', '--event', 'CHARGE_PAID'],
      ['evt_odd\u001b[31m', 'evt_1'],
    ],
    [['--id', 'evt_1'], ['evt_1']],
    [['--limit', '1'], ['evt_odd\u001b[31m']],
    [['--since', '1h', '--event', 'WITHDRAWAL_FAILED'], ['evt_refused']],
    [['--until', '2001-01-01'], []],
    [['--contains', '"WITHDRAWAL_FAILED"'], ['evt_refused']],
    [['--all'], ['evt_odd\u001b[31m', 'evt_refused', 'evt_1']],
  ])('%j', async (args, expected) => {
    const { items, code } = await json(['webhook', 'inbox', ...args]);
    expect(code).toBe(0);
    expect(ids(items)).toEqual(expected);
  });

  it('takes a moment that the list shows as one that is within it', async () => {
    const { items } = await json(['webhook', 'inbox', '--id', 'evt_refused']);
    const at = String(items[0]?.receivedAt);
    const within = await json(['webhook', 'inbox', '--since', at, '--until', at]);
    expect(ids(within.items)).toContain('evt_refused');
  });

  it('names an event as the lines of a listener do, and as its column', async () => {
    const { stdout } = await run(['webhook', 'inbox', '-o', 'json'], { home });
    const found = JSON.parse(stdout) as { id: string; eventId: string }[];
    expect(found.length).toBeGreaterThan(0);
    expect(found.map(({ id }) => id)).toEqual(found.map(({ eventId }) => eventId));
  });

  it('has the bodies where --fields names them, as json and in a cell, and only there', async () => {
    const asked = ['webhook', 'inbox', '--event', 'CHARGE_PAID', '--fields', 'id,body'];
    const { items, code } = await json(asked);
    expect({ code, items }).toEqual({
      code: 0,
      items: [
        { id: 'evt_odd\u001b[31m', body: JSON.parse(oddBody) },
        { id: 'evt_1', body: JSON.parse(eventBody('evt_1')) },
      ],
    });
    const cells = await run([...asked, '-o', 'csv'], { home });
    expect(cells.stdout).toContain('\nevt_1,"{""id"":""evt_1"",""event"":""CHARGE_PAID""');
    expect(cells.stdout).not.toContain('\u001b');
    const whole = await run(['webhook', 'inbox', '-o', 'csv'], { home });
    expect(whole.stdout.split('\n')[0]).not.toMatch(/body|,id/);
    expect(Object.keys((await json(['webhook', 'inbox'])).items[0] ?? {})).not.toContain('body');
  });

  it('counts repeats, and makes escape sequences visible', async () => {
    const { stdout } = await run(['webhook', 'inbox', '--fields', 'eventId,duplicates,state'], { home });
    expect(stdout).toContain('evt_1\t1\tDELIVERED');
    expect(stdout).toContain('evt_odd\\x1b[31m');
    expect(stdout).not.toContain('\u001b');
  });

  it('says that there may be more than were asked for', async () => {
    const { stderr } = await run(['webhook', 'inbox', '--limit', '2'], { home });
    expect(stderr).toContain('The newest 2 are shown; --limit or --all shows any others.');
    expect((await run(['webhook', 'inbox', '--limit', '9'], { home })).stderr).not.toContain('newest');
  });

  it.each([
    ['--since', 'last week'],
    ['--limit', '0'],
    ['--status', 'lost'],
    ['--limit', '1', '--all'],
  ])('refuses %s %s %s', async (...flags) => {
    expect((await run(['webhook', 'inbox', ...flags.filter(Boolean)], { home })).code).toBe(64);
  });
});

describe('webhook show', () => {
  it('shows numbers as they came, also those that JavaScript would change', async () => {
    const other = homeWithSecret();
    const listener = await listen(other, ['--port', '0', '--secret-file', `${other}/secret`]);
    const numbers = '"amount":9007199254740993,"rate":1.10,"most":1e400';
    const body = `{"id":"evt_exact","event":"CHARGE_PAID","data":{${numbers}}}`;
    await deliver(listener.url, body, { 'Service-Signature': signatureOf(body) });
    await listener.stop();
    const { stdout } = await run(['webhook', 'show', 'evt_exact'], { home: other });
    for (const line of numbers.split(',')) expect(stdout).toContain(line.replace(':', ': '));
    expect((await run(['webhook', 'show', 'evt_exact', '--json'], { home: other })).stdout).toContain(
      numbers,
    );
  });

  it('explains the signature, shows headers, body and each attempt', async () => {
    const { stdout, code } = await run(['webhook', 'show', 'evt_refused', '--secret-file', secretFile], {
      home,
    });
    expect(code).toBe(0);
    expect(stdout).toMatch(/genuine: signed at 20\d\d-/);
    expect(stdout).toContain('"event": "WITHDRAWAL_FAILED"');
    expect(stdout).toMatch(/1\. .* http:\/\/localhost:\d+\/hook {2}422 .*original signature\)\n {5}ok\n/);
    expect(stdout).toContain('Content-Type: application/json');
  });

  it('judges the signature under whatever case its header came in, and says why it cannot', async () => {
    const signature = async (...flags: string[]) =>
      (await json(['webhook', 'show', 'evt_refused', ...flags])).items[0]?.signature;
    const lower = ['--signature-header', 'service-signature'];
    expect(await signature('--secret-file', secretFile, ...lower)).toMatch(/^genuine: signed at /);
    expect(await signature()).toContain('; no secret is stored here (--secret-file)');
    expect(await signature('--secret-file', join(homeWithSecret('whsec_another_0123456789'), 'secret'))).toBe(
      'it was verified when it arrived; it was not made with any of the secrets stored here (--secret-file)',
    );
  });

  it('is the same under the inbox, and gives the raw bytes alone', async () => {
    const { stdout } = await run(['webhook', 'inbox', 'show', 'evt_1', '--body'], { home });
    expect(stdout).toBe(eventBody('evt_1'));
  });

  it.skipIf(noPty !== null)('makes them visible on a terminal, which would obey them', async () => {
    const { code, written } = await converse(['webhook', 'show', '--last', '--body'], [], { home });
    const shown = oddBody.replace('\u009b', '\\x9b').replace('\u202e', '\\u{202e}');
    expect([code, written]).toEqual([0, `${shown}\r\n`]);
  });

  it('shows nothing that a terminal would obey', async () => {
    const { items } = await json(['webhook', 'inbox']);
    const { stdout } = await run(['webhook', 'show', String(items[0]?.key)], { home });
    expect(stdout).not.toContain('\u001b');
  });

  it('shows what came last, which an edited copy did not, and says that nothing has', async () => {
    const shown = await run(['webhook', 'show', '--last', '--body'], { home });
    expect([shown.code, shown.stdout]).toEqual([0, oddBody]);
    await json(['webhook', 'replay', 'evt_1', '--set', 'data.amount=1', '--secret-file', secretFile]);
    expect((await run(['webhook', 'show', '--last', '--body'], { home })).stdout).toBe(oddBody);
    const empty = await run(['webhook', 'show', '--last']);
    expect([empty.code, empty.stderr]).toEqual([88, expect.stringContaining('is empty')]);
  });

  it.each([
    [[], 'Which event? Give its id, or --last.'],
    [[], 'pixctl webhook inbox lists the events.'],
    [['evt_1', '--last'], 'An id and --last contradict each other.'],
  ])('refuses %j: which is meant?', async (args, why) => {
    const { code, stdout, stderr } = await run(['webhook', 'show', ...args], { home });
    expect([code, stdout, stderr]).toEqual([64, '', expect.stringContaining(why)]);
  });

  it('says when there is no such event', async () => {
    const { code, stderr } = await run(['webhook', 'show', 'evt_missing'], { home });
    expect(code).toBe(88);
    expect(stderr).toContain('evt_missing is not in the inbox');
  });
});

describe('webhook replay', () => {
  it('sends the same bytes, signed again, to where it went before', async () => {
    const before = since();
    const { items, code } = await json(['webhook', 'replay', 'evt_1', '--secret-file', secretFile]);
    expect(code).toBe(0);
    expect(items).toMatchObject([
      { id: 'evt_1', state: 'DELIVERED', forward: { status: 200 }, signature: 'fresh' },
    ]);
    const got = application.received[before];
    expect(got?.body.toString()).toBe(eventBody('evt_1'));
    expect(got?.path).toBe('/hook');
    const [, t, v1] = /^t=(\d+),v1=([0-9a-f]{64})$/.exec(String(got?.headers['service-signature'])) ?? [];
    expect(v1).toBe(
      createHmac('sha256', testSecret)
        .update(`${t}.${eventBody('evt_1')}`)
        .digest('hex'),
    );
  });

  it('sends it identical when asked', async () => {
    const original = application.received[0]?.headers['service-signature'];
    const before = since();
    const { items } = await json(['webhook', 'replay', 'evt_1', '--identical']);
    expect(items).toMatchObject([{ signature: 'original' }]);
    expect(application.received[before]?.headers['service-signature']).toBe(original);
  });

  it('sends an event that is named twice only once', async () => {
    const before = since();
    const { items } = await json(['webhook', 'replay', 'evt_1', 'evt_1', '--identical']);
    expect([items.length, since() - before]).toEqual([1, 1]);
  });

  it('sends edited copies, marked in the header and in the list, and keeps the original', async () => {
    const before = since();
    const edit = ['--set', 'data.amount=1', '--set', 'data.status=EXPIRED'];
    const { items } = await json(['webhook', 'replay', 'evt_1', ...edit, '--secret-file', secretFile]);
    expect(items).toMatchObject([
      { id: 'evt_1', edits: 'data.amount=1, data.status=EXPIRED', state: 'DELIVERED' },
    ]);
    const got = application.received[before];
    expect(JSON.parse(got?.body.toString() ?? '')).toMatchObject({
      id: 'evt_1',
      data: { amount: 1, status: 'EXPIRED' },
    });
    expect(got?.headers['pixctl-edited']).toBe('data.amount=1,%20data.status=EXPIRED');
    const listed = await json(['webhook', 'inbox', '--id', 'evt_1']);
    expect(listed.items.map(({ origin }) => origin)).toEqual(['edited', 'delivery']);
    const shown = await run(['webhook', 'show', 'evt_1', '--body'], { home });
    expect(shown.stdout).toBe(eventBody('evt_1'));
    const whole = await run(['webhook', 'show', 'evt_1'], { home });
    expect(whole.stderr).toContain(`Also under this id: ${listed.items[0]?.key} (edited)`);
    const copy = await run(['webhook', 'show', String(listed.items[0]?.key), '--body'], { home });
    expect(copy.stdout).toContain('"amount":1,');
    const again = ['--set', 'data.amount=2', '--secret-file', secretFile];
    await json(['webhook', 'replay', String(listed.items[0]?.key), ...again]);
    expect(application.received.at(-1)?.headers['pixctl-edited']).toBe('data.amount=2');
  });

  it('exits with 83 when it is not accepted, and later replays what failed', async () => {
    application.answer = 500;
    const refused = await json([
      'webhook',
      'replay',
      'evt_refused',
      '--retries',
      '1',
      '--secret-file',
      secretFile,
    ]);
    expect(refused.code).toBe(83);
    expect(refused.items).toMatchObject([{ state: 'GIVEN_UP', forward: { status: 500 }, attempts: 3 }]);
    application.answer = 200;
    const again = await json(['webhook', 'replay', '--failed', '--secret-file', secretFile]);
    expect(again.code).toBe(0);
    expect(ids(again.items)).toEqual(['evt_refused']);
    expect(await json(['webhook', 'replay', '--failed'])).toMatchObject({ code: 0, items: [] });
  });

  it('sends the last ones, oldest first, elsewhere', async () => {
    const other = await startApplication();
    const { items, code } = await json([
      'webhook',
      'replay',
      '--last',
      '2',
      '-f',
      other.url,
      '--secret-file',
      secretFile,
    ]);
    expect(code).toBe(0);
    expect(ids(items)).toEqual(['evt_refused', 'evt_odd\u001b[31m']);
    expect(other.received.map(({ path }) => path)).toEqual(['/hook', '/hook']);
    await other.close();
  });

  it('takes what was received in a time, and what holds a text, oldest first', async () => {
    const { items } = await json(['webhook', 'inbox', '--id', 'evt_refused']);
    const at = String(items[0]?.receivedAt);
    const named = async (...choice: string[]) => {
      const { stderr, code } = await run(['webhook', 'replay', ...choice, '--dry-run'], { home });
      return [code, [...stderr.matchAll(/Would forward (\w+)/g)].map(([, id]) => id)];
    };
    // Of a millisecond that more than one came in.
    const first = ['--event', 'WITHDRAWAL_FAILED'];
    expect(await named('--since', at, '--until', at, ...first)).toEqual([0, ['evt_refused']]);
    expect(await named('--since', '2001-01-01', '--until', '2001-01-31')).toEqual([0, []]);
    expect(await named('--contains', '"event":"')).toEqual([0, ['evt_1', 'evt_refused', 'evt_odd']]);
    expect(await named('--contains', '"WITHDRAWAL_FAILED"')).toEqual([0, ['evt_refused']]);
    expect(await named('--failed', '--contains', '"CHARGE_PAID"')).toEqual([0, []]);
    expect(await named('--last', '1', '--contains', '"CHARGE_PAID"')).toEqual([0, ['evt_odd']]);
    expect(await named('--last', '3', '--until', '2001-01-01')).toEqual([0, []]);
  });

  it.each<[string[], number, string]>([
    [[], 64, 'Which events? Give ids'],
    [[], 64, 'pixctl webhook inbox lists the events.'],
    [['--until', '1h'], 64, '--until chooses among --last, --failed, --since or --contains, not among ids'],
    [['evt_1', '--contains', 'chg_1'], 64, 'Ids contradict --last, --failed, --since and --contains.'],
    [['--contains', ''], 64, '--contains is empty'],
    [['--since', '1h', '--until', '2h'], 64, 'nothing can match'],
    [['evt_1', '--last', '1'], 64, 'Ids contradict --last, --failed, --since and --contains.'],
    [['evt_1', '--event', 'REFUND_COMPLETED'], 64, 'not among ids'],
    [['--event', 'REFUND_COMPLETED'], 64, 'give one of them'],
    [['--last', '1', '--event', 'A', '--event', 'B'], 64, '--event is given twice: A and B'],
    [['evt_1', '-f', '3000,4000'], 64, 'Give each a flag of its own: -f 3000 -f 4000.'],
    [['evt_missing'], 88, 'not in the inbox'],
    [['nope'], 88, 'The event nope is not in the inbox'],
    [['evt_1', '--set', 'data.amonut=1', '--secret-file', ''], 64, 'no data.amonut'],
    [['--last', '3', '--set', 'data.amount=1', '--secret-file', ''], 64, 'no data.amount'],
    [['evt_1', '--set', 'data.amount=1', '--identical'], 64, 'contradict'],
    [['evt_1', '--identical', '--secret-file', ''], 64, '--identical and --secret-file contradict'],
    [['evt_1', '-f', 'http://example.com/'], 64, 'not this machine'],
    [['evt_1', '--set', 'data.amount=1'], 78, 'must be signed'],
  ])('refuses %j with %d, and sends nothing', async (args, exit, why) => {
    const before = since();
    const filled = args.map((arg, at) => (arg === '' && args[at - 1] === '--secret-file' ? secretFile : arg));
    const { code, stderr } = await run(['webhook', 'replay', ...filled], { home });
    expect([code, stderr]).toEqual([exit, expect.stringContaining(why)]);
    expect(since()).toBe(before);
  });

  it.skipIf(noSignals !== null)(
    skipped('that a signal ends is no result: 130, with what was taken', noSignals),
    async () => {
      application.answer = (id) => (id === 'evt_1' ? 200 : 'hang');
      const before = since();
      const child = start(['webhook', 'replay', 'evt_1', 'evt_refused', '-f', String(application.port)], {
        home,
      });
      let said = '';
      child.stderr.on('data', (text: Buffer) => (said += text.toString()));
      const code = new Promise((resolve) => child.once('close', resolve));
      await application.until(before + 2);
      child.kill('SIGINT');
      expect(await code).toBe(130);
      expect(said).toContain('Stopped by SIGINT: 1 of 2 were accepted with 2xx.');
    },
  );

  it.each([
    ['were all taken', [], /^\d+ of 99 were not sent: nobody was reading the output any more\.$/m],
    ['were not', ['evt_refused'], /1 of 100 were not accepted with 2xx\. \d+ of 100 were not sent/],
  ])(
    'is no success when its reader goes away before all were sent, and those before %s',
    async (_, refused, told) => {
      application.answer = (id) => {
        child.stdout.destroy();
        return id === 'evt_refused' ? 422 : 200;
      };
      const full = homeWithSecret();
      const listener = await listen(full, ['--port', '0', '--secret-file', `${full}/secret`]);
      const many = [...refused, ...Array.from({ length: 99 }, (_unset, n) => `evt_${n}`)];
      await Promise.all(many.map((id) => deliver(listener.url, eventBody(id))));
      await listener.stop();
      const to = ['-f', String(application.port), '-o', 'ndjson'];
      const child = start(['webhook', 'replay', ...many, ...to], { home: full });
      let said = '';
      child.stderr.on('data', (text: Buffer) => (said += text.toString()));
      const code = await new Promise((resolve) => child.once('close', resolve));
      expect(code).toBe(83);
      expect((JSON.parse(said.trim().split('\n').at(-1) ?? '') as { error: Error }).error.message).toMatch(
        told,
      );
    },
  );

  it.each([
    [[], true],
    [['--identical'], false],
  ])('warns of what it cannot sign again, where it should be (%j: %s)', async (flags, warns) => {
    const { code, stderr } = await run(['webhook', 'replay', 'evt_1', ...flags], { home });
    expect([code, stderr.includes('1 of them cannot be signed again')]).toEqual([0, warns]);
  });

  it('that can no longer write does not say that nothing was sent', async () => {
    const copy = emptyHome();
    cpSync(home, copy, { recursive: true });
    const before = since();
    application.answer = () => {
      const database = new DatabaseSync(join(copy, '.local/state/pixctl/inbox.sqlite'));
      database.exec('DROP TABLE inbox_attempt');
      database.close();
      return 200;
    };
    const to = ['-f', String(application.port)];
    const { code, stderr } = await run(['webhook', 'replay', 'evt_1', 'evt_refused', ...to], { home: copy });
    expect(since() - before).toBe(1);
    expect(code).toBe(1);
    expect(stderr).toMatch(
      /The run got to 1 of 2, and 0 were accepted with 2xx and recorded; evt_1 was answered with 200\. The tables in the database .*no such table/,
    );
  });

  it('sends nothing in a dry run', async () => {
    const before = since();
    const { stderr, code } = await run(['webhook', 'replay', 'evt_1', '--dry-run'], { home });
    expect([code, since()]).toEqual([0, before]);
    expect(stderr).toContain('Would forward evt_1 to http://localhost');
  });
});

it('a stored secret that the keychain does not give holds up only what has to be signed with it', async () => {
  const settings = join(home, '.config', 'pixctl');
  mkdirSync(settings, { recursive: true, mode: 0o700 });
  const stored = JSON.stringify({ secrets: { 'webhook:local': 'keychain' } });
  writeFileSync(join(settings, 'config.json'), stored, { mode: 0o600 });
  const [shown] = (await json(['webhook', 'show', 'evt_1'])).items;
  expect(shown?.signature).toMatch(/^it was verified when it arrived; .*the keychain did not give it/);
  expect(await json(['webhook', 'replay', 'evt_1', '--identical'])).toMatchObject({
    code: 0,
    items: [{ id: 'evt_1', signature: 'original' }],
  });
  expect(await json(['webhook', 'replay', 'evt_1'])).toMatchObject({ code: 78, items: [] });
});
