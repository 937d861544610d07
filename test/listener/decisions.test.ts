/** The pure decisions of the listener, as tables. */
import { describe, expect, it } from 'vitest';
import { environmentOf } from '../../src/flags/environment.ts';
import type { TargetOutcome } from '../../src/inbox/inbox.ts';
import { fingerprint, parseEventFacts } from '../../src/listener/event-facts.ts';
import { prepareAttempt, withSignature } from '../../src/listener/forwarding/attempt.ts';
import { decideAfterAttempt } from '../../src/listener/forwarding/backoff.ts';
import { owedAddressOf, stateAfterReplay } from '../../src/listener/forwarding/replay.ts';
import { replayAddressesOf } from '../../src/listener/inspector/replay.ts';
import { eventsOfChange } from '../../src/listener/poll/changes.ts';
import {
  findAddressLeadingTo,
  formatTarget,
  isThisMachine,
  parseTarget,
} from '../../src/listener/posting/target.ts';
import { parseTargets } from '../../src/listener/posting/targets.ts';
import { planTunnel } from '../../src/listener/tunnel/plan.ts';
import { tunnelEnvironment } from '../../src/listener/tunnel/start-tunnel.ts';

describe('a forward target', () => {
  it.each([
    ['3000', 'http://localhost:3000/'],
    [':3000', 'http://localhost:3000/'],
    ['3000/hook?x=1', 'http://localhost:3000/hook?x=1'],
    ['3000?x=1,2', 'http://localhost:3000/?x=1,2'],
    ['3000#top', 'http://localhost:3000/'],
    ['localhost:3000/hook', 'http://localhost:3000/hook'],
    ['127.0.0.1:3000', 'http://127.0.0.1:3000/'],
    ['https://localhost:3000/a#b', 'https://localhost:3000/a'],
    ['http://[::1]:3000', 'http://[::1]:3000/'],
    ['app.localhost:80', 'http://app.localhost/'],
  ])('%s is %s', (text, url) => {
    expect(parseTarget(text)).toBe(url);
  });

  it.each([
    '',
    '0',
    'localhost:0/hook',
    '70000',
    'ftp://localhost',
    'http://',
    'http://user:pw@localhost',
    'http://user@localhost',
    'http://:pw@localhost',
    'example.com',
    '10.0.0.1:80',
    'http://127.0.0.1.example.com',
    '//x',
    'http://localhost.example.com',
  ])('%j is refused', (text) => {
    expect(() => parseTarget(text)).toThrow(expect.objectContaining({ kind: 'usage' }));
  });

  it.each([
    ['0.0.0.0:3000/hook', '0.0.0.0:3000'],
    ['http://[::]:3000/hook', '[::]:3000'],
  ])('%s, as servers say where they listen, is refused with the address that was meant', (text, host) => {
    expect(() => parseTarget(text)).toThrow(
      expect.objectContaining({
        kind: 'usage',
        message: `${host} is where a server listens (every address of its machine), not an address to forward to. Nothing was sent.`,
        hint: 'For this machine, give http://localhost:3000/hook.',
      }),
    );
  });

  it.each(['3000,3001', 'http://localhost:3000,http://localhost:3001', 'localhost:3000, localhost:3001'])(
    '%j names several addresses, and is not taken for one foreign host',
    (text) => {
      expect(() => parseTarget(text)).toThrow(`"${text}" is not an address to forward to. Nothing was sent.`);
      expect(() => parseTarget(text, { allowRemote: true })).toThrow('is not an address to forward to.');
    },
  );

  it('may be elsewhere only when that is allowed', () => {
    expect(parseTarget('https://staging.example.com/hook', { allowRemote: true })).toBe(
      'https://staging.example.com/hook',
    );
    expect(isThisMachine('127.1.2.3')).toBe(true);
    expect(isThisMachine('128.0.0.1')).toBe(false);
  });

  it('of a route may not be another machine either', () => {
    const routes = ['CHARGE_PAID=staging.example.com'];
    expect(() => parseTargets({ routes, events: null, allowRemote: false })).toThrow(/is not this machine/);
    expect(parseTargets({ routes, events: null, allowRemote: true }).all).toEqual([
      'http://staging.example.com/',
    ]);
  });

  it('is chosen for each event', () => {
    const routes = ['CHARGE_PAID=3000', 'CHARGE_PAID=3001'];
    expect(() => parseTargets({ routes, events: null, allowRemote: false })).toThrow(
      /two routes.*Nothing was started\./,
    );
  });

  it.each(['CHARGE_PAID', '=3000', 'CHARGE_PAID=', 'A B=3000'])('%j is not a route', (route) => {
    expect(() => parseTargets({ routes: [route], events: null, allowRemote: false })).toThrow(
      /route|address to forward/,
    );
  });
});

