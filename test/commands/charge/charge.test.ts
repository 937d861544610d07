/** The charge commands as users run them, against the sandbox. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, existsSync, openSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { type Sandbox, startSandbox } from '../../../src/sandbox/index.ts';
import { noShell, noSignals, skipped } from '../../support/platform.ts';
import { readPngCode } from '../../support/read-png-code.ts';
import { cleanEnvironment, emptyHome, programPath, run, start } from '../../support/run.ts';

let sandbox: Sandbox;
beforeAll(async () => {
  sandbox = await startSandbox();
});
afterAll(() => sandbox.close());

const env = () => ({ PIXCTL_BASE_URL: sandbox.url, PIXCTL_API_KEY: sandbox.apiKey });
const pixctl = (...args: string[]) => run(args, { env: env() });
const created = async (
  ...flags: string[]
): Promise<Record<string, unknown> & { id: string; brCode: string }> =>
  JSON.parse((await pixctl('charge', 'create', '--amount', '10,50', '-o', 'json', ...flags)).stdout);
/** Where no file may have so much as a byte. */
async function onFullDisk(home: string, words: readonly string[]) {
  const command = [process.execPath, programPath(), ...words];
  const child = spawn('sh', ['-c', 'ulimit -f 0; exec "$@"', 'sh', ...command], {
    env: cleanEnvironment(home, env()),
  });
  const [stderr, [status]] = await Promise.all([text(child.stderr), once(child, 'close')]);
  return { status, stderr };
}
const posts = () => sandbox.requests().filter(({ method }) => method === 'POST').length;

