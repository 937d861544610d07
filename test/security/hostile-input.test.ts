/** Hostile text by way of arguments, files and stdin: whatever a command says about it, nothing raw comes out. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Sandbox, startSandbox } from '../../src/sandbox/index.ts';
import { converse } from '../support/converse.ts';
import { hostileTexts, rawIn } from '../support/hostile-text.ts';
import { noPty, skipped } from '../support/platform.ts';
import { emptyHome, run } from '../support/run.ts';

/** All in one; an argument cannot hold a NUL, nor half a character. */
const evil = hostileTexts
  .map(([, text]) => text)
  .join('|')
  .replaceAll('\0', '')
  .replaceAll('\ud800', '');
/** Where a line break would end what is meant. */
const evilLine = evil.replace(/[\r\n\u2028\u2029\u0085]/g, '');

const home = emptyHome();
const file = (name: string, text: string): string => {
  const path = join(home, name);
  writeFileSync(path, text, { mode: 0o600 });
  return path;
};
const secret = file('secret', 'whsec_0123456789abcdef0123456789abcdef\n');
const body = JSON.stringify({ id: evil, event: evil, createdAt: evil, data: { [evil]: evil } });
const payload = file('payload', body);
const rows = (header: string, ...lines: string[]) => `${[header, ...lines].join('\n')}\n`;
const batchHead = 'idempotency_key,amount,pix_key,pix_key_type';

const commands: readonly (readonly string[])[] = [
  [evil],
  ['charge', evil],
  ['charge', 'create', `--${evil}`],
  ['charge', 'create', '--amount', evil],
  ['charge', 'create', '--amount', '1050', '--description', evil, '--no-qr'],
  ['charge', 'create', '--amount', '1050', '--customer', evil],
  ['charge', 'create', '--amount', '1050', '--idempotency-key', evil],
  ['charge', 'create', '--amount', '1050', '--expires-in', evil],
  ['charge', 'create', '--amount', '1050', '--description', evil.slice(0, 130), '--dry-run'],
  ['charge', 'create', '--amount', '1050', '--description', evil.slice(100, 230)],
  ['charge', 'create', '--amount', '1050', '--png', `/nowhere/${evil}`],
  ['charge', 'get', evil],
  ['charge', 'wait', evil, '--timeout', '1s'],
  ['charge', 'refund', evil, '--yes'],
  ['charge', 'list', '--status', evil],
  ['charge', 'list', '--since', evil],
  ['charge', 'list', '--after', evil],
  ['charge', 'list', '--fields', evil],
  ['charge', 'list', '--all', '--limit', evil],
  ['customer', 'get', evil],
  ['withdraw', '--amount', '100', '--to', evil, '--idempotency-key', 'k', '--yes'],
  ['withdraw', '--amount', '100', '--to', evil, '--type', evil, '--idempotency-key', 'k', '--yes'],
  ['withdraw', '--amount', '100', '--to', 'maria@example.com', '--idempotency-key', evil, '--yes'],
  [
    'withdraw',
    '--amount',
    '100',
    '--to',
    'maria@example.com',
    '--idempotency-key',
    'k',
    '--max-amount',
    evil,
  ],
  ['withdrawal', 'status', evil],
  ['withdrawal', 'get', evil],
  ['withdrawal', 'reconcile', evil],
  ['withdrawal', 'resolve', evil, '--withdrawal', evil, '--yes'],
  ['withdrawal', 'batch', file('head.csv', rows(evilLine, '1,2,3,4')), '--yes'],
  ['withdrawal', 'batch', file('rows.csv', rows(batchHead, `"${evil}",100,"${evil}","${evil}"`)), '--yes'],
  [
    'withdrawal',
    'batch',
    file('plan.csv', rows(batchHead, `"${evilLine}",100,maria@example.com,EMAIL`)),
    '--dry-run',
  ],
  ['withdrawal', 'batch', join(home, evilLine), '--yes'],
  ['destination', 'add', evil, '--key', 'maria@example.com', '--yes'],
  ['destination', 'add', 'maria', '--key', evil, '--yes'],
  ['destination', 'remove', evil],
  ['policy', 'set', '--max-day', evil],
  [
    'reconcile',
    '--orders',
    file('orders.csv', rows('order_id,amount,charge_id', `"${evil}","${evil}","${evil}"`)),
  ],
  ['reconcile', '--orders', file('orders-head.csv', rows(evilLine, '1,2'))],
  [
    'reconcile',
    '--orders',
    file('orders-known.csv', rows('order_id,amount,charge_id', `"${evil}",1050,"${evil}"`)),
  ],
  ['brcode', 'decode', evil],
  ['brcode', 'verify', evil],
  ['brcode', 'verify', file('code.png', evil)],
  ['api', evil, '/x'],
  ['api', 'GET', evil],
  ['api', 'GET', `/customers/${encodeURIComponent(evil)}`, '--include'],
  ['api', 'GET', '/x', '-f', evil],
  ['api', 'POST', '/x', '-F', `a=@/nowhere/${evil}`, '--yes'],
  ['login', '--base-url', evil, '--key-stdin'],
  ['login', '--profile', evil, '--key-stdin'],
  ['logout', '--profile', evil],
  ['whoami', '--profile', evil],
  ['profile', 'use', evil],
  ['profile', 'remove', evil, '--yes'],
  ['config', 'get', evil],
  ['config', 'set', evil, evil],
  ['config', 'set', 'timeZone', evil],
  ['help', evil],
  ['completion', evil],
  ['doctor', '--profile', evil],
  ['charge', 'list', '-o', evil],
  ['charge', 'list', '--timeout', evil],
  ['charge', 'list', '--base-url', evil],
  ['webhook', 'add', '--url', evil, '--events', 'CHARGE_PAID'],
  ['webhook', 'add', '--url', 'https://example.com', '--events', evil],
  ['webhook', 'deliveries', evil],
  ['webhook', 'listen', '--forward-to', evil],
  ['webhook', 'listen', '--port', evil],
  ['webhook', 'inbox', '--since', evil],
  ['webhook', 'show', evil],
  ['webhook', 'replay', evil],
  ['webhook', 'trigger', evil, '-f', '1', '--secret-file', secret],
  ['webhook', 'trigger', 'CHARGE_PAID', '--set', evil, '-f', '1', '--secret-file', secret],
  ['webhook', 'sign', '--secret-file', secret, '--payload-file', payload],
  ['webhook', 'verify', '--secret-file', secret, '--payload-file', payload, '--signature', evil],
  ['webhook', 'test', evil, '--secret-file', secret],
  ['sandbox', 'pay', evil],
  ['sandbox', 'customer', 'add', '--name', evilLine, '--email', evilLine, '--tax-id', evilLine],
  ['sandbox', 'customer', 'remove', evil],
  ['sandbox', 'withdrawal', 'fail', evil, '--reason', evil],
  ['sandbox', 'merchant', 'set', '--fee', evil],
  ['sandbox', 'key', 'revoke', evil],
  ['sandbox', 'clock', 'advance', evil],
  ['sandbox', 'fault', 'add', evil],
  ['sandbox', 'start', '--assume', evil],
  ['sandbox', 'start', '--state', `/nowhere/${evil}`],
  ['sandbox', 'start', '--port', evil],
];

