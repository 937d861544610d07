/** A whole session with --debug: where the secrets are afterwards, in all that was printed and written. */
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Sandbox, startSandbox } from '../../src/sandbox/index.ts';
import { listen } from '../support/listen.ts';
import { noModes } from '../support/platform.ts';
import { startReceiver } from '../support/receiver.ts';
import { emptyHome, type Finished, run } from '../support/run.ts';

const webhookSecret = 'whsec_canary00112233445566778899aabbccddeeff';
const home = emptyHome();
const printed: string[] = [];
let sandbox: Sandbox;

const pixctl = async (args: readonly string[], input = ''): Promise<Finished> => {
  const done = await run([...args, '--debug'], { home, input });
  printed.push(`$ pixctl ${args.join(' ')}\n${done.stdout}${done.stderr}`);
  return done;
};

/** Every file below the home, by its path, as bytes read one to one. */
const written = (): Map<string, string> =>
  new Map(
    readdirSync(home, { recursive: true, encoding: 'utf8' })
      .filter((name) => statSync(join(home, name)).isFile())
      .map((name) => [name, readFileSync(join(home, name), 'latin1')]),
  );
const filesWith = (secret: string): string[] =>
  [...written()].filter(([, text]) => text.includes(secret)).map(([name]) => name);

beforeAll(async () => {
  sandbox = await startSandbox({ withdrawals: 'immediate', merchant: { available: 1_000_000 } });
  writeFileSync(join(home, 'whsec'), webhookSecret, { mode: 0o600 });
  writeFileSync(
    join(home, 'pay.csv'),
    'idempotency_key,amount,pix_key,pix_key_type\nb-1,200,maria@example.com,EMAIL\n',
  );
});
afterAll(() => sandbox.close());

describe('a whole session with --debug', { shuffle: false }, () => {
  it('prints no secret', { timeout: 90_000 }, async () => {
    const app = await startReceiver();
    const key = sandbox.apiKey;
    const login = await pixctl(
      ['login', '--base-url', sandbox.url, '--key-stdin', '--merchant', 'loja'],
      key,
    );
    expect(login).toMatchObject({ code: 0 });
    const created = await pixctl(['charge', 'create', '--amount', '1050', '--json']);
    const { id } = JSON.parse(created.stdout) as { id: string };
    sandbox.pay(id);
    for (const args of [
      ['whoami'],
      ['profile', 'list', '--json'],
      ['config', 'list', '--json'],
      ['charge', 'wait', id],
      ['charge', 'list', '--all', '-o', 'csv'],
      ['charge', 'refund', id, '--yes'],
      ['withdraw', '--amount', '100', '--to', 'maria@example.com', '--idempotency-key', 'k-1', '--yes'],
      ['withdrawal', 'batch', join(home, 'pay.csv'), '--yes'],
      ['withdrawal', 'list', '-o', 'ndjson'],
      ['api', 'GET', '/withdrawals', '--include'],
      ['api', 'GET', '/nowhere', '--include'],
      ['doctor', '--json'],
      ['webhook', 'sign', '--secret-file', join(home, 'whsec'), '--payload-file', '-'],
      ['webhook', 'trigger', 'CHARGE_PAID', '-f', app.url, '--secret-file', join(home, 'whsec')],
      ['webhook', 'test', app.url, '--secret-file', join(home, 'whsec')],
      ['withdraw', '--amount', '1', '--to', 'x', '--idempotency-key', 'k-2', '--yes'],
    ])
      await pixctl(args, '{}');
    const listener = await listen(home, ['--port', '0', '--secret-file', join(home, 'whsec'), '--debug']);
    await pixctl([
      'webhook',
      'trigger',
      'CHARGE_PAID',
      '-f',
      listener.url,
      '--secret-file',
      join(home, 'whsec'),
    ]);
    await listener.line(({ type }) => type === 'event');
    await listener.stop();
    printed.push(listener.lines.map((line) => JSON.stringify(line)).join('\n'), listener.stderr());
    await pixctl(['webhook', 'inbox', '--json']);
    await app.close();
    const all = printed.join('\n');
    // What is searched has something in it: the trace is there, and the deliveries too.
    expect(all).toContain('authorization: Bearer [redacted]');
    expect(all).toContain('CHARGE_PAID');
    expect(all.includes(key), lineWith(all, key)).toBe(false);
    expect(all.includes(webhookSecret), lineWith(all, webhookSecret)).toBe(false);
  });

  it('keeps them where they belong, readable to their owner only', () => {
    expect(filesWith(sandbox.apiKey)).toEqual([join('.config', 'pixctl', 'secrets.json')]);
    expect(filesWith(webhookSecret)).toEqual(['whsec']);
    const open = readdirSync(home, { recursive: true, encoding: 'utf8' })
      .filter(
        (name) =>
          noModes === null && name.includes('pixctl') && (statSync(join(home, name)).mode & 0o077) !== 0,
      )
      .filter((name) => !name.startsWith('.cache'));
    expect(open).toEqual([]);
  });

  it('forgets them at logout', async () => {
    expect(await pixctl(['logout', '--yes'])).toMatchObject({ code: 0 });
    expect(filesWith(sandbox.apiKey)).toEqual([]);
  });
});

const lineWith = (text: string, secret: string): string =>
  text
    .split('\n')
    .find((line) => line.includes(secret))
    ?.replaceAll(secret, '<SECRET>') ?? '';
