/** `webhook listen` as a process: its pinned lines, its flags, its ends. */
import { text as textOf } from 'node:stream/consumers';
import { afterEach, describe, expect, it } from 'vitest';
import { startApplication } from '../../../support/application.ts';
import { deliver, eventBody, signatureOf, testSecret } from '../../../support/delivery.ts';
import { homeWithSecret, type Listening, listen } from '../../../support/listen.ts';
import { noSignals, skipped } from '../../../support/platform.ts';
import { emptyHome, run, start } from '../../../support/run.ts';

let running: Listening[] = [];
afterEach(() => {
  for (const { child } of running) child.kill('SIGKILL');
  running = [];
});
const started = async (home: string, args: readonly string[], env: Record<string, string> = {}) => {
  const it = await listen(home, ['--port', '0', ...args], env);
  running.push(it);
  return it;
};

// All of 127.0.0.0/8 is this machine on Linux, so that an address beside 127.0.0.1 tells who binds more than that.
it.skipIf(process.platform !== 'linux')('is at 127.0.0.1 alone, unless --host says more', async () => {
  const home = homeWithSecret();
  const beside = async (flags: readonly string[]): Promise<unknown> => {
    const { url } = await started(home, ['--secret-file', `${home}/secret`, ...flags]);
    const { port } = new URL(url);
    expect((await fetch(`http://127.0.0.1:${port}/`)).status).toBe(200);
    return fetch(`http://127.0.0.2:${port}/`).then(
      ({ status }) => status,
      (error: Error) => (error.cause as NodeJS.ErrnoException).code,
    );
  };
  expect(await beside([])).toBe('ECONNREFUSED');
  expect(await beside(['--host', '0.0.0.0'])).toBe(200);
});

it.skipIf(noSignals !== null)(
  skipped('ends at a signal although nobody reads its lines any more', noSignals),
  {
    timeout: 60_000,
  },
  async () => {
    const home = homeWithSecret();
    const { child, url } = await started(home, ['--secret-file', `${home}/secret`]);
    const ended = new Promise((resolve) => child.once('exit', (code, signal) => resolve({ code, signal })));
    child.stdout?.pause();
    await deliverLong(url, 2_000);
    child.kill('SIGTERM');
    expect(await ended).toEqual({ code: null, signal: 'SIGTERM' });
    // What is still in the pipe may end within a line.
    child.stdout?.destroy();
  },
);

it.skipIf(noSignals !== null)(
  skipped('tells a slow reader all of it at a signal', noSignals),
  { timeout: 60_000 },
  async () => {
    const home = homeWithSecret();
    const listener = await started(home, ['--secret-file', `${home}/secret`]);
    const { child, url, lines, exited } = listener;
    child.stdout?.pause();
    await deliverLong(url, 2_500);
    child.kill('SIGTERM');
    let sips = 0;
    // Some of it every now and then, within the two seconds that one who has stopped is given.
    const sipping = setInterval(() => {
      sips += 1;
      child.stdout?.resume();
      setImmediate(() => child.stdout?.pause());
    }, 1_500);
    expect(await exited).toBe(143);
    clearInterval(sipping);
    expect(lines.filter(({ type }) => type === 'event')).toHaveLength(2_500);
    // Six seconds: it is given these two again and again.
    expect(sips).toBeGreaterThan(3);
  },
);

it('warns once of an event that --events spells differently, and that it therefore ignores', async () => {
  const home = homeWithSecret();
  const listener = await started(home, ['--secret-file', `${home}/secret`, '--events', 'CHARGE_PAID']);
  for (const id of ['evt_1', 'evt_2']) await deliver(listener.url, eventBody(id, 'charge.paid'));
  await deliver(listener.url, eventBody('evt_3', 'REFUND_COMPLETED'));
  listener.child.kill('SIGTERM');
  await listener.exited;
  expect(listener.stderr().match(/\S+ came, which --events CHARGE_PAID does not name/g)).toEqual([
    'charge.paid came, which --events CHARGE_PAID does not name',
  ]);
});