describe('where the page replays to', () => {
  const remote = 'https://staging.example.com/hook';
  const went = [{ url: remote }];
  const [nowhere, own] = [[], ['3000']].map((forwardTo) => ({ forwardTo, routes: [], events: null }));
  const event = { event: 'CHARGE_PAID', target: null };
  const local = 'http://localhost:4000/';
  const owedTo = (target: string): TargetOutcome => ({
    ...{ key: '1', target, state: 'GIVEN_UP', attempts: 1, failures: 1 },
    ...{ nextAt: null, status: 500, error: null },
  });
  const refused = { refused: 'staging.example.com is not this machine; replay it with --allow-remote' };
  it.each([
    ['the application of this run', own, false, went, 'http://localhost:3000/'],
    ['where it went before', nowhere, false, [{ url: 'http://localhost:4000/' }], 'http://localhost:4000/'],
    ['no other machine', nowhere, false, went, refused],
    ['another machine where that is allowed', nowhere, true, went, remote],
    ['nowhere', nowhere, false, [], null],
  ])('%s', (_what, choices, allowRemote, attempts, address) => {
    const targets = parseTargets({ ...(choices ?? { routes: [], events: null }), allowRemote });
    expect(replayAddressesOf(targets, event, attempts)).toEqual([address]);
  });

  it.each([
    ['the application of this run alone', own, ['http://localhost:3000/']],
    ['each of its own, where this run forwards no such event', nowhere, [local, refused]],
  ])('what is owed to two: %s', (_what, choices, addresses) => {
    const targets = parseTargets({ ...(choices ?? { routes: [], events: null }), allowRemote: false });
    const owed = { ...event, targets: [owedTo(local), owedTo(remote)] };
    expect(replayAddressesOf(targets, owed, went)).toEqual(addresses);
  });
});

describe('the events that go to some addresses', () => {
  const [all, paid, refunds] = ['http://localhost:1/', 'http://localhost:2/', 'http://localhost:3/'] as const;
  const routes = ['CHARGE_PAID=2', 'REFUND_COMPLETED=3'];
  it.each([
    ['all', { forwardTo: ['1'], routes, events: null }, [all, paid, refunds], { except: [] }],
    ['but one', { forwardTo: ['1'], routes, events: null }, [all, paid], { except: ['REFUND_COMPLETED'] }],
    ['one', { forwardTo: ['1'], routes, events: null }, [refunds], { only: ['REFUND_COMPLETED'] }],
    ['no', { forwardTo: ['1'], routes, events: null }, [], { only: [] }],
    [
      'all that are routed',
      { routes, events: null },
      [paid, refunds],
      { only: ['CHARGE_PAID', 'REFUND_COMPLETED'] },
    ],
    [
      'all that are wanted',
      { forwardTo: ['1'], routes: ['CHARGE_PAID=2'], events: ['X', 'CHARGE_PAID'] },
      [all, paid, refunds],
      { only: ['X', 'CHARGE_PAID'] },
    ],
    [
      'some that are wanted',
      { forwardTo: ['1'], routes: ['CHARGE_PAID=2'], events: ['X', 'CHARGE_PAID'] },
      [all],
      { only: ['X'] },
    ],
    ['no route', { routes: ['CHARGE_PAID=2'], events: ['CHARGE_PAID'] }, [refunds], { only: [] }],
  ])('%s: %o', (_what, choices, addresses: readonly string[], names) => {
    const targets = parseTargets({ ...choices, allowRemote: false });
    expect(targets.eventsRoutedTo((url) => addresses.includes(url))).toEqual(names);
  });
});