let sandbox: Sandbox;
let env: Record<string, string>;
beforeAll(async () => {
  sandbox = await startSandbox({ withdrawals: 'immediate', merchant: { available: 1_000_000 } });
  env = { PIXCTL_BASE_URL: sandbox.url, PIXCTL_API_KEY: sandbox.apiKey };
});
afterAll(() => sandbox.close());

/** What a terminal is sent: newlines come as CR LF there. */
async function onTerminal(args: readonly string[]): Promise<string> {
  const { written } = await converse([...args, '--no-input'], [], { home, env, columns: 100 });
  return written.replaceAll('\r\n', '\n');
}

const titled = commands.map(
  (words) =>
    [
      words.map((word) => (word === evil ? '<evil>' : word.length > 60 ? '<...>' : word)).join(' '),
      words,
    ] as const,
);

describe.skipIf(noPty !== null)(skipped('hostile input', noPty), () => {
  it.each(titled)('%s', async (_title, words) => {
    const [plain, json, screen] = await Promise.all([
      run([...words, '--no-input'], { home, env, input: evil }),
      run([...words, '--no-input', '--json', '--debug'], { home, env, input: evil }),
      onTerminal(words),
    ]);
    expect({
      plain: rawIn(plain.stdout + plain.stderr),
      json: rawIn(json.stdout + json.stderr),
      screen: rawIn(screen),
    }).toEqual({ plain: [], json: [], screen: [] });
    expect(plain.code).not.toBe(1);
    expect(plain.stderr + json.stderr).not.toMatch(/\n {4}at |\[object Object\]/);
  });
});
