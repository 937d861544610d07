/**
 * Settings that cannot be read, as in a container where HOME is another user's: address and key in the environment are
 * enough.
 */
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Sandbox, startSandbox } from '../../src/sandbox/index.ts';
import { emptyHome, run } from '../support/run.ts';

let sandbox: Sandbox;
let charge = '';
let toPay = '';
const home = emptyHome();
/** Root may read whatever there is, but no path with a name as long as this. */
const unreadable = join(home, 'x'.repeat(300), 'pixctl');
const ledger = { PIXCTL_LEDGER_URL: join(home, 'ledger.sqlite') };

const pixctl = (args: readonly string[], env: Record<string, string> = {}) =>
  run([...args], {
    home,
    env: {
      PIXCTL_CONFIG_DIR: unreadable,
      PIXCTL_STATE_DIR: unreadable,
      PIXCTL_BASE_URL: sandbox.url,
      PIXCTL_API_KEY: sandbox.apiKey,
      ...env,
    },
  });

beforeAll(async () => {
  sandbox = await startSandbox();
  const made = async (): Promise<string> =>
    JSON.parse((await pixctl(['charge', 'create', '--amount', '1050', '--no-qr', '-o', 'json'])).stdout).id;
  charge = await made();
  toPay = await made();
});
afterAll(() => sandbox.close());

describe('without any settings', () => {
  it.each([
    ['charge get CHARGE', 0],
    ['charge list --all', 0],
    ['charge wait CHARGE --timeout 1s', 82],
    ['customer get cust_1', 88],
    ['withdrawal list', 0],
    ['withdrawal get wd_1', 88],
    ['webhook deliveries wh_1', 88],
    ['webhook trigger CHARGE_PAID -f 1', 75],
    ['api GET /transparents/list', 0],
    ['whoami', 0],
    ['sandbox events', 0],
    ['sandbox pay UNPAID', 0],
    ['help charge', 0],
    ['completion bash', 0],
  ])('%s works: it keeps nothing (%i)', async (line, code) => {
    const args = line
      .replace('CHARGE ', `${charge} `)
      .replace('UNPAID', toPay)
      .replace(/CHARGE$/, charge)
      .split(' ');
    const result = await pixctl(args, { PIXCTL_WEBHOOK_SECRET: 'whsec_test' });
    expect([result.code, result.stderr]).toEqual([code, expect.not.stringContaining('cannot be read')]);
  });

  // On Windows what has such a name is not there, and nothing is hidden by it.
  it.skipIf(process.platform === 'win32').each([
    ['withdraw --amount 1000 --to a@b.example --type EMAIL --idempotency-key k --yes', {}],
    ['withdraw --amount 1000 --to a@b.example --type EMAIL --idempotency-key k --yes', ledger],
    ['charge create --amount 1050 --no-qr --idempotency-key k', {}],
    ['charge create --amount 1050 --no-qr --idempotency-key k', ledger],
    ['charge create --amount 1050 --no-qr --idempotency-key k', { ...ledger, PIXCTL_LEDGER_ID: 'led_1' }],
    ['withdrawal status k', ledger],
    ['webhook add --url https://shop.example/hook --events CHARGE_PAID', {}],
    ['policy show', {}],
    ['charge get chg_1', { PIXCTL_API_KEY: '' }],
    ['charge get chg_1 --profile acme', {}],
  ])('%s is refused: what it needs is kept there', async (line, env) => {
    const before = sandbox.requests().length;
    const { code, stderr } = await pixctl(line.split(' '), env);
    // Under its key an earlier run may have sent something.
    const when = / k( |$)/.test(line) ? ' in this run' : '';
    expect(stderr).toContain(`${unreadable} cannot be read (ENAMETOOLONG). Nothing was sent${when}.`);
    expect(code).toBe(78);
    expect(sandbox.requests()).toHaveLength(before);
  });
});