it.each([
  ['every -f once', ['1', '2', 'localhost:1'], [], null, ['http://localhost:1/', 'http://localhost:2/']],
  ['one -f, which is no several', ['1'], [], null, null],
  ['its own route', ['1', '2'], ['CHARGE_PAID=3'], null, null],
  ['nothing that --events leaves out', ['1', '2'], [], ['REFUND_COMPLETED'], null],
])('an event goes to %s', (_what, forwardTo, routes, events, several) => {
  const targets = parseTargets({ forwardTo, routes, events, allowRemote: false });
  expect(targets.severalForEvent('CHARGE_PAID')).toEqual(several);
});

it.each([
  ['http://localhost:3000/', '3000'],
  ['http://localhost:4000/hook?a=1', '4000/hook?a=1'],
  ['http://localhost:4000/?a=1,2', '4000?a=1,2'],
  ['http://localhost/', '80'],
  ['http://127.0.0.1:3000/hook', '127.0.0.1:3000/hook'],
  ['http://shop.localhost:3000/', 'shop.localhost:3000'],
  ['https://localhost:8443/', 'https://localhost:8443/'],
])('%s is called %s, which is read as the same address', (url, short) => {
  expect(formatTarget(url)).toBe(short);
  expect(parseTarget(short)).toBe(url);
});

it('a route for an unwanted event is refused: it would never be used', () => {
  const choices = { routes: ['REFUND_COMPLETED=3'], events: ['CHARGE_PAID'], allowRemote: false };
  expect(() => parseTargets(choices)).toThrow(/REFUND_COMPLETED would never be used.*Nothing was started\./);
});

it.each([
  ['localhost', 'http://localhost:4400/', true],
  ['another of its addresses', 'http://127.1.2.3:4400/x', true],
  ['the same in IPv6', 'http://[::1]:4400/', true],
  ['any address', 'http://0.0.0.0:4400/', true],
  ['any address in IPv6', 'http://[::]:4400/', true],
  ['what it listens on', 'http://192.0.2.7:4400/', true],
  ['another machine', 'http://192.0.2.8:4400/', false],
  ['another port', 'http://localhost:4401/', false],
])('whether a forward leads back to its listener: %s (%s)', (_, address, back) => {
  const found = findAddressLeadingTo(['http://localhost:1/', address], { host: '192.0.2.7', port: 4400 });
  expect(found).toBe(back ? address : undefined);
});

describe('what becomes of an event', () => {
  const policy = { attempts: 5, baseMs: 1_000, maxMs: 5_000 };
  const answered = (status: number) => ({ status, ms: 1, body: new Uint8Array() });
  it.each([
    ['200', answered(200), 0, { state: 'DELIVERED', failures: 0, nextAt: null }],
    ['299', answered(299), 2, { state: 'DELIVERED', failures: 2, nextAt: null }],
    ['a redirect', answered(301), 0, { state: 'WAITING', failures: 1, nextAt: 1_001_000 }],
    ['404', answered(404), 1, { state: 'WAITING', failures: 2, nextAt: 1_002_000 }],
    ['500 the third time', answered(500), 2, { state: 'WAITING', failures: 3, nextAt: 1_004_000 }],
    ['500 the fourth time', answered(500), 3, { state: 'WAITING', failures: 4, nextAt: 1_005_000 }],
    ['500 the last time', answered(500), 4, { state: 'GIVEN_UP', failures: 5, nextAt: null }],
    [
      'a timeout',
      { error: 'x', ms: 1, reached: true },
      0,
      { state: 'WAITING', failures: 1, nextAt: 1_001_000 },
    ],
    [
      'no connection',
      { error: 'x', ms: 1, reached: false },
      4,
      { state: 'WAITING', failures: 4, nextAt: 1_001_000 },
    ],
  ])('after %s', (_what, result, before, expected) => {
    expect(decideAfterAttempt(result, before, 1_000_000, policy)).toEqual(expected);
  });
});