it('takes --events all as every event, also of a name that the document does not show', async () => {
  const home = homeWithSecret();
  const listener = await started(home, ['--secret-file', `${home}/secret`, '--events', 'all']);
  await deliver(listener.url, eventBody('evt_1', 'charge.paid'));
  expect(await listener.line(({ type }) => type === 'event')).toMatchObject({
    id: 'evt_1',
    event: 'charge.paid',
  });
});

/** Events whose lines fill a pipe soon. */
async function deliverLong(url: string, events: number): Promise<void> {
  const ids = Array.from({ length: events }, (_, at) => `evt_${at}_${'x'.repeat(180)}`);
  for (let at = 0; at < ids.length; at += 100)
    await Promise.all(ids.slice(at, at + 100).map((id) => deliver(url, eventBody(id))));
}

describe('the lines of ndjson', () => {
  it('are ready first, then one for each event, pure JSON', async () => {
    const home = homeWithSecret();
    const application = await startApplication();
    const { url, lines, line } = await started(home, [
      '--secret-file',
      `${home}/secret`,
      '--forward-to',
      application.url,
    ]);
    await deliver(url, eventBody('evt_1'));
    await line(({ type }) => type === 'event');
    await deliver(url, eventBody('evt_1'));
    await deliver(url, '{}', { 'Service-Signature': signatureOf('{}', 'whsec_other') });
    await line(({ type }) => type === 'rejected');
    expect(lines.map(({ type }) => type)).toEqual(['ready', 'event', 'event', 'rejected']);
    expect(lines[0]?.url).toBe(url);
    expect(lines[1]).toMatchObject({ id: 'evt_1', event: 'CHARGE_PAID', verified: true, duplicate: false });
    expect(lines[1]?.forward).toEqual({ status: 200, ms: expect.any(Number) });
    expect(lines[2]).toMatchObject({ id: 'evt_1', verified: true, duplicate: true, forward: null });
    expect(lines[3]).toMatchObject({ id: null, verified: false, reason: 'signature-mismatch' });
    expect(application.received).toHaveLength(1);
    await application.close();
  });

  it('keep to the fields that are asked for', async () => {
    const home = homeWithSecret();
    const { url, lines, line } = await started(home, [
      '--secret-file',
      `${home}/secret`,
      '--fields',
      'type,id,amount,url',
    ]);
    await deliver(url, eventBody('evt_1'));
    await line(({ type }) => type === 'event');
    expect(lines[1]).toEqual({ type: 'event', id: 'evt_1', amount: 12_345, url: null });
  });

  it.each([
    ['table', /^Type\tAddress\tEvent id\nready\t(http:\S+)\t\n/, 'event\t\tevt_1\n'],
    ['csv', /^type,url,id\nready,(http:\S+),\n/, 'event,,evt_1\n'],
  ])('keep to them in %s, too, line by line', async (format, head, told) => {
    const home = homeWithSecret();
    const args = ['--port', '0', '--secret-file', `${home}/secret`, '--exit-after', '1'];
    const child = start(['webhook', 'listen', ...args, '-o', format, '--fields', 'type,url,id'], { home });
    let text = '';
    for await (const chunk of child.stdout.setEncoding('utf8')) {
      const before = head.test(text);
      text += chunk;
      if (before || !head.test(text)) continue;
      await deliver(head.exec(text)?.[1] ?? '', eventBody('evt_1'));
    }
    expect(text.replace(head, '')).toBe(told);
  });
});

it('writes no colour to a pipe, even where it is forced', async () => {
  const home = homeWithSecret();
  const args = ['--port', '0', '--secret-file', `${home}/secret`, '--exit-after', '1'];
  const child = start(['webhook', 'listen', ...args], { home, env: { FORCE_COLOR: '1' } });
  const told = textOf(child.stdout);
  const address = /Listening on (http:\S+)\n/;
  let said = '';
  for await (const chunk of child.stderr.setEncoding('utf8')) {
    const before = address.test(said);
    said += chunk;
    const [, url] = address.exec(said) ?? [];
    if (!before && url !== undefined) await deliver(url, eventBody('evt_1'));
  }
  expect(await told).toMatch(/^\d\d:\d\d:\d\d\tCHARGE_PAID\tevt_1\t.*\n$/);
  expect(await told).not.toContain('\x1b');
});

