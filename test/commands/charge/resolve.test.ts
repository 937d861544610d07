/** A keyed charge whose answer was lost: what a merchant can do about it, and that no second one is made. */
import { once } from 'node:events';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ageSends } from '../../support/age-ledger.ts';
import { failure, hostileServer, json, someCharge, success } from '../../support/hostile-server.ts';
import { inQuotes, noBootId, skipped } from '../../support/platform.ts';
import { emptyHome, run } from '../../support/run.ts';
import { slowHandshake } from '../../support/slow-handshake.ts';
import { type Bench, openHurriedBench as openBench } from '../../support/withdrawal-bench.ts';

/** As it stands in an error that is JSON. */
const settlesIt = JSON.stringify(`pixctl charge resolve ${inQuotes('order 42')}`).slice(1, -1);

const createArgs = (key: string, amount = '1050') => [
  ...['charge', 'create', '--amount', amount, '--idempotency-key', key, '-o', 'json'],
];
const create = (bench: Bench, key = 'order 42') => bench.run(createArgs(key));
const resolve = (bench: Bench, ...flags: string[]) =>
  bench.run(['charge', 'resolve', 'order 42', '-o', 'ndjson', ...flags]);
const age = ({ home }: Bench, seconds: number) => ageSends(join(home, 'state/ledger.sqlite'), seconds);

const bea = { id: 'cust_bea', name: 'Bea', taxId: '12345678909', email: 'bea@example.com' };

/** The answer of the one create is lost, before or after the service acted on it. */
async function lost(when: 'before' | 'after') {
  const bench = await openBench();
  bench.proxy.intercept = ({ method }) => (method === 'POST' ? { kind: 'reset', when } : null);
  expect((await create(bench)).code).toBe(81);
  bench.proxy.intercept = () => null;
  return bench;
}