describe('the signature of an attempt', () => {
  const owed = {
    attempts: 0,
    receivedAt: 1_000_000,
    body: new Uint8Array(),
    headers: [
      ['A', '1'],
      ['service-signature', 'old'],
      ['B', '2'],
    ] as const,
  };
  it.each([
    ['the first, at once', owed, 1_000_100, 'original', 'old'],
    ['the first, on a clock that was set back', owed, 700_000, 'fresh', 'new'],
    ['the first, minutes later', owed, 1_300_000, 'fresh', 'new'],
    ['a later one', { ...owed, attempts: 1 }, 1_000_100, 'fresh', 'new'],
  ])('%s', (_what, event, now, signature, value) => {
    expect(prepareAttempt(event, now, 'Service-Signature', () => 'new')).toEqual({
      signature,
      headers: [
        ['A', '1'],
        ['service-signature', value],
        ['B', '2'],
      ],
    });
  });

  it('stays as it came when the secret is not known', () => {
    expect(prepareAttempt({ ...owed, attempts: 3 }, 0, 'Service-Signature', () => null).signature).toBe(
      'original',
    );
  });

  it('replaces several by one, and is added if there was none', () => {
    expect(
      withSignature(
        [
          ['S', '1'],
          ['A', 'a'],
          ['s', '2'],
        ],
        's',
        'new',
      ),
    ).toEqual([
      ['S', 'new'],
      ['A', 'a'],
    ]);
    expect(withSignature([['A', 'a']], 'S', 'new')).toEqual([
      ['A', 'a'],
      ['S', 'new'],
    ]);
  });
});

describe('the facts of a body', () => {
  const facts = (text: string) => parseEventFacts(new TextEncoder().encode(text));
  it('are read from it', () => {
    expect(facts('\ufeff{"id":"evt_1","event":"CHARGE_PAID","data":{"amount":5,"status":"PAID"}}')).toEqual({
      ...{ id: 'evt_1', event: 'CHARGE_PAID', amount: 5, status: 'PAID', odd: null },
    });
  });
  it.each([
    ['{"id":"e","event":"X","data":{"amount":1.5}}', null],
    ['{"id":"e","event":"X","data":{"amount":"5"}}', null],
    ['{"id":"e","event":"X","data":[]}', null],
    ['{"id":"e","event":"X"}', null],
  ])('%s has no amount', (text, amount) => {
    expect(facts(text).amount).toBe(amount);
  });
  it('name a body without id by its hash', () => {
    expect(facts('').id).toBe('sha256:e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855');
  });
  it('identify a secret without revealing it', () => {
    expect(fingerprint('whsec_a')).toMatch(/^[0-9a-f]{16}$/);
    expect(fingerprint('whsec_a')).not.toBe(fingerprint('whsec_b'));
  });
});

describe('events that a change means', () => {
  it.each([
    ['charge', null, 'PENDING', []],
    ['charge', null, 'PAID', ['CHARGE_PAID']],
    ['charge', 'PENDING', 'PAID', ['CHARGE_PAID']],
    ['charge', 'PENDING', 'REFUNDED', ['CHARGE_PAID', 'REFUND_COMPLETED']],
    ['charge', 'PAID', 'REFUNDED', ['REFUND_COMPLETED']],
    ['charge', 'PENDING', 'DISPUTED', ['CHARGE_PAID']],
    ['charge', 'PAID', 'DISPUTED', []],
    ['charge', 'DISPUTED', 'PAID', []],
    ['charge', 'PENDING', 'EXPIRED', []],
    ['charge', 'PAID', 'PAID', []],
    ['charge', 'PENDING', 'SOMETHING_NEW', []],
    ['withdrawal', 'PENDING', 'PROCESSING', []],
    ['withdrawal', 'PROCESSING', 'COMPLETED', ['WITHDRAWAL_COMPLETED']],
    ['withdrawal', null, 'FAILED', ['WITHDRAWAL_FAILED']],
    ['withdrawal', 'COMPLETED', 'COMPLETED', []],
  ] as const)('%s: %s to %s', (kind, before, after, events) => {
    expect(eventsOfChange(kind, before, after)).toEqual(events);
  });
});