describe('charge create', () => {
  it('prints the data of the service as it came, and says on stderr what and where', async () => {
    const customer = sandbox.addCustomer({ name: 'Ana', email: 'ana@example.com', taxId: '52998224725' });
    const flags = ['--description', 'Order 42', '--customer', customer.id, '--expires-in', '15m'];
    const { code, stdout, stderr } = await pixctl(
      'charge',
      'create',
      '--amount',
      'R$ 10,50',
      '-o',
      'json',
      ...flags,
    );
    expect(code).toBe(0);
    const charge = JSON.parse(stdout);
    expect(charge).toMatchObject({ amount: 1050, status: 'PENDING', customer: { id: customer.id } });
    expect(Date.parse(charge.expiresAt) - Date.parse(charge.createdAt)).toBe(900_000);
    expect(stderr).toContain('Charge of R$ 10,50 ("Order 42"), profile environment (127.0.0.1:');
    expect(stderr).not.toContain('warning');
  });

  it.each([
    { flags: ['--amount', '99'], says: 'R$ 0,99 is below the minimum of R$ 1,00' },
    {
      flags: ['--amount', '10'],
      says: 'a whole number is cents; for R$ 10,00 write 10,00. Nothing was sent',
    },
    { flags: ['--amount', '100000001'], says: 'above the maximum' },
    { flags: ['--amount', '10,5'], says: '10,50' },
    { flags: ['--amount', 'ten'], says: 'is not an amount' },
    { flags: [], says: '--amount is missing' },
    { flags: ['--amount', '100', '--expires-in', '59s'], says: 'outside 60s to 30d' },
    { flags: ['--amount', '100', '--expires-in', '31d'], says: 'outside 60s to 30d' },
    { flags: ['--amount', '100', '--expires-in', '15'], says: 'with a unit it is minutes (15m)' },
    { flags: ['--amount', '100', '--description', 'x'.repeat(141)], says: '140 is the maximum' },
    {
      flags: ['--amount', '100', '--description', '\u{1f600}'.repeat(141)],
      says: 'The description has 141 characters; 140 is the maximum',
    },
    { flags: ['--amount', '100', '--customer', 'c'.repeat(51)], says: '50 is the maximum' },
    { flags: ['--amount', '100', '--customer', ''], says: '--customer is empty' },
    { flags: ['--amount', '100', '--png', ''], says: '--png is empty' },
    { flags: ['--amount', '100', '--png', '-'], says: '--png takes the name of a file' },
    {
      flags: ['--amount', '100', '--png', import.meta.dirname, '--yes'],
      says: `error: The path ${import.meta.dirname} is a directory`,
    },
    {
      flags: ['--amount', '100', '--png', `${import.meta.filename}/x.png`],
      says: 'there is no such directory',
    },
    { flags: ['--amount', '100', '--png', 'codes/'], says: 'The path codes/ is a directory' },
    { flags: ['--amount', '100', '--png', `${'n'.repeat(300)}.png`], says: 'its name is too long' },
    { flags: ['--amount', '100', '--png', '', '--dry-run'], says: '--png is empty' },
    { flags: ['--amount', '100', '--expires-in', 'soon'], says: '"soon" is not a duration' },
    { flags: ['--amount', '100', '--idempotency-key', ''], says: '--idempotency-key is empty' },
    { flags: ['--amount', '100', '--idempotency-key', 'ação'], says: '--idempotency-key must have' },
    { flags: ['--amount', '100', '--fields', 'nope'], says: '"nope" is not a field' },
    {
      flags: ['--amount', '100', '--png', import.meta.filename],
      says: `error: The file ${import.meta.filename} exists. Nothing was sent`,
    },
  ])('refuses $flags with 64 before anything is sent', async ({ flags, says }) => {
    const before = posts();
    const { code, stderr, stdout } = await pixctl('charge', 'create', ...flags);
    expect({ code, stdout }).toEqual({ code: 64, stdout: '' });
    expect(stderr).toContain(says);
    expect(posts()).toBe(before);
  });

  it('sends a description of 140 emoji, each of which is one character and two UTF-16 units', async () => {
    const description = '\u{1f600}'.repeat(140);
    const { code, stderr } = await pixctl('charge', 'create', '--amount', '100', '-d', description);
    expect({ code, stderr }).toMatchObject({ code: 0 });
    expect(stderr).toContain(description);
  });

  it('shows with --dry-run what it would send, and sends nothing', async () => {
    const before = posts();
    const { code, stdout, stderr } = await pixctl(
      'charge',
      'create',
      '--amount',
      '1050',
      '--dry-run',
      '-o',
      'json',
    );
    expect({ code, stdout }).toEqual({ code: 0, stdout: '{"method":"PIX","amount":1050}\n' });
    expect(stderr).toContain('Nothing was sent');
    expect(posts()).toBe(before);
  });

  it('writes a PNG that scans to the copy-and-paste code', async () => {
    const png = join(emptyHome(), 'code.png');
    const charge = await created('--png', png);
    expect(readPngCode(readFileSync(png))).toBe(charge.brCode);
  });

  it('overwrites a file only with --yes', async () => {
    const png = join(emptyHome(), 'code.png');
    writeFileSync(png, 'mine');
    expect((await pixctl('charge', 'create', '--amount', '100', '--png', png)).code).toBe(64);
    expect(readFileSync(png, 'utf8')).toBe('mine');
    expect((await pixctl('charge', 'create', '--amount', '100', '--png', png, '--yes')).code).toBe(0);
    expect(readFileSync(png).subarray(1, 4).toString()).toBe('PNG');
  });

  it.skipIf(process.platform === 'win32')('leaves the picture that was there on a full disk', async () => {
    const home = emptyHome();
    const png = join(home, 'code.png');
    writeFileSync(png, 'mine');
    const words = ['charge', 'create', '--amount', '100', '--png', png, '--yes'];
    const { status, stderr } = await onFullDisk(home, words);
    expect([status, stderr]).toEqual([1, expect.stringContaining(`${png} could not be written (EFBIG)`)]);
    expect(readFileSync(png, 'utf8')).toBe('mine');
    expect(readdirSync(home).filter((name) => name.endsWith('.part'))).toEqual([]);
  });

  it.skipIf(!existsSync('/dev/full')).each<[string, number, RegExp]>([
    [
      '-o table',
      1,
      /The charge (chg_\w+) was created\. Its result could not be written\.(?:.|\n)*Do not create it again: pixctl charge get \1 shows it\./,
    ],
    [
      '-o json --wait --timeout 1s --quiet',
      82,
      /^warning: Writing to stdout failed .*\n.*"(chg_\w+) is still PENDING after 1 s\.".*pixctl charge wait \1/,
    ],
  ])('names the charge that could not be written to a full disk, with %s: %i', async (flags, exit, said) => {
    const args = ['charge', 'create', '-a', '1050', ...flags.split(' ')];
    const full = openSync('/dev/full', 'w');
    const child = spawn(process.execPath, [programPath(), ...args], {
      env: cleanEnvironment(emptyHome(), env()),
      stdio: ['ignore', full, 'pipe'],
    });
    let err = '';
    child.stderr?.on('data', (chunk) => {
      err += chunk;
    });
    const code = await new Promise((resolve) => child.once('close', resolve));
    closeSync(full);
    expect(code).toBe(exit);
    expect(err).toMatch(said);
  });

  it('ends with 88 for a customer that does not exist', async () => {
    const refused = await pixctl('charge', 'create', '--amount', '100', '--customer', 'cust_none');
    expect(refused.code).toBe(88);
    expect(refused.stderr).not.toContain('To look for it');
  });
});

