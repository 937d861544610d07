/** What --dry-run promises in the help of each command, held against what reaches the service and the application. */
import { writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import type { Sandbox } from '../../src/sandbox/index.ts';
import { listenOnLoopback } from '../support/listen-on-loopback.ts';
import { openHurriedBench as openBench } from '../support/withdrawal-bench.ts';

const sendsNothing = 'Takes --dry-run: shows what would be done, and sends nothing.';
const onlyReads = 'Takes --dry-run: shows what would be done, and only reads from the service.';

it.each([
  ['charge create', ['--amount', '1050'], sendsNothing],
  ['charge refund', ['CHARGE', '--yes'], onlyReads],
  ['withdraw', ['--amount', '1050', '--to', 'maria@example.com'], onlyReads],
  ['withdrawal batch', ['BATCH', '--yes'], sendsNothing],
  ['webhook add', ['--url', 'https://shop.example/hooks', '--events', 'CHARGE_PAID'], sendsNothing],
  ['webhook trigger', ['CHARGE_PAID', '-f', 'APPLICATION', '--secret-file', 'SECRET'], sendsNothing],
  ['webhook test', ['APPLICATION', '--secret-file', 'SECRET'], sendsNothing],
  ['webhook inbox prune', ['--older-than', '30d'], sendsNothing],
  ['login', ['--profile', 'acme', '--base-url', 'SERVICE', '--key-file', 'KEY'], onlyReads],
  ['api', ['POST', '/transparents/create', '-F', 'amount=1050'], sendsNothing],
  ['completion', ['install', 'bash'], sendsNothing],
])('%s --dry-run does what its help says', async (command, flags, promised) => {
  await using bench = await openBench();
  let delivered = 0;
  const application = createServer((_, response) => {
    delivered += 1;
    response.end();
  });
  const port = await listenOnLoopback(application);
  const place = (name: string, text: string) => {
    writeFileSync(join(bench.home, name), text, { mode: 0o600 });
    return join(bench.home, name);
  };
  const things: Record<string, string> = {
    CHARGE: await paidCharge(bench.sandbox),
    SERVICE: bench.proxy.url,
    BATCH: place(
      'march.csv',
      'idempotency_key,amount,pix_key,pix_key_type\nk-1,1050,maria@example.com,EMAIL\n',
    ),
    APPLICATION: String(port),
    SECRET: place('secret', 'whsec_test_0123456789abcdef'),
    KEY: place('key', bench.sandbox.apiKey),
  };
  const words = command.split(' ');
  const { stdout: help } = await bench.run([...words, '--help']);
  expect(help.replaceAll(/\n(?!\n)/g, ' ')).toContain(promised);
  const run = await bench.run([...words, ...flags.map((flag) => things[flag] ?? flag), '--dry-run']);
  application.close();
  expect(run.code, run.stderr).toBe(0);
  const methods = new Set(bench.proxy.seen.map(({ method }) => method));
  expect([...methods]).toEqual(promised === onlyReads ? ['GET'] : []);
  expect(delivered).toBe(0);
});

async function paidCharge({ url, apiKey, pay }: Sandbox): Promise<string> {
  const response = await fetch(`${url}/transparents/create`, {
    method: 'POST',
    headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' },
    body: '{"method":"PIX","amount":1050}',
  });
  const { data } = (await response.json()) as { data: { id: string } };
  pay(data.id);
  return data.id;
}