describe('tunnel programs', () => {
  const plan = (tunnel: string, remotePort = 0) =>
    planTunnel({ tunnel, port: 4400, remotePort, sshConfig: undefined });

  it.each([
    [
      'cloudflared',
      '2026-01-02T03:04:05Z INF |  https://some-words-here.trycloudflare.com                        |',
      'https://some-words-here.trycloudflare.com',
    ],
    ['cloudflared', '2026-01-02T03:04:05Z INF Requesting new quick Tunnel on trycloudflare.com...', null],
    [
      'cloudflared',
      'failed to request quick Tunnel: Post "https://api.trycloudflare.com/tunnel": dial tcp',
      null,
    ],
    ['cloudflared', 'visit https://www.trycloudflare.com/terms for more', null],
    [
      'ngrok',
      '{"addr":"http://127.0.0.1:4400","lvl":"info","msg":"started tunnel","name":"command_line","obj":"tunnels","t":"2026-01-02T03:04:05Z","url":"https://1a2b-3c.ngrok-free.app"}',
      'https://1a2b-3c.ngrok-free.app',
    ],
    ['ngrok', '{"lvl":"info","msg":"client session established"}', null],
    ['ngrok', 'ERROR: authentication failed', null],
    [
      'ssh:me@tunnel.example.com',
      'Allocated port 43210 for remote forward to 127.0.0.1:4400',
      'http://tunnel.example.com:43210',
    ],
    ['ssh:me@tunnel.example.com', 'Warning: Permanently added', null],
  ])('%s says %s', (tunnel, line, address) => {
    expect(plan(tunnel).readAddress(line)).toBe(address);
  });

  it('let ssh ask a person for what it lacks: the key of a new host, a passphrase', () => {
    const { args, interactiveArgs = [] } = plan('ssh:me@tunnel.example.com');
    expect(args).toEqual(['-o', 'BatchMode=yes', ...interactiveArgs]);
    expect(interactiveArgs.join(' ')).not.toContain('BatchMode');
  });

  it.each([
    ['cloudflared', 'cloudflared tunnel --no-autoupdate --url http://127.0.0.1:4400', 'TUNNEL_TOKEN'],
    ['ngrok', 'ngrok http http://127.0.0.1:4400 --log stdout --log-format json', 'NGROK_AUTHTOKEN'],
  ])('start %s as it documents, with its own settings', (tunnel, line, variable) => {
    const { program, args, allowedVariables, address } = plan(tunnel);
    expect([[program, ...args].join(' '), address]).toEqual([line, null]);
    expect([variable, 'PIXCTL_API_KEY'].map((name) => allowedVariables.test(name))).toEqual([true, false]);
  });

  it('start ssh so that it never asks, and fails if it cannot get the port', () => {
    expect(plan('ssh:me@tunnel.example.com:2222', 8080)).toMatchObject({
      program: 'ssh',
      address: 'http://tunnel.example.com:8080',
      args: [
        ...['-o', 'BatchMode=yes', '-o', 'ExitOnForwardFailure=yes'],
        ...['-o', 'ServerAliveInterval=15', '-o', 'ServerAliveCountMax=3'],
        ...['-N', '-T', '-p', '2222', '-R', '8080:127.0.0.1:4400', '--', 'me@tunnel.example.com'],
      ],
    });
  });

  it.each([
    '',
    'ssh',
    'ssh:',
    'ssh:-oProxyCommand=x',
    'ssh:me@-oProxyCommand=x',
    'ssh:a b@c',
    'frp',
    'ssh:me@host:port',
  ])('%j is not a tunnel', (tunnel) => {
    expect(() => plan(tunnel)).toThrow(/not a tunnel/);
  });

  it('are started without our secrets', () => {
    const environment = {
      PATH: '/bin',
      HOME: '/h',
      PIXCTL_API_KEY: 'svc_x',
      PIXCTL_WEBHOOK_SECRET: 's',
      AWS_SECRET: 'y',
      NGROK_AUTHTOKEN: 'n',
      SSH_AUTH_SOCK: '/s',
    };
    expect(tunnelEnvironment(environment, plan('ngrok').allowedVariables)).toEqual({
      PATH: '/bin',
      HOME: '/h',
      NGROK_AUTHTOKEN: 'n',
    });
    expect(tunnelEnvironment(environment, plan('ssh:h').allowedVariables)).toEqual({
      PATH: '/bin',
      HOME: '/h',
      SSH_AUTH_SOCK: '/s',
    });
  });

  it('are started on Windows with the variables that programs there need', () => {
    const environment = environmentOf(
      { Path: 'C:\\bin', SystemRoot: 'C:\\Windows', ProgramData: 'C:\\ProgramData', Pixctl_Api_Key: 'svc_x' },
      'win32',
    );
    expect(tunnelEnvironment(environment, plan('ssh:h').allowedVariables)).toEqual({
      PATH: 'C:\\bin',
      SYSTEMROOT: 'C:\\Windows',
      PROGRAMDATA: 'C:\\ProgramData',
    });
  });
});

