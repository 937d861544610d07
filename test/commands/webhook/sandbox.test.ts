/** `webhook` end to end against a real sandbox that delivers. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { verify } from '../../../src/contract/signature.ts';
import { type Sandbox, startSandbox } from '../../../src/sandbox/index.ts';
import { type Application, startApplication } from '../../support/application.ts';
import { freePort } from '../../support/free-port.ts';
import { type Listening, listen } from '../../support/listen.ts';
import { endedBy, modeOf, noIpv6, noSignals } from '../../support/platform.ts';
import { emptyHome, run } from '../../support/run.ts';

let sandbox: Sandbox;
let application: Application;
let listening: Listening[] = [];
beforeAll(async () => {
  sandbox = await startSandbox();
});
afterAll(() => sandbox.close());
beforeEach(async () => {
  application = await startApplication();
  listening = [];
});
afterEach(async () => {
  for (const one of listening) one.child.kill('SIGKILL');
  await application.close();
});

const env = () => ({ PIXCTL_BASE_URL: sandbox.url, PIXCTL_API_KEY: sandbox.apiKey });
const started = async (home: string, args: readonly string[], more: Record<string, string> = {}) => {
  const it = await listen(home, args, { ...env(), ...more });
  listening.push(it);
  return it;
};
const createCharge = async (amount = 12_345): Promise<string> => {
  const response = await fetch(`${sandbox.url}/transparents/create`, {
    method: 'POST',
    headers: { authorization: `Bearer ${sandbox.apiKey}`, 'content-type': 'application/json' },
    body: JSON.stringify({ method: 'PIX', amount }),
  });
  return ((await response.json()) as { data: { id: string } }).data.id;
};

describe('webhook listen with a sandbox profile', () => {
  it('uses the endpoint that was added for its address, whose secret the application has already', async () => {
    const home = emptyHome();
    const port = await freePort();
    const file = join(home, 'pix.secret');
    const address = `http://127.0.0.1:${port}/`;
    const words = [
      'webhook',
      'add',
      '--url',
      address,
      '--events',
      'all',
      '--secret-file',
      file,
      '-o',
      'json',
    ];
    const added = await run(words, { home, env: env() });
    expect(added.code, added.stderr).toBe(0);
    const { ready } = await started(home, ['--port', String(port), '--print-secret']);
    expect(ready).toMatchObject({
      url: address,
      endpoint: (JSON.parse(added.stdout) as { id: string }).id,
      secret: readFileSync(file, 'utf8').trim(),
    });
  });

  it('needs nothing else: it registers, receives what the sandbox sends, and forwards it', async () => {
    const home = emptyHome();
    const listener = await started(home, ['--port', '0', '-f', String(application.port), '--print-secret']);
    expect(listener.ready).toMatchObject({ type: 'ready', endpoint: expect.stringMatching(/^wh_/) });
    sandbox.pay(await createCharge(12_345));
    const line = await listener.line(({ type }) => type === 'event');
    expect(line).toMatchObject({
      event: 'CHARGE_PAID',
      verified: true,
      duplicate: false,
      forward: { status: 200 },
      state: 'DELIVERED',
      amount: 12_345,
    });
    const [got] = application.received;
    const secret = String(listener.ready.secret);
    const header = got?.headers['service-signature'];
    expect(verify({ secret, body: got?.body ?? '', header, now: Date.now(), toleranceMs: 300_000 }).ok).toBe(
      true,
    );
    expect(await listener.stop()).toBe(endedBy(130));
    if (noSignals === null) expect(listener.stderr()).toContain('Stopped: no event is waiting');
    await expect
      .poll(() => sandbox.deliveries().filter(({ url }) => url === listener.url))
      .toMatchObject([{ state: 'DELIVERED' }]);
  });

  it.each([
    [[], true],
    [['--print-secret'], false],
  ])('says, given %j, how an application gets the secret of what it registers: %s', async (flags, told) => {
    const listener = await started(emptyHome(), ['--port', '0', ...flags]);
    await listener.stop();
    expect(listener.stderr()).toContain('; its secret is stored here (file)');
    expect(listener.stderr().includes('; --print-secret shows it, for your application.')).toBe(told);
  });

  it.each(noIpv6 === null ? ['0.0.0.0', '::'] : ['0.0.0.0'])(
    'receives from it when it listens on all addresses: %s',
    async (host) => {
      const listener = await started(emptyHome(), ['--port', '0', '--host', host]);
      expect(listener.url).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/$/);
      expect(listener.stderr()).toContain(`Listening on ${host}: other machines can reach this listener.`);
      sandbox.pay(await createCharge());
      expect(await listener.line(({ type }) => type === 'event')).toMatchObject({ verified: true });
      expect(await listener.stop()).toBe(endedBy(130));
    },
  );

  it('registers an address that only containers know, if the sandbox takes it', async () => {
    await using open = await startSandbox({ assume: { 'webhook-plain-http': 'private' } });
    const to = { PIXCTL_BASE_URL: open.url, PIXCTL_API_KEY: open.apiKey };
    const flags = ['--port', '0', '--host', '0.0.0.0', '--public-url', 'http://listener.internal:4040/'];
    const listener = await started(emptyHome(), flags, to);
    expect(listener.ready.publicUrl).toBe('http://listener.internal:4040/');
    expect(listener.stderr()).toContain('Deliveries will not arrive until it does.');
    const authorization = `Bearer ${open.controlToken}`;
    const endpoints = await fetch(`${open.url}/__sandbox/endpoints`, { headers: { authorization } });
    expect(await endpoints.json()).toMatchObject([{ url: 'http://listener.internal:4040/' }]);
    const refused = await run(['webhook', 'listen', ...flags], { home: emptyHome(), env: env() });
    expect(refused).toMatchObject({ code: 80, stdout: '' });
    expect(refused.stderr).toContain('--assume webhook-plain-http=private');
  });

  it('says so when the sandbox is reset under it', async () => {
    const listener = await started(emptyHome(), ['--port', '0']);
    await sandbox.reset();
    await expect.poll(listener.stderr, { timeout: 15_000 }).toContain('Start this listener again');
    expect(await listener.stop()).toBe(endedBy(130));
  });

  it('uses the same endpoint again when it comes back to the same address', async () => {
    const home = emptyHome();
    const first = await started(home, ['--port', '0']);
    await first.stop();
    const second = await started(home, ['--port', new URL(first.url).port]);
    expect(second.ready.endpoint).toBe(first.ready.endpoint);
    expect(second.stderr()).toContain('is registered');
  });

  it('tells whose a delivery is that an endpoint of an earlier run gets, and triggers with its own', async () => {
    const home = emptyHome();
    const first = await started(home, ['--port', '0']);
    await first.stop();
    const port = ['--port', new URL(first.url).port];
    const second = await started(home, [...port, '-e', 'CHARGE_PAID']);
    expect(second.ready.endpoint).not.toBe(first.ready.endpoint);
    await second.stop();
    const third = await started(home, port);
    expect(third.ready.endpoint).toBe(first.ready.endpoint);
    sandbox.pay(await createCharge());
    await third.line(({ type }) => type === 'event');
    expect(await third.line(({ type }) => type === 'rejected')).toMatchObject({
      message: expect.stringContaining(
        `signed for ${second.ready.endpoint}, which an earlier run registered for this address with other events (CHARGE_PAID)`,
      ),
    });
    const triggered = await run(['webhook', 'trigger', 'REFUND_COMPLETED', '-f', third.url], {
      home,
      env: env(),
    });
    expect(triggered.code).toBe(0);
    await third.line(({ event }) => event === 'REFUND_COMPLETED');
  });

  it('tells it also of an endpoint of another path or name of this machine', async () => {
    const home = emptyHome();
    const first = await started(home, ['--port', '0', '--path', '/hooks']);
    await first.stop();
    const { port } = new URL(first.url);
    const second = await started(home, ['--port', port, '--host', 'localhost']);
    await second.stop();
    const third = await started(home, ['--port', port]);
    sandbox.pay(await createCharge());
    for (const { ready } of [first, second])
      await third.line(({ type, message }) =>
        type === 'rejected'
          ? String(message).endsWith(
              `signed for ${ready.endpoint}, which an earlier run registered for ${ready.url}`,
            )
          : false,
      );
  });

  it('ends after n events, and with 83 when the application has not taken them', async () => {
    application.answer = 500;
    const listener = await started(emptyHome(), [
      '--port',
      '0',
      '-f',
      String(application.port),
      '--exit-after',
      '1',
    ]);
    sandbox.pay(await createCharge());
    expect(await listener.exited).toBe(83);
    expect(listener.stderr()).toContain('1 event stored and not yet accepted by your application');
  });
});

describe('webhook listen --poll', () => {
  it("says that its secret is no endpoint's, and by which name others verify with it", async () => {
    const home = emptyHome();
    const args = ['--port', '0', '-f', String(application.port), '--poll', '1s', '--exit-after', '1'];
    const listener = await started(home, args);
    sandbox.pay(await createCharge());
    expect(await listener.exited).toBe(0);
    expect(listener.stderr()).toContain('not with that of an endpoint: --print-secret shows it');
    const [got] = application.received;
    const file = join(home, 'body.json');
    writeFileSync(file, got?.body ?? '');
    const signature = String(got?.headers['service-signature']);
    const payload = ['--payload-file', file, '--signature', signature];
    const verified = await run(['webhook', 'verify', ...payload, '--endpoint', 'local'], { home });
    expect(verified.code).toBe(0);
    const shown = await started(home, [...args.slice(0, 6), '--print-secret']);
    expect(shown.ready.secret).toMatch(/^whsec_local_/);
    expect(shown.stderr()).not.toContain('not with that of an endpoint');
    await shown.stop();
  });

  it('makes marked events of what changed, once, also while it was off', async () => {
    const home = emptyHome();
    const before = await createCharge(500);
    sandbox.pay(before);
    const args = ['--port', '0', '-f', String(application.port), '--poll', '1s', '-e', 'CHARGE_PAID'];
    const first = await started(home, args);
    await first.line(({ type }) => type === 'ready');
    const during = await createCharge(700);
    sandbox.pay(during);
    const line = await first.line(({ type, amount }) => type === 'event' && amount === 700);
    expect(line).toMatchObject({ event: 'CHARGE_PAID', synthetic: 'poll', forward: { status: 200 } });
    expect(application.received[0]?.headers['pixctl-synthetic']).toBe('poll');
    await first.line(({ type, amount }) => type === 'event' && amount === 500);
    await first.stop('SIGKILL');

    const off = await createCharge(900);
    sandbox.pay(off);
    const second = await started(home, args);
    await second.line(({ type, amount }) => type === 'event' && amount === 900);
    await second.stop();

    const third = await started(home, [...args, '--since', '1h']);
    sandbox.pay(await createCharge(1_100));
    await third.line(({ type, amount }) => type === 'event' && amount === 1_100);
    await third.stop();
    const paid = application.received.map(
      ({ body }) => (JSON.parse(body.toString()) as { data: { id: string } }).data.id,
    );
    expect(paid.filter((id) => [before, during, off].includes(id)).sort()).toEqual(
      [before, during, off].sort(),
    );
  });
});

describe('webhook add', () => {
  it('keeps the secret, hands it on in a file of mode 0600, and does not show it', async () => {
    const home = emptyHome();
    const file = join(home, 'pix.secret');
    const added = await run(
      [
        'webhook',
        'add',
        '--url',
        'https://shop.example.com/pix',
        '--events',
        'CHARGE_PAID',
        '--secret-file',
        file,
        '-o',
        'json',
      ],
      { home, env: env() },
    );
    expect(added.code).toBe(0);
    const endpoint = JSON.parse(added.stdout) as { id: string; secret?: string };
    const secret = readFileSync(file, 'utf8').trim();
    expect(secret).toMatch(/^whsec_/);
    expect(added.stdout + added.stderr).not.toContain(secret);
    expect(modeOf(file, '600')).toBe('600');
    const listener = await started(home, ['--port', '0', '--endpoint', endpoint.id, '--print-secret']);
    expect(listener.ready).toMatchObject({ endpoint: endpoint.id, events: ['CHARGE_PAID'], secret });
    expect(listener.stderr()).toContain(`Endpoint ${endpoint.id}, events: CHARGE_PAID\n`);
  });

  it('shows the secret once when there is no file', async () => {
    const added = await run(
      [
        'webhook',
        'add',
        '--url',
        'https://shop.example.com/pix',
        '--events',
        'CHARGE_PAID,NEW_EVENT',
        '-o',
        'json',
      ],
      { env: env() },
    );
    expect(added.code).toBe(0);
    expect(JSON.parse(added.stdout)).toMatchObject({
      secret: expect.stringMatching(/^whsec_/),
      events: ['CHARGE_PAID', 'NEW_EVENT'],
    });
    expect(added.stderr).toContain('NEW_EVENT is not a documented event');
  });

  it.each([
    [['--url', 'http://shop.example.com/pix', '--events', 'CHARGE_PAID'], 'HTTPS'],
    [['--url', 'localhost:3000', '--events', 'CHARGE_PAID'], 'Give it in full, like https://'],
    [['--url', '3000', '--events', 'CHARGE_PAID'], 'http://localhost:3000/hooks will do'],
    [['--url', 'https://shop.example.com/pix'], '--events is missing'],
    [['--events', 'CHARGE_PAID'], '--url is missing'],
    [['--events', 'CHARGE_PAID'], 'For example: pixctl webhook add --url https://shop.example.com/pix'],
    [['--url', 'https://shop.example.com/pix', '--events', 'A,B,C,D,E,F,G,H,I'], '1 to 8'],
    [
      ['--url', 'https://shop.example.com/pix', '--events', 'CHARGE_PAID', '--secret-file', '/'],
      'Nothing was sent',
    ],
  ])('refuses %j before anything is sent', async (args, why) => {
    const asked = sandbox.requests().length;
    const added = await run(['webhook', 'add', ...args], { env: env() });
    expect(added.code).toBe(64);
    expect(added.stderr).toContain(why);
    expect(sandbox.requests().length).toBe(asked);
  });
});

describe('webhook deliveries', () => {
  it('says in words what became of each attempt', async () => {
    application.answer = 404;
    const home = emptyHome();
    const listener = await started(home, ['--port', '0', '-f', String(application.port), '--ack', 'app']);
    sandbox.pay(await createCharge());
    await listener.line(({ type }) => type === 'event');
    await listener.stop();
    const shown = await run(['webhook', 'deliveries', String(listener.ready.endpoint)], { home, env: env() });
    expect(shown.stdout).toContain('CHARGE_PAID');
    expect(shown.stdout).toContain('404');
    const missing = await run(['webhook', 'deliveries', 'wh_missing'], { home, env: env() });
    expect(missing.code).toBe(88);
  });
});