describe('a keyed charge whose answer was lost', () => {
  it('is not sent again; the words name the command that settles it', async () => {
    await using bench = await lost('after');
    const again = await create(bench);
    expect(again).toMatchObject({ code: 81, stdout: '' });
    expect(again.stderr).toContain(settlesIt);
    expect(bench.proxy.posts()).toHaveLength(1);
  });

  it('and so is one that was answered with a conflict: it may be with a copy of itself', async () => {
    await using bench = await openBench();
    bench.proxy.intercept = ({ method }) => (method === 'POST' ? { kind: 'conflict', when: 'after' } : null);
    const conflict = await create(bench);
    expect(conflict.code).toBe(81);
    expect(conflict.stderr).toMatch(/not known whether it exists: \S+ says \w+: [^.]+\. It will not be sent/);
    bench.proxy.intercept = () => null;
    expect((await create(bench)).code).toBe(81);
    expect(bench.proxy.posts()).toHaveLength(1);
  });

  it.each([
    ['of another amount', success({ ...someCharge, amount: 500 }), []],
    ['of another customer', success({ ...someCharge, customer: bea }), ['--customer', 'cust_ana']],
    ['and an error in one', { ...success(someCharge), error: 'INTERNAL_ERROR' }, []],
  ])('and so is one that was answered with a charge %s', async (_, answer, flags) => {
    const home = emptyHome();
    await using server = await hostileServer((response) => json(response, 201, answer));
    const env = { PIXCTL_BASE_URL: server.url, PIXCTL_API_KEY: 'svc_x' };
    for (const _ of [1, 2]) {
      const told = await run([...createArgs('order 42'), ...flags], { home, env });
      expect(told).toMatchObject({ code: 81, stdout: '' });
      expect(told.stderr).toContain(settlesIt);
    }
    expect(server.received.length).toBe(1);
  });

  it.each([
    [400, 'INTERNAL_ERROR'],
    [400, 'UPSTREAM_TIMEOUT'],
    [422, 'INTERNAL_ERROR'],
  ])('and so is one that was answered %i %s: that is no refusal', async (status, error) => {
    const home = emptyHome();
    await using server = await hostileServer((response) => json(response, status, failure(error, 'why')));
    const env = { PIXCTL_BASE_URL: server.url, PIXCTL_API_KEY: 'svc_x' };
    for (const _ of [1, 2]) {
      const told = await run(createArgs('order 42'), { home, env });
      expect(told.code).toBe(81);
      expect(told.stderr).not.toContain('Nothing moved');
      expect(told.stderr).toContain(settlesIt);
    }
    expect(server.received).toHaveLength(1);
  });

  it('and so is one that was answered with the charge of another key', async () => {
    const home = emptyHome();
    await using server = await hostileServer((response) => json(response, 201, success(someCharge)));
    const env = { PIXCTL_BASE_URL: server.url, PIXCTL_API_KEY: 'svc_x' };
    expect((await run(createArgs('order 41'), { home, env })).code).toBe(0);
    for (const words of [
      'the answer names chg_1, which belongs to another key',
      'It will not be sent again',
    ]) {
      const told = await run(createArgs('order 42'), { home, env });
      expect(told).toMatchObject({ code: 81, stdout: '', stderr: expect.stringContaining(words) });
      expect(told.stderr).toContain(settlesIt);
      expect(told.stderr).not.toContain('was created');
    }
    expect(server.received).toHaveLength(2);
  });

  it('is shown with its candidates, and stays unknown until somebody decides', async () => {
    await using bench = await lost('after');
    await bench.run(['charge', 'create', '--amount', '999']);
    const shown = await resolve(bench);
    expect(shown.code).toBe(81);
    const found = shown.stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(found).toMatchObject([{ amount: 1050 }]);
    expect(JSON.parse(shown.stderr).error.hint).toContain(
      `pixctl charge resolve ${inQuotes('order 42')} --charge`,
    );
    expect((await create(bench)).code).toBe(81);
  });

  it('is shown each candidate once, even if new charges push it onto the next page', async () => {
    const home = emptyHome();
    const charge = { ...someCharge, createdAt: new Date().toISOString() };
    await using server = await hostileServer((response, { method, path }) => {
      if (method === 'POST') return void response.destroy();
      const hasMore = !path.includes('after=');
      const pagination = { hasMore, next: hasMore ? 'second' : null, before: null };
      json(response, 200, { ...success([charge]), pagination });
    });
    const env = { PIXCTL_BASE_URL: server.url, PIXCTL_API_KEY: 'svc_x' };
    expect((await run(createArgs('order 42'), { home, env })).code).toBe(81);
    const shown = await run(['charge', 'resolve', 'order 42', '-o', 'json'], { home, env });
    expect(JSON.parse(shown.stdout)).toHaveLength(1);
    expect(shown.stderr).toContain('the service lists 1 charge that may be it');
  });

  it('leads to the charge that a person names, from then on', async () => {
    await using bench = await lost('after');
    const { id } = JSON.parse((await resolve(bench)).stdout);
    expect(await resolve(bench, '--charge', id)).toMatchObject({
      code: 64,
      stderr: expect.stringContaining('nobody to ask'),
    });
    expect((await resolve(bench, '--charge', id, '--yes')).code).toBe(0);
    const again = await create(bench);
    expect([again.code, JSON.parse(again.stdout).id]).toEqual([0, id]);
    expect(await resolve(bench)).toMatchObject({
      code: 0,
      stderr: expect.stringContaining(`The outcome is known already: the key order 42 belongs to ${id}.`),
    });
    expect((await resolve(bench, '--not-created', '--yes')).code).toBe(64);
    expect(bench.proxy.posts()).toHaveLength(1);
  });

  it('is no charge of another amount, and none that another key leads to', async () => {
    await using bench = await lost('after');
    const other = JSON.parse((await bench.run(createArgs('order 43', '1051'))).stdout);
    const twin = JSON.parse((await create(bench, 'order 44')).stdout);
    for (const [id, why] of [
      [other.id, 'another amount'],
      [twin.id, 'another idempotency key'],
    ]) {
      const told = await resolve(bench, '--charge', id, '--yes');
      expect(told).toMatchObject({ code: 64, stderr: expect.stringContaining(why) });
      expect(told.stderr).toContain('The candidates: pixctl charge resolve');
    }
    // Nor is it shown as what it can be.
    expect((await resolve(bench)).stdout).not.toContain(twin.id);
  });

  it('may be called not created only after the settle time, and is then sent once more', async () => {
    await using bench = await lost('before');
    expect((await resolve(bench, '--not-created', '--yes')).code).toBe(75);
    age(bench, 95);
    expect((await resolve(bench, '--not-created', '--yes')).code).toBe(0);
    expect((await create(bench)).code).toBe(0);
    expect((await create(bench)).code).toBe(0);
    expect(bench.proxy.posts()).toHaveLength(2);
    expect(bench.sandbox.requests().filter(({ method }) => method === 'POST')).toHaveLength(1);
  });

  it('may not be called not created against the list, or without it, unless that is confirmed', async () => {
    await using bench = await lost('after');
    age(bench, 95);
    const told = await resolve(bench, '--not-created', '--yes');
    expect(told).toMatchObject({
      code: 86,
      stderr: expect.stringMatching(/--charge chg_\w+; if it is none: /),
    });
    bench.proxy.intercept = () => ({ kind: 'status', when: 'before', status: 500 });
    expect((await resolve(bench, '--not-created', '--yes')).code).toBe(75);
    bench.proxy.intercept = () => null;
    expect((await resolve(bench, '--not-created', '--allow-duplicate', '--yes')).code).toBe(0);
    expect((await create(bench)).code).toBe(0);
    expect(bench.proxy.posts()).toHaveLength(2);
  });
});