describe('charge create --idempotency-key', () => {
  it.skipIf(noShell !== null).each([
    ['made', []],
    ['written', ['--idempotency-key', 'earlier']],
  ])('says that nothing was sent if the ledger cannot be %s', async (_what, earlier) => {
    const own = emptyHome();
    const create = ['charge', 'create', '--amount', '100'];
    if (earlier.length > 0) await run([...create, ...earlier], { home: own, env: env() });
    const before = posts();
    const { status, stderr } = await onFullDisk(own, [...create, '--idempotency-key', 'k']);
    expect(status).toBe(74);
    expect(stderr).toContain('nothing was sent in this run.');
    expect(posts()).toBe(before);
  });

  const home = emptyHome();
  const keyed = (...flags: string[]) =>
    run(['charge', 'create', '-o', 'json', '--idempotency-key', 'order 42', ...flags], { home, env: env() });

  it('creates one charge, however often it runs, and 85 for another one', async () => {
    const before = posts();
    const first = await keyed('--amount', '1050');
    const second = await keyed('--amount', '10,50');
    expect(first.code).toBe(0);
    expect(second).toMatchObject({ code: 0, stdout: first.stdout });
    expect(second.stderr).toContain('Nothing was sent');
    expect((await keyed('--amount', '1051')).code).toBe(85);
    expect(posts()).toBe(before + 1);
  });

  it('says with --dry-run what the ledger makes of the key, as a real run would', async () => {
    const own = emptyHome();
    const once = (...flags: string[]) =>
      run(['charge', 'create', '--idempotency-key', 'k', ...flags], { home: own, env: env() });
    expect(await once('--amount', '1050', '--dry-run')).toMatchObject({
      code: 0,
      stderr: expect.stringContaining('would send this'),
    });
    expect((await once('--amount', '1050')).code).toBe(0);
    const before = posts();
    expect(await once('--amount', '1050', '--dry-run')).toMatchObject({
      code: 0,
      stderr: expect.stringMatching(/the key k already belongs to the charge chg_\w+: a run would show it/),
    });
    expect(await once('--amount', '2000', '--dry-run')).toMatchObject({ code: 85, stdout: '' });
    expect(posts()).toBe(before);
  });

  it('is created once by eight at a time', async () => {
    const shared = emptyHome();
    const before = posts();
    // The first run makes the ledger, so that eight do not meet over its creation.
    await run(['charge', 'create', '--amount', '100', '--idempotency-key', 'warm'], {
      home: shared,
      env: env(),
    });
    const args = ['charge', 'create', '--amount', '100', '--idempotency-key', 'k', '-o', 'json'];
    const all = await Promise.all(Array.from({ length: 8 }, () => run(args, { home: shared, env: env() })));
    expect(posts()).toBe(before + 2);
    expect(all.every(({ code }) => code === 0 || code === 75)).toBe(true);
    const ids = new Set(all.filter(({ code }) => code === 0).map(({ stdout }) => JSON.parse(stdout).id));
    expect(ids.size).toBe(1);
  });

  it('may be tried again after a refusal, and is not sent again after a lost answer', async () => {
    const own = emptyHome();
    const once = (...flags: string[]) =>
      run(['charge', 'create', '--amount', '1050', '--idempotency-key', 'lost', ...flags], {
        home: own,
        env: env(),
      });
    sandbox.setMerchant({ chargesEnabled: false });
    expect((await once()).code).toBe(80);
    sandbox.setMerchant({ chargesEnabled: true });
    sandbox.faults.preset('lost-response');
    const before = posts();
    const first = await once();
    expect(first.code).toBe(81);
    expect(first.stderr).toContain(
      `, and it is not known whether it exists: the answer of ${new URL(sandbox.url).host} was lost (the connection was reset). It will not be sent again.`,
    );
    const again = await once();
    expect(again.code).toBe(81);
    expect(again.stderr).toContain('pixctl charge resolve lost');
    expect((await once('--dry-run')).code).toBe(81);
    expect(posts()).toBe(before + 1);
  });
});

