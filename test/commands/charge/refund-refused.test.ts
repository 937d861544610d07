/** A refund that the service refuses: what became of the charge decides what is told. */
import { once } from 'node:events';
import { describe, expect, it } from 'vitest';
import { startSandbox } from '../../../src/sandbox/index.ts';
import {
  failure,
  type HostileServer,
  hostileServer,
  json,
  someCharge,
  success,
} from '../../support/hostile-server.ts';
import { noSignals, skipped } from '../../support/platform.ts';
import { run, start } from '../../support/run.ts';

interface Scene {
  /** What the charge reads once the refund was asked for; null: it cannot be read. */
  readonly after: string | null;
  readonly status: number;
  readonly error: string;
}

/** A service whose charge is PAID, and which refuses the refund. */
const refusing = ({ after, status, error }: Scene): Promise<HostileServer> => {
  let asked = false;
  return hostileServer((response, { method }) => {
    if (method === 'POST') {
      asked = true;
      return json(response, status, failure(error, 'why'));
    }
    if (asked && after === null) return json(response, 403, failure('FORBIDDEN', 'this key may not read'));
    json(response, 200, success({ ...someCharge, status: asked ? after : 'PAID' }));
  });
};

const refund = (server: HostileServer, ...flags: string[]) =>
  run(['charge', 'refund', 'chg_1', '--yes', ...flags], {
    env: { PIXCTL_BASE_URL: server.url, PIXCTL_API_KEY: 'svc_x' },
  });
const posts = ({ received }: HostileServer) => received.filter(({ method }) => method === 'POST').length;

describe('a refused refund', () => {
  it.each([[['-o', 'json']], [['-o', 'json', '--wait']]])(
    'of a charge that then reads REFUNDED counts as done, and both are reported, with %j',
    async (flags) => {
      await using server = await refusing({ after: 'REFUNDED', status: 409, error: 'CONFLICT' });
      const { code, stdout, stderr } = await refund(server, ...flags);
      expect({ code, status: JSON.parse(stdout).status }).toEqual({ code: 0, status: 'REFUNDED' });
      expect(stderr).toContain(
        'says CONFLICT: why. The service refused this request (409), but chg_1 reads REFUNDED',
      );
      expect(stderr).not.toContain('Nothing moved');
      expect(posts(server)).toBe(1);
    },
  );

  it.each([
    [400, 'BAD_REQUEST', 80],
    [403, 'FORBIDDEN', 77],
    [429, 'RATE_LIMITED', 75],
  ])('of a charge that still reads PAID moved nothing: %i %s ends with %i', async (status, error, exit) => {
    await using server = await refusing({ after: 'PAID', status, error });
    const { code, stdout, stderr } = await refund(server);
    expect({ code, stdout }).toEqual({ code: exit, stdout: '' });
    expect(stderr).toContain('Nothing moved.');
  });

  it('of one whose earlier refund is under way says that this one may be', async () => {
    await using sandbox = await startSandbox({ assume: { 'refund-completion': '60s' } });
    const env = { PIXCTL_BASE_URL: sandbox.url, PIXCTL_API_KEY: sandbox.apiKey };
    const { stdout } = await run(['charge', 'create', '--amount', '5,00', '-o', 'json'], { env });
    const { id } = JSON.parse(stdout);
    sandbox.pay(id);
    const again = () => run(['charge', 'refund', id, '--yes'], { env });
    const first = await again();
    expect([first.code, first.stderr]).toEqual([
      0,
      expect.stringContaining('Accepted. The charge still reads PAID'),
    ]);
    const second = await again();
    expect([second.code, second.stderr]).toEqual([
      80,
      expect.stringContaining(`it may be under way and show later: pixctl charge get ${id}`),
    ]);
  });

  it.each([
    [409, 'CONFLICT'],
    [400, 'NOT_OF_THE_DOCUMENT'],
  ])('proves nothing while the charge reads PAID if it is %i %s: 81', async (status, error) => {
    await using server = await refusing({ after: 'PAID', status, error });
    const { code, stdout, stderr } = await refund(server);
    expect({ code, stdout }).toEqual({ code: 81, stdout: '' });
    expect(stderr).toContain('The charge still reads PAID');
    expect(stderr).toContain('Check this first: pixctl charge get chg_1');
    expect(stderr).not.toContain('Nothing moved');
  });

  it('whose answer is lost names the charge to check in words that can be pasted', async () => {
    await using server = await hostileServer((response, { method }) =>
      method === 'POST'
        ? response.destroy()
        : json(response, 200, success({ ...someCharge, status: 'PAID' })),
    );
    const { code, stderr } = await refund(server);
    expect(code).toBe(81);
    expect(stderr).toContain('pixctl charge get chg_1; while the charge reads PAID');
  });

  it('of a charge that can no longer be read leaves the outcome unknown', async () => {
    await using server = await refusing({ after: null, status: 409, error: 'CONFLICT' });
    const { code, stderr } = await refund(server);
    expect(code).toBe(81);
    expect(stderr).toContain('not known whether chg_1 is refunded');
    expect(stderr).toContain('pixctl charge get chg_1');
    expect(stderr).not.toContain('Nothing moved');
  });

  it.each([
    [401, 'UNAUTHORIZED', 77],
    [429, 'RATE_LIMITED', 75],
  ])(
    'keeps its own code if the charge cannot be read either: %i %s ends with %i',
    async (status, error, exit) => {
      let looks = 0;
      await using server = await hostileServer((response, { method }) =>
        method === 'GET' && looks++ === 0
          ? json(response, 200, success({ ...someCharge, status: 'PAID' }))
          : json(response, status, failure(error, 'why')),
      );
      const { code, stderr } = await refund(server);
      expect(code).toBe(exit);
      expect(stderr).toContain('The charge could not be read either.');
      expect(stderr).not.toContain('Nothing moved');
    },
  );

  it('with an undocumented code is 81 if the charge cannot be read either', async () => {
    let looks = 0;
    await using server = await hostileServer((response, { method }) =>
      method === 'GET' && looks++ === 0
        ? json(response, 200, success({ ...someCharge, status: 'PAID' }))
        : json(response, 401, failure('EDGE_SAYS_NO', 'why')),
    );
    const { code, stderr } = await refund(server);
    expect(code).toBe(81);
    expect(stderr).toContain('not known whether chg_1 is refunded');
  });

  it('with an internal error for its reason is not known, whatever its status', async () => {
    await using server = await refusing({ after: 'PAID', status: 400, error: 'INTERNAL_ERROR' });
    const { code, stderr } = await refund(server);
    expect(code).toBe(81);
    expect(stderr).not.toContain('Nothing moved');
  });
});

