/** One whole way through the program, with the Node of PIXCTL_TEST_NODE where `npm run test:nodes` names one. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { sandboxProcess } from '../sandbox/support/sandbox-process.ts';
import { type Listening, listen } from '../support/listen.ts';
import { endedBy } from '../support/platform.ts';
import { emptyHome, run } from '../support/run.ts';
import { type SandboxRun, sandboxRun } from '../support/sandbox.ts';

const home = emptyHome();
let sandbox: SandboxRun;
let listener: Listening | undefined;

beforeAll(async () => {
  sandbox = await sandboxRun(home, '--port', '0', '--withdrawals', 'immediate');
});
afterAll(async () => {
  await listener?.stop();
  await sandbox.stop();
});

/** Runs to exit code 0 and silence but for the notes of pixctl: no warning of Node, no stack. */
const pixctl = async (...args: string[]): Promise<string> => {
  const { code, stdout, stderr } = await run(args, { home });
  expect({ args, code, stderr }).toMatchObject({ code: 0 });
  expect(stderr + sandbox.said()).not.toMatch(/\(node:\d+\)|Warning|\n {4}at /);
  return stdout;
};

it('shows the demo', async () => {
  expect(await pixctl('demo')).toContain('PENDING -> PAID');
});

it('creates a charge, sees it paid, receives, keeps and replays its event', async () => {
  listener = await listen(home, ['--port', '0']);
  const { id } = JSON.parse(await pixctl('charge', 'create', '--amount', '10,50', '--no-qr', '--json'));
  const png = join(home, 'code.png');
  await pixctl('charge', 'qr', id, '--png', png);
  expect(JSON.parse(await pixctl('brcode', 'decode', png, '--json'))).toContainEqual(
    expect.objectContaining({ field: '54', value: '10.50' }),
  );
  await pixctl('sandbox', 'pay', id);
  const { stdout } = await run(['charge', 'wait', id, '--timeout', '10s', '--json'], { home });
  expect(JSON.parse(stdout)).toMatchObject({ status: 'PAID' });
  const received = await listener.line(({ type }) => type === 'event');
  expect(received).toMatchObject({ event: 'CHARGE_PAID' });
  expect(await listener.stop()).toBe(endedBy(130));
  listener = undefined;
  const kept = JSON.parse(await pixctl('webhook', 'inbox', '--json')) as { event: string }[];
  expect(kept.map(({ event }) => event)).toEqual(['CHARGE_PAID']);
  expect(await pixctl('charge', 'list', '-o', 'csv', '--csv-locale', 'pt-BR', '--all')).toContain('10,50');
});

it('withdraws once for one key, alone and in a batch', async () => {
  const words = ['withdraw', '--amount', '1,00', '--to', 'maria@example.com', '--idempotency-key', 'k-1'];
  const first = JSON.parse(await pixctl(...words, '--yes', '--json'));
  const again = JSON.parse(await pixctl(...words, '--yes', '--json'));
  expect(again.withdrawal.id).toBe(first.withdrawal.id);
  const file = join(home, 'pay.csv');
  writeFileSync(
    file,
    'idempotency_key,amount,pix_key,pix_key_type\nb-1,200,maria@example.com,EMAIL\nb-2,300,ana@example.com,EMAIL\n',
  );
  await pixctl('withdrawal', 'batch', file, '--yes');
  const listed = JSON.parse(await pixctl('withdrawal', 'list', '--json')) as { amount: number }[];
  expect(listed.map(({ amount }) => amount).sort()).toEqual([100, 200, 300]);
});

it('is a module too, whose sandbox serves without a word of Node', async () => {
  const module = await sandboxProcess(join(home, 'shop.db'));
  expect(await module.call('GET', '/transparents/list')).toMatchObject({ status: 200 });
  await module.kill();
});

it('reads the clock, the machine and the completion', async () => {
  await pixctl('sandbox', 'clock', 'advance', '1h');
  expect((await run(['doctor', '--json'], { home })).stdout).toContain('"node"');
  expect(await pixctl('completion', 'bash')).toContain('pixctl');
});