it('--header goes with what is forwarded, replayed and triggered', async () => {
  const home = homeWithSecret();
  const application = await startApplication();
  const own = ['--secret-file', `${home}/secret`, '-f', String(application.port), '--header', 'X-Tenant: 7'];
  const { url, stop } = await started(home, own);
  await deliver(url, eventBody('evt_1'));
  await application.until(1);
  await stop();
  expect((await run(['webhook', 'replay', 'evt_1', ...own], { home })).code).toBe(0);
  expect((await run(['webhook', 'trigger', 'CHARGE_PAID', ...own], { home })).code).toBe(0);
  expect(application.received.map(({ headers }) => headers['x-tenant'])).toEqual(['7', '7', '7']);
  await application.close();
});

describe('the secret', () => {
  it.each<[string, string[], Record<string, string>]>([
    ['the environment', [], { PIXCTL_WEBHOOK_SECRET: testSecret }],
    ['a file', ['--secret-file', 'HOME/secret'], {}],
    ['several files', ['--secret-file', 'HOME/secret', '--secret-file', 'HOME/secret'], {}],
  ])('comes from %s', async (_where, args, env) => {
    const home = homeWithSecret();
    const { url } = await started(
      home,
      args.map((arg) => arg.replace('HOME', home)),
      env,
    );
    expect((await deliver(url, eventBody('evt_1'))).status).toBe(200);
  });

  it('comes from stdin, and is shown only when asked for', async () => {
    const home = emptyHome();
    const quiet = await listen(home, ['--port', '0', '--secret-stdin'], {}, `${testSecret}\r\n`);
    running.push(quiet);
    expect((await deliver(quiet.url, eventBody('evt_1'))).status).toBe(200);
    await quiet.stop();
    expect(JSON.stringify(quiet.lines) + quiet.stderr()).not.toContain(testSecret);
    const shown = await started(home, ['--print-secret'], { PIXCTL_WEBHOOK_SECRET: testSecret });
    expect(shown.ready.secret).toBe(testSecret);
  });
});