it('an accepted refund that does not show yet says that a rerun sends again', async () => {
  await using server = await hostileServer((response, { method }) =>
    json(response, 200, success(method === 'POST' ? { id: 'ref_1' } : { ...someCharge, status: 'PAID' })),
  );
  const { code, stderr } = await refund(server);
  expect(code).toBe(0);
  expect(stderr).toContain(
    'still reads PAID; until it reads REFUNDED, the same command sends a second refund',
  );
});

it('an accepted refund that does not show within the wait says so too: 82 does not mean to send it again', async () => {
  await using server = await hostileServer((response, { method }) =>
    json(response, 200, success(method === 'POST' ? { id: 'ref_1' } : { ...someCharge, status: 'PAID' })),
  );
  const { code, stderr } = await refund(server, '--wait', '--timeout', '1s');
  expect(code).toBe(82);
  expect(stderr).toContain('error: The refund was accepted. chg_1 is still PAID after 1 s.');
  expect(stderr).toContain(
    'Until it reads REFUNDED, the same command sends a second refund: give the first one time to show. Check again: pixctl charge get chg_1',
  );
});

it.each<[string, number, unknown, number]>([
  ['is of another charge', 200, success({ ...someCharge, id: 'chg_2' }), 1],
  ['has no amount', 200, success({ ...someCharge, amount: null }), 1],
  ['is a refusal', 404, failure('NOT_FOUND', 'why'), 88],
  ['is no answer of the service', 502, '<html>', 75],
])('a refund whose first look %s says that nothing was sent', async (_, status, body, exit) => {
  await using server = await hostileServer((response) => json(response, status, body));
  const { code, stderr } = await refund(server);
  expect([code, server.received.filter(({ method }) => method !== 'GET')]).toEqual([exit, []]);
  expect(stderr).toMatch(/^error: [^\n]*; nothing was sent\.$/m);
});

it.skipIf(noSignals !== null)(
  skipped(
    'a run that is stopped after its refund was sent still finds out that it moved nothing: 80',
    noSignals,
  ),
  async () => {
    const told = Promise.withResolvers<void>();
    await using server = await hostileServer((response, { method }) => {
      if (method !== 'POST') return json(response, 200, success({ ...someCharge, status: 'PAID' }));
      child.kill('SIGTERM');
      void told.promise.then(() => json(response, 400, failure('BAD_REQUEST', 'why')));
    });
    const child = start(['charge', 'refund', 'chg_1', '--yes'], {
      env: { PIXCTL_BASE_URL: server.url, PIXCTL_API_KEY: 'svc_x' },
    });
    child.stdout.resume();
    let said = '';
    child.stderr.on('data', (chunk) => {
      said += chunk;
      if (said.includes('waiting for the answer')) told.resolve();
    });
    expect(await once(child, 'close')).toEqual([80, null]);
    expect(said).toContain('The charge reads PAID.');
  },
);