describe('a keyed charge whose process was killed', () => {
  it.skipIf(noBootId !== null)(
    skipped('before its first byte left: the same command sends it', noBootId),
    async () => {
      await using bench = await openBench();
      await using front = await slowHandshake(bench.proxy.url);
      const env = { ...front.env, PIXCTL_BASE_URL: front.url };
      const arrived = front.hold(0);
      const child = bench.start(createArgs('order 42'), env);
      await arrived;
      child.kill('SIGKILL');
      await once(child, 'close');
      expect((await bench.run(createArgs('order 42'), env)).code).toBe(0);
      expect(bench.proxy.posts()).toHaveLength(1);
    },
  );

  it('with its request on its way: 81, and one charge to name', async () => {
    await using bench = await openBench();
    const arrived = Promise.withResolvers<void>();
    bench.proxy.intercept = ({ method }) => {
      if (method !== 'POST') return null;
      arrived.resolve();
      return { kind: 'hang', when: 'after' };
    };
    const child = bench.start(createArgs('order 42'));
    await arrived.promise;
    child.kill('SIGKILL');
    await once(child, 'close');
    bench.proxy.intercept = () => null;
    expect((await create(bench)).code).toBe(81);
    await expect.poll(async () => (await resolve(bench)).stdout).toContain('chg_');
    expect(bench.proxy.posts()).toHaveLength(1);
  });
});

describe('charge resolve', () => {
  it('says so when the ledger has no such charge, and when both words are said', async () => {
    await using bench = await openBench();
    expect((await resolve(bench)).code).toBe(88);
    expect((await resolve(bench, '--charge', 'chg_1', '--not-created')).code).toBe(64);
  });

  it.each([[[]], [['--charge', 'chg_1']]])(
    'beside %j refuses --allow-duplicate, which would say nothing there',
    async (flags) => {
      await using bench = await openBench();
      expect(await resolve(bench, ...flags, '--allow-duplicate')).toMatchObject({
        code: 64,
        stderr: expect.stringContaining(
          '--allow-duplicate goes with --not-created only. Nothing was changed.',
        ),
      });
    },
  );

  it('is what doctor names for a charge whose outcome is not known', async () => {
    await using bench = await lost('after');
    const doctor = await bench.run(['doctor']);
    expect(doctor.stdout + doctor.stderr).toContain(`pixctl charge resolve ${inQuotes('order 42')}`);
  });
});