describe('charge get and qr', () => {
  it('print the charge, and piped, the code alone', async () => {
    const { id, brCode } = await created();
    expect(JSON.parse((await pixctl('charge', 'get', id, '-o', 'json')).stdout)).toMatchObject({
      id,
      brCode,
    });
    expect(await pixctl('charge', 'qr', id)).toEqual({
      code: 0,
      signal: null,
      stdout: `${brCode}\n`,
      stderr: '',
    });
  });

  it('refuse a picture without a name before they ask the service', async () => {
    const before = sandbox.requests().length;
    const { code, stderr } = await pixctl('charge', 'qr', 'chg_1', '--png', '');
    expect(code).toBe(64);
    expect(stderr).toContain('--png is empty');
    expect(sandbox.requests()).toHaveLength(before);
  });

  it('warn when nobody should pay any more', async () => {
    const { id } = await created();
    sandbox.pay(id);
    expect((await pixctl('charge', 'qr', id)).stderr).toContain('This charge is PAID: nobody should pay it');
  });

  it('end with 88 for a charge that does not exist', async () => {
    expect((await pixctl('charge', 'get', 'chg_none')).code).toBe(88);
    expect((await pixctl('customer', 'get', 'cust_none')).code).toBe(88);
  });
});

describe('charge wait', () => {
  it.each([
    { does: 'pay', status: 'PAID', exit: 0 },
    { does: 'expire', status: 'EXPIRED', exit: 83 },
  ] as const)('ends with $exit when it becomes $status meanwhile', async ({ does, status, exit }) => {
    const { id } = await created();
    const child = start(['charge', 'wait', id, '-o', 'json', '--timeout', '30s'], { env: env() });
    let out = '';
    child.stdout.on('data', (chunk) => {
      out += chunk;
    });
    await new Promise<void>((resolve) => child.stderr.once('data', () => resolve()));
    sandbox[does](id);
    const code = await new Promise((resolve) => child.once('close', resolve));
    expect({ code, status: JSON.parse(out).status }).toEqual({ code: exit, status });
  });

  it('says what to do about one that is expired', async () => {
    const { id } = await created();
    sandbox.expire(id);
    const { code, stderr } = await pixctl('charge', 'wait', id);
    expect(code).toBe(83);
    expect(stderr).toContain(
      'is EXPIRED, not PAID.\n  To be paid after all, create another charge: pixctl charge create',
    );
  });

  it('ends with 82 when the time runs out, and shows the charge as it is', async () => {
    const { id } = await created();
    const { code, stdout, stderr } = await pixctl('charge', 'wait', id, '--timeout', '3s', '-o', 'json');
    expect(code).toBe(82);
    expect(JSON.parse(stdout)).toMatchObject({ id, status: 'PENDING' });
    expect(stderr).toContain(`pixctl charge wait ${id}`);
  });

  it.skipIf(noSignals !== null)(
    skipped('ends with 143 on SIGTERM, and has shown the charge', noSignals),
    async () => {
      const { id } = await created();
      const child = start(['charge', 'wait', id, '-o', 'json'], { env: env() });
      let out = '';
      child.stdout.on('data', (chunk) => {
        out += chunk;
      });
      await new Promise<void>((resolve) => child.stderr.once('data', () => resolve()));
      child.kill('SIGTERM');
      const code = await new Promise((resolve) => child.once('close', resolve));
      expect({ code, id: JSON.parse(out).id }).toEqual({ code: 143, id });
    },
  );

  it('follows a create after showing its code, and prints the charge once, as it ended', async () => {
    const child = start(['charge', 'create', '--amount', '777', '--wait', '-o', 'json'], { env: env() });
    let out = '';
    let err = '';
    child.stdout.on('data', (chunk) => {
      out += chunk;
    });
    const id = await new Promise<string>((resolve) =>
      child.stderr.on('data', (chunk) => {
        err += chunk;
        const match = /Created (chg_\w+)\. PIX copy and paste:\n.+\n/.exec(err);
        if (match?.[1] !== undefined) resolve(match[1]);
      }),
    );
    expect(err).toContain(`\n${sandbox.pay(id).brCode}\n`);
    const code = await new Promise((resolve) => child.once('close', resolve));
    expect({ code, charge: JSON.parse(out) }).toMatchObject({ code: 0, charge: { id, status: 'PAID' } });
  });
});