describe('the address that an event is owed to', () => {
  const own = 'http://localhost:3000/';
  const other = 'http://localhost:4000/';
  const tried = { url: own } as const;
  const elsewhere = { url: other, elsewhere: true } as const;
  const waiting = { state: 'WAITING', target: null } as const;
  it.each([
    ['is where a listener has tried it', waiting, [tried], null, own],
    ['is not where a replay took it', waiting, [tried, elsewhere], null, own],
    ['is not known where only replays were tried', waiting, [elsewhere], null, null],
    ['is not known of what was never tried', waiting, [], null, null],
    ['is that of the listener that asks', waiting, [elsewhere], own, own],
    ['is the one that it is for', { state: 'WAITING', target: other }, [tried], own, other],
    ['is not what a replay has left', { state: 'GIVEN_UP', target: other }, [tried], null, own],
    ['is none that was refused', waiting, [tried, { url: '' }], null, own],
  ] as const)('%s', (_title, owed, attempts, listener, expected) => {
    expect(owedAddressOf(owed, attempts, listener)).toBe(expected);
  });
});

describe('an event after a replay', () => {
  const own = { elsewhere: false, owedTo: 'http://localhost:3000/', origin: 'delivery' } as const;
  const other = { ...own, elsewhere: true } as const;
  const unknown = { ...other, owedTo: null } as const;
  const edited = { ...other, origin: 'edited' } as const;
  it.each([
    ['owed', 'WAITING', own, 'DELIVERED', 'WAITING'],
    ['owed, elsewhere', 'WAITING', other, 'WAITING', 'WAITING'],
    ['owed, nobody knows where', 'WAITING', unknown, 'WAITING', 'WAITING'],
    ['given up', 'GIVEN_UP', own, 'DELIVERED', 'GIVEN_UP'],
    ['given up, elsewhere', 'GIVEN_UP', other, 'GIVEN_UP', 'GIVEN_UP'],
    ['given up, nobody knows where', 'GIVEN_UP', unknown, 'DELIVERED', 'GIVEN_UP'],
    ['that was never to be forwarded', 'NONE', unknown, 'DELIVERED', 'GIVEN_UP'],
    ['that one of several was asked about in vain', 'NONE', own, 'DELIVERED', 'GIVEN_UP'],
    ['that one of several was asked about in vain, elsewhere', 'NONE', other, 'GIVEN_UP', 'GIVEN_UP'],
    ['taken', 'DELIVERED', own, 'DELIVERED', 'DELIVERED'],
    ['taken, elsewhere', 'DELIVERED', other, 'DELIVERED', 'DELIVERED'],
    ['made by hand', 'WAITING', edited, 'DELIVERED', 'GIVEN_UP'],
    ['made by hand and given up', 'GIVEN_UP', edited, 'DELIVERED', 'GIVEN_UP'],
  ] as const)('%s (%s)', (_, before, facts, taken, vain) => {
    expect(stateAfterReplay(before, { ...facts, taken: true })).toBe(taken);
    expect(stateAfterReplay(before, { ...facts, taken: false })).toBe(vain);
  });
});