describe('a clean stop', () => {
  it.skipIf(noSignals !== null)(
    skipped('tells what is owed, and the next run forwards it', noSignals),
    async () => {
      const home = homeWithSecret();
      const application = await startApplication();
      await application.down();
      const args = ['--secret-file', `${home}/secret`, '-f', String(application.port)];
      const first = await started(home, args);
      expect((await deliver(first.url, eventBody('evt_1'))).status).toBe(200);
      await first.line(({ type }) => type === 'event');
      expect(await first.stop('SIGTERM')).toBe(143);
      expect(first.stderr()).toContain(
        `http://localhost:${application.port}/ is not answering; events are stored and forwarded later`,
      );
      expect(first.stderr()).toContain('1 event stored and not yet accepted by your application');
      const other = await started(home, [], { PIXCTL_WEBHOOK_SECRET: 'whsec_other' });
      await other.stop();
      expect(other.stderr()).toContain('1 event stored under other secrets');
      await application.up();
      const second = await started(home, args);
      expect(second.ready.waiting).toBe(1);
      await application.untilTaken(['evt_1']);
      expect(await second.line(({ type }) => type === 'forward')).toMatchObject({
        id: 'evt_1',
        state: 'DELIVERED',
      });
      await application.close();
    },
  );

  it.skipIf(noSignals !== null)(
    skipped(
      'tells of an event that the application is still at work on, and records that it was sent',
      noSignals,
    ),
    async () => {
      const home = homeWithSecret();
      const application = await startApplication();
      application.answer = 'hang';
      const args = ['--secret-file', `${home}/secret`, '-f', String(application.port)];
      const first = await started(home, args);
      await deliver(first.url, eventBody('evt_1'));
      await application.until(1);
      expect(await first.stop()).toBe(130);
      const error = 'had not answered when pixctl stopped';
      expect(first.lines.at(-1)).toMatchObject({
        id: 'evt_1',
        state: 'WAITING',
        forward: { error },
        cutOff: true,
      });
      const { stdout } = await run(['webhook', 'inbox', '-o', 'json'], { home });
      expect(JSON.parse(stdout)).toMatchObject([{ state: 'WAITING', attempts: 1, failures: 0, error }]);
      application.answer = 200;
      const second = await started(home, args);
      await application.untilTaken(['evt_1']);
      await second.stop();
      await application.close();
    },
  );

  it.skipIf(noSignals !== null)(
    skipped('promises no later forward of what --ack app answers while the application is down', noSignals),
    async () => {
      const home = homeWithSecret();
      const application = await startApplication();
      await application.down();
      const args = ['--secret-file', `${home}/secret`, '-f', String(application.port), '--ack', 'app'];
      const listener = await started(home, args);
      expect((await deliver(listener.url, eventBody('evt_1'))).status).toBe(502);
      expect(await listener.line(({ type }) => type === 'event')).toMatchObject({ relayed: true });
      await listener.stop();
      expect(listener.stderr()).toContain(
        `http://localhost:${application.port}/ is not answering; each delivery is answered with 502, and only the service or a replay sends it again.`,
      );
      expect(listener.stderr()).toContain('no event is waiting to be forwarded');
      await application.close();
    },
  );

  it('comes with 82 when the events do not come in time, and not when they do', async () => {
    const home = homeWithSecret();
    const within = ['--secret-file', `${home}/secret`, '--exit-after', '2', '--within'];
    const late = await started(home, [...within, '1s']);
    expect(await late.exited).toBe(82);
    expect(late.stderr()).toContain('0 of 2 events came within 1 s.');
    const inTime = await started(home, [...within, '60s']);
    for (const id of ['evt_2', 'evt_3']) await deliver(inTime.url, eventBody(id));
    expect(await inTime.exited).toBe(0);
    expect((await run(['webhook', 'listen', '--within', '5s'], { home })).code).toBe(64);
  });

  it('reports an event that came in time, and that the application had not answered', async () => {
    const application = await startApplication();
    application.answer = 'hang';
    const home = homeWithSecret();
    const flags = ['--secret-file', `${home}/secret`, '-f', String(application.port), '--exit-after', '1'];
    const listener = await started(home, [...flags, '--within', '1s']);
    expect((await deliver(listener.url, eventBody('evt_1'))).status).toBe(200);
    expect(await listener.exited).toBe(82);
    expect(listener.lines.at(-1)).toMatchObject({ id: 'evt_1', state: 'WAITING', cutOff: true });
    expect(listener.stderr()).toContain(
      '1 of 1 events came within 1 s, of which your application had not yet answered 1. Stopped: 1 event stored and not yet accepted by your application',
    );
    await application.close();
  });

  it('does not take an event for accepted that --ack app had asked the application for in vain', async () => {
    const application = await startApplication();
    application.answer = 'hang';
    const home = homeWithSecret();
    const flags = ['--secret-file', `${home}/secret`, '-f', String(application.port), '--ack', 'app'];
    const listener = await started(home, [...flags, '--exit-after', '1', '--within', '1s']);
    const unanswered = expect(deliver(listener.url, eventBody('evt_1'))).rejects.toThrow();
    expect(await listener.exited).toBe(82);
    await unanswered;
    const error = 'had not answered when pixctl stopped';
    expect(listener.lines.at(-1)).toMatchObject({
      id: 'evt_1',
      state: 'GIVEN_UP',
      forward: { error },
      cutOff: true,
    });
    expect(listener.stderr()).toContain(
      '1 of 1 events came within 1 s, of which your application had not yet answered 1.',
    );
    const { stdout } = await run(['webhook', 'inbox', '-o', 'json'], { home });
    expect(JSON.parse(stdout)).toMatchObject([{ state: 'GIVEN_UP', attempts: 1, error }]);
    await application.close();
  });

  it('comes with 82 when nobody reads the output any more before they have come', async () => {
    const home = homeWithSecret();
    const listener = await started(home, ['--secret-file', `${home}/secret`, '--exit-after', '2']);
    listener.child.stdout?.destroy();
    expect((await deliver(listener.url, eventBody('evt_1'))).status).toBe(200);
    expect(await listener.exited).toBe(82);
    expect(listener.stderr()).toContain(
      '1 of 2 events had come when nobody was reading the output any more.',
    );
  });

  it('comes with 83 when the application has not accepted one of them', async () => {
    const application = await startApplication();
    application.answer = (id) => (id === 'evt_2' ? 500 : 200);
    const home = homeWithSecret();
    const flags = ['--secret-file', `${home}/secret`, '-f', String(application.port), '--exit-after', '2'];
    const listener = await started(home, flags);
    for (const id of ['evt_1', 'evt_2']) await deliver(listener.url, eventBody(id));
    expect(await listener.exited).toBe(83);
    expect(listener.stderr()).toContain('Your application has not accepted 1 event of those shown.');
    expect(listener.stderr()).toContain('1 event stored and not yet accepted by your application');
    await application.close();
  });

  it('comes after n events, repeats not counted', async () => {
    const home = homeWithSecret();
    const listener = await started(home, ['--secret-file', `${home}/secret`, '--exit-after', '2']);
    await deliver(listener.url, eventBody('evt_1'));
    await deliver(listener.url, eventBody('evt_1'));
    await deliver(listener.url, eventBody('evt_2'));
    expect(await listener.exited).toBe(0);
    expect(listener.lines).toHaveLength(4);
  });
});