it.skipIf(noSignals !== null)(
  skipped(
    'a create that is interrupted while it waits says that it stopped waiting, not that it waits',
    noSignals,
  ),
  async () => {
    const child = start(['charge', 'create', '--amount', '777', '--wait'], { env: env() });
    let err = '';
    await new Promise<void>((resolve) =>
      child.stderr.on('data', (chunk) => {
        err += chunk;
        if (err.includes('Waiting for chg_')) resolve();
      }),
    );
    child.stdout.resume();
    child.kill('SIGINT');
    const code = await new Promise((resolve) => child.once('close', resolve));
    expect(code).toBe(130);
    expect(err).toMatch(/Stopped waiting; chg_\w+ was PENDING\./);
    expect(err).not.toContain('waiting for the answer');
  },
);

it('a charge that its key already has is not said to be created', async () => {
  const home = emptyHome();
  const create = ['charge', 'create', '--amount', '777', '--idempotency-key', 'order-7', '-o', 'json'];
  const first = await run(create, { home, env: env() });
  const { id } = JSON.parse(first.stdout);
  sandbox.pay(id);
  const paid = await run([...create, '--wait'], { home, env: env() });
  expect({ code: paid.code, id: JSON.parse(paid.stdout).id }).toEqual({ code: 0, id });
  expect(paid.stderr).toContain(`It is ${id}.`);
  expect(paid.stderr).not.toMatch(/Created|copy and paste/);
});

describe('charge refund', () => {
  it('refunds a paid charge, and a second run finds it refunded', async () => {
    const { id } = await created();
    sandbox.pay(id);
    const first = await pixctl('charge', 'refund', id, '-o', 'json');
    expect({ code: first.code, status: JSON.parse(first.stdout).status }).toEqual({
      code: 0,
      status: 'REFUNDED',
    });
    expect(first.stderr).toContain('Full refund of R$ 10,50');
    const before = posts();
    const second = await pixctl('charge', 'refund', id);
    expect(second.code).toBe(0);
    expect(second.stderr).toContain('already refunded. Nothing was sent');
    expect(posts()).toBe(before);
  });

  it('needs --yes with --no-input, which somebody typed', async () => {
    const { id } = await created();
    sandbox.pay(id);
    const before = posts();
    expect(await pixctl('charge', 'refund', id, '--no-input')).toMatchObject({ code: 64, stdout: '' });
    expect(posts()).toBe(before);
    expect((await pixctl('charge', 'refund', id, '--no-input', '--yes')).code).toBe(0);
  });

  it('sends nothing with --dry-run', async () => {
    const { id } = await created();
    sandbox.pay(id);
    const before = posts();
    expect((await pixctl('charge', 'refund', id, '--dry-run')).code).toBe(0);
    expect(posts()).toBe(before);
  });

  it('ends with 80 for what was not paid, and with 81 and what to do when the answer is lost', async () => {
    const { id } = await created();
    const unpaid = await pixctl('charge', 'refund', id);
    expect(unpaid.code).toBe(80);
    expect(unpaid.stderr).toContain(`Nothing moved.\n  Once it is paid: pixctl charge wait ${id}\n`);
    sandbox.pay(id);
    sandbox.faults.preset('lost-response');
    const lost = await pixctl('charge', 'refund', id);
    expect(lost.code).toBe(81);
    expect(lost.stderr).toContain(`pixctl charge get ${id}`);
    expect((await pixctl('charge', 'refund', id)).code).toBe(0);
  });
});
