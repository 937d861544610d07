/** A merchant's day in which every command of docs/json.md has something to show. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Sandbox, startSandbox } from '../../src/sandbox/index.ts';
import { startApplication } from './application.ts';
import { type Names, wordsOf } from './json-page.ts';
import { cleanEnvironment, emptyHome, node, programPath, run } from './run.ts';

export interface Scenario {
  /** Ids of the page, and what they are here. */
  readonly names: Names;
  /** Runs a line of the page with `-o json`, its ids and its port replaced. Returns what it printed, parsed. */
  print(line: string): Promise<unknown>;
  [Symbol.asyncDispose](): Promise<void>;
}

/** How a line ends, where that is not with 0. */
const ends: Record<string, number> = {
  // Of an order that the service does not know.
  'pixctl reconcile --orders orders.csv --all': 83,
  // Of a withdrawal that was made without pixctl.
  'pixctl withdrawal audit': 86,
  // The application accepts everything.
  'pixctl webhook test 3000': 83,
};

export async function openScenario(): Promise<Scenario> {
  const sandbox = await startSandbox({ merchant: { available: 100_000 }, withdrawals: 'immediate' });
  const application = await startApplication();
  const home = emptyHome();
  await run(['login', '--profile', 'shop', '--base-url', sandbox.url, '--key-stdin'], {
    home,
    input: sandbox.apiKey,
  });
  const ana = { name: 'Ana', email: 'ana@example.com', taxId: '52998224725', phone: '+5511987654321' };
  const names: Names = new Map([
    ['cust_1', sandbox.addCustomer(ana).id],
    ['svc_sandbox_1', sandbox.addKey()],
  ]);
  const prepare: Record<string, () => unknown> = {
    'pixctl reconcile --orders orders.csv --all': () => {
      sandbox.pay(String(names.get('chg_1')));
      const orders = `order_id,amount,charge_id\n42,1050,${names.get('chg_1')}\n43,700,chg_0\n`;
      writeFileSync(join(home, 'orders.csv'), orders);
    },
    'pixctl withdrawal audit': () =>
      send(sandbox, '/withdrawals', { amount: 700, pixKey: 'joao@example.com', pixKeyType: 'EMAIL' }),
    'pixctl webhook deliveries wh_1': () => payOne(sandbox),
  };
  const code = await send(sandbox, '/transparents/create', { method: 'PIX', amount: 1050 });
  writeFileSync(join(home, 'code.txt'), String(code.brCode));
  writeFileSync(
    join(home, 'march.csv'),
    'idempotency_key,amount,pix_key,pix_key_type\nsalary-1,"35,00",ana@example.com,EMAIL\n',
  );
  writeFileSync(join(home, 'secret.txt'), 'whsec_test_0123456789abcdef', { mode: 0o600 });
  writeFileSync(join(home, 'body.json'), '{"id":"evt_0001"}');

  const print = async (line: string): Promise<unknown> => {
    await prepare[line]?.();
    const args = wordsOf(line)
      .slice(1)
      .map((word) => names.get(word) ?? word.replace('3000', String(application.port)));
    const child = spawn(node, [programPath(), ...args, '-o', 'json'], {
      cwd: home,
      // Elsewhere the profile says which service, as it does at a shell.
      env: cleanEnvironment(
        home,
        args[0] === 'sandbox' ? { PIXCTL_BASE_URL: sandbox.url, PIXCTL_API_KEY: sandbox.apiKey } : {},
      ),
    });
    child.stdin.end();
    let stdout = '';
    let stderr = '';
    let isListening = false;
    child.stderr.on('data', (chunk) => (stderr += String(chunk)));
    child.stdout.on('data', (chunk) => {
      stdout += String(chunk);
      if (isListening || args[1] !== 'listen' || !stdout.includes('"ready"')) return;
      isListening = true;
      void payOne(sandbox);
    });
    const [exit] = await once(child, 'close');
    if (exit !== (ends[line] ?? 0)) throw new Error(`${line} ended with ${exit}: ${stderr}`);
    return JSON.parse(stdout);
  };
  return {
    names,
    print,
    async [Symbol.asyncDispose]() {
      await sandbox.close();
      await application.close();
    },
  };
}

async function send(sandbox: Sandbox, path: string, body: object): Promise<Record<string, unknown>> {
  const response = await fetch(sandbox.url + path, {
    method: 'POST',
    headers: { authorization: `Bearer ${sandbox.apiKey}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  return ((await response.json()) as { data: Record<string, unknown> }).data;
}

/** A charge is paid, and all deliveries of that have ended. */
async function payOne(sandbox: Sandbox): Promise<void> {
  const charge = await send(sandbox, '/transparents/create', { method: 'PIX', amount: 1050 });
  sandbox.pay(String(charge.id));
  await sandbox.clock.advance(0);
}