describe('what is wanted', () => {
  it('is forwarded and shown, and the rest kept', async () => {
    const home = homeWithSecret();
    const { url, lines, line } = await started(home, [
      '--secret-file',
      `${home}/secret`,
      '-e',
      'REFUND_COMPLETED',
    ]);
    await deliver(url, eventBody('evt_1'));
    await deliver(url, eventBody('evt_2', 'REFUND_COMPLETED'));
    await line(({ type }) => type === 'event');
    expect(lines.map(({ id }) => id)).toEqual([undefined, 'evt_2']);
    const { stdout } = await run(['webhook', 'inbox', '--fields', 'eventId'], { home });
    expect(stdout).toContain('evt_1');
  });
});

/** That nobody listens on now. */
async function freePort(): Promise<number> {
  const application = await startApplication();
  await application.close();
  return application.port;
}

it('accepts deliveries at a path that is not ASCII, which every client encodes', async () => {
  const home = homeWithSecret();
  const { url } = await started(home, ['--secret-file', `${home}/secret`, '--path', '/wébhooks']);
  expect(new URL(url).pathname).toBe('/w%C3%A9bhooks');
  expect((await deliver(url, eventBody('evt_1'))).status).toBe(200);
});

describe('nothing is started', () => {
  it.each<[string[], number, string]>([
    [[], 64, 'secret is not known'],
    [['-f', '3000'], 64, 'pixctl sandbox start'],
    [['-f', '3000', '-p', 'sanbox'], 78, 'There is no profile "sanbox"'],
    [['-e', 'REFUND_COMPLETED', '--route', 'CHARGE_PAID=3000'], 64, 'CHARGE_PAID would never be used'],
    [['--endpoint', 'wh_1'], 78, 'No secret is stored here for the endpoint wh_1'],
    [['--endpoint', 'wh_1', '--secret-stdin'], 64, 'Give one of'],
    [['--register', '--secret-file', 'x'], 64, '--register gets a new secret'],
    [['--secret-file', 'no-such-dir/secret'], 64, 'cannot be read: there is no such file'],
    [['--forward-to', 'example.com'], 64, 'not this machine'],
    [['--forward-to', '99999'], 64, 'not an address to forward to'],
    [['--forward-to', '/run/shop.sock'], 64, 'not an address to forward to'],
    [['--forward-to', 'unix:/run/shop.sock'], 64, 'not an address to forward to'],
    [['-f', '3000,4000'], 64, 'Give each a flag of its own: -f 3000 -f 4000.'],
    [[...'0123456789'].flatMap((digit) => ['-f', `300${digit}`]), 64, 'to at most 9 applications'],
    [['-e', 'CHARGE_PAID', '-e', 'REFUND_COMPLETED'], 64, '--events is given twice'],
    [['--endpoint', 'wh_1', '--endpoint', 'wh_2'], 64, '--endpoint is given twice: wh_1 and wh_2'],
    [['--ack', 'app'], 64, 'needs --forward-to'],
    [['--since', '1h'], 64, '--since needs --poll'],
    [['--poll', '0'], 64, 'at least one second'],
    [['--tunnel', 'frp'], 64, 'not a tunnel'],
    [['--tunnel-port', '80'], 64, 'belong to --tunnel'],
    [['--tunnel', 'cloudflared', '--tunnel-port', '80'], 64, 'belong to --tunnel ssh:'],
    [['--tunnel', 'ngrok', '--ssh-config', 'x'], 64, 'belong to --tunnel ssh:'],
    [['--path', 'no-slash'], 64, 'For example, --path'],
    [['--path', '//host/hooks'], 64, 'is not a path'],
    [['--public-url', 'https://:pw@me.example'], 64, 'is not a public address'],
    [['--path', 'C:/Program Files/Git/hooks'], 64, 'Git Bash turns a word that begins with a slash'],
    [['--tolerance', 'soon'], 64, 'not a duration'],
    [['--signature-header', 'a b'], 64, 'name of the signature header'],
    [['--exit-after', '0'], 64, '--exit-after takes'],
    [['--port', '70000'], 64, '--port takes'],
    [['--host', '192.0.2.1'], 78, 'Cannot listen'],
  ])('%j ends with %d', async (args, code, why) => {
    const env = args.includes('192.0.2.1') ? { PIXCTL_WEBHOOK_SECRET: testSecret } : {};
    const ended = await run(['webhook', 'listen', ...args], { home: emptyHome(), env, input: 's' });
    expect([ended.code, ended.stderr]).toEqual([code, expect.stringContaining(why)]);
    expect(ended.stdout).toBe('');
  });

  it.each([
    ['a port of its own', (port: string) => ['-f', port, '--port', port]],
    ['a route', (port: string) => ['--route', `CHARGE_PAID=127.0.0.1:${port}/x`, '--port', port]],
    ['any address of it', (port: string) => ['-f', `0.0.0.0:${port}`, '--allow-remote', '--port', port]],
  ])('that forwards to itself, by %s', async (_, flags) => {
    const port = String(await freePort());
    const secret = { PIXCTL_WEBHOOK_SECRET: testSecret };
    const ended = await run(['webhook', 'listen', ...flags(port)], { home: emptyHome(), env: secret });
    expect(ended.code).toBe(64);
    expect(ended.stderr).toContain(`is this listener itself (port ${port})`);
  });

  it('without a doubt about the name of a route that is not documented', async () => {
    const home = homeWithSecret();
    const routes = ['--secret-file', `${home}/secret`, '--route', 'CHARGE_PAYD=3000'];
    const listener = await started(home, routes);
    expect(listener.stderr()).toContain('Did you mean CHARGE_PAID?');
  });

  it('on a port that is taken, which is told', async () => {
    const home = homeWithSecret();
    const { url } = await started(home, ['--secret-file', `${home}/secret`]);
    const { port } = new URL(url);
    const second = await run(['webhook', 'listen', '--port', port, '--secret-file', `${home}/secret`], {
      home,
    });
    expect(second.code).toBe(78);
    expect(second.stderr).toContain('another program listens there');
  });

  it.each([
    ['192.0.2.1', '192.0.2.1:0'],
    ['2001:db8::1', '[2001:db8::1]:0'],
  ])(
    "on an address that is not this machine's, where another port would not help: %s",
    async (host, place) => {
      const home = homeWithSecret();
      const words = ['webhook', 'listen', '--host', host, '--port', '0'];
      const { code, stderr } = await run([...words, '--secret-file', `${home}/secret`], { home });
      expect(code).toBe(78);
      expect(stderr).toContain(`Cannot listen on ${place}: this machine has no such address.`);
      expect(stderr).toContain('--host');
      expect(stderr).not.toContain('--port');
    },
  );
});

it.each([
  ['no profile', {}, 'this command again.'],
  ['another service', { PIXCTL_BASE_URL: 'https://pay.example' }, 'this command with --profile sandbox.'],
])('without a secret and with %s names the command that works beside a sandbox', async (_, env, said) => {
  const { code, stderr } = await run(['webhook', 'listen'], { home: emptyHome(), env });
  expect(code).toBe(64);
  expect(stderr).toContain(`Without an account: run pixctl sandbox start, then ${said}`);
});
