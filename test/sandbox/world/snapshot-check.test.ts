/**
 * What `restore` takes for a snapshot: a file that this program wrote, whole, and nothing that came to be otherwise.
 */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startReceiver } from '../../support/receiver.ts';
import { type Served, serve, startServed } from '../support/over-http.ts';

const folder = mkdtempSync(join(tmpdir(), 'pixctl-changed-'));
afterAll(() => rmSync(folder, { recursive: true }));

let good: Uint8Array;
beforeAll(async () => {
  await using hook = await startReceiver(500);
  const sandbox = await startServed({ merchant: { available: 100_000 }, withdrawals: 'manual' });
  const { id } = await sandbox.charge();
  await sandbox.post('/webhooks', { url: hook.url, events: ['CHARGE_PAID'] });
  sandbox.seed({ charges: 3, customers: 2 });
  sandbox.pay(id);
  await sandbox.post('/withdrawals', { amount: 500, pixKey: 'a@example.com', pixKeyType: 'EMAIL' });
  await sandbox.clock.advance(0);
  good = sandbox.snapshot();
  await sandbox.close();
});

/** The good one with SQL run over it, as somebody would who edits a snapshot by hand. */
function changed(sql: string): Uint8Array {
  const file = join(folder, 'snapshot.db');
  writeFileSync(file, good);
  const database = new DatabaseSync(file);
  database.exec(`PRAGMA foreign_keys = OFF; PRAGMA ignore_check_constraints = ON; ${sql}`);
  database.close();
  return readFileSync(file);
}

/** What a call of each kind sees, and what is still to come. */
async function everything(sandbox: Served): Promise<unknown> {
  const read = async (path: string) => (await sandbox.control('GET', path)).body;
  return {
    charges: (await sandbox.get('/transparents/list')).body,
    withdrawals: (await sandbox.get('/withdrawals')).body,
    events: await read('/events'),
    deliveries: await read('/deliveries'),
    merchants: await read('/merchants'),
    entries: await read('/merchants/default/entries'),
  };
}

describe('restore', () => {
  it.each([
    ['a job whose payload is no JSON', `UPDATE jobs SET payload = 'not json'`],
    ['a job that is due at a text', `UPDATE jobs SET due_at = 'soon'`],
    ['a job that is due after all time', 'UPDATE jobs SET due_at = 9e300'],
    ['an event whose data is cut off', `UPDATE events SET data = '{'`],
    ['an event whose data is a list', `UPDATE events SET data = '[]'`],
    ['an event whose data is null', `UPDATE events SET data = 'null'`],
    ['an endpoint whose events are no list', `UPDATE endpoints SET events = '{}'`],
    ['an attempt whose request is no JSON', `UPDATE attempts SET request = 'x'`],
    ['an attempt whose outcome is no JSON', `UPDATE attempts SET outcome = 'x'`],
    ['an attempt whose answer is no JSON', `UPDATE attempts SET response = 'x'`],
    ['an amount that is a text', `UPDATE charges SET amount = 'abc'`],
    ['an amount with a fraction', 'UPDATE charges SET amount = 1.5'],
    ['an amount that is no safe integer', 'UPDATE charges SET amount = 9007199254740993'],
    [
      'a row number after which there is hardly another',
      'UPDATE attempts SET seq = 9007199254740991 WHERE seq = (SELECT max(seq) FROM attempts)',
    ],
    ['a status that there is not', `UPDATE charges SET status = 'LOST'`],
    ['a name that is bytes', `UPDATE customers SET name = x'00ff'`],
    ['a time that is a text', `UPDATE charges SET created_at = 'yesterday'`],
    ['a time that no date can name', 'UPDATE charges SET expires_at = 9000000000000000'],
    ['a time before all time', 'UPDATE charges SET created_at = -9000000000000000'],
    ['charges of nobody', 'DELETE FROM merchants'],
    ['a table less', 'DROP TABLE attempts'],
    ['a column more', 'ALTER TABLE charges ADD COLUMN more TEXT'],
    ['a column of another name', 'ALTER TABLE charges RENAME COLUMN txid TO other'],
    ['a view in the place of a table', 'DROP TABLE attempts; CREATE VIEW attempts AS SELECT 1 AS seq'],
    ['no table for what is kept beside', 'DROP TABLE meta'],
    ['a clock that is no JSON', `UPDATE meta SET value = 'x' WHERE key = 'clock'`],
    ['a clock that is null', `UPDATE meta SET value = 'null' WHERE key = 'clock'`],
    ['a clock at a text', `UPDATE meta SET value = '{"latest":"noon"}' WHERE key = 'clock'`],
    ['a clock after all time', `UPDATE meta SET value = '{"latest":9e15}' WHERE key = 'clock'`],
    ['a clock at infinity', `UPDATE meta SET value = '{"latest":1e999}' WHERE key = 'clock'`],
    ['a clock before all time', `UPDATE meta SET value = '{"latest":-1}' WHERE key = 'clock'`],
    ['the mark of another program', 'PRAGMA application_id = 5'],
    [
      'two withdrawals in flight',
      `DROP INDEX one_withdrawal_in_flight; INSERT INTO withdrawals
        (id, merchant_id, amount, fee, pix_key, pix_key_type, status, created_at)
        SELECT 'wd_2', merchant_id, amount, fee, pix_key, pix_key_type, status, created_at FROM withdrawals`,
    ],
  ])('refuses %s, and leaves everything as it is', async (_, sql) => {
    const sandbox = await serve();
    sandbox.clock.freeze();
    await sandbox.restore(good);
    const before = await everything(sandbox);
    const now = sandbox.clock.now();
    await expect(sandbox.restore(changed(sql))).rejects.toMatchObject({
      code: 'NOT_A_SNAPSHOT',
      message: expect.stringContaining('nothing was changed'),
    });
    expect(await everything(sandbox)).toEqual(before);
    expect(sandbox.clock.now()).toBe(now);
    await sandbox.clock.advance('1s');
  });

  it.each([
    [99, 'use a newer pixctl'],
    [1, 'older ones are not converted'],
  ])('says of one of version %i which versions there are', async (version, hint) => {
    const sandbox = await serve();
    await expect(sandbox.restore(changed(`PRAGMA user_version = ${version}`))).rejects.toMatchObject({
      code: 'SNAPSHOT_VERSION',
      message: `this is a snapshot of version ${version}; this pixctl reads version 2; nothing was changed`,
      hint: expect.stringContaining(hint),
    });
  });

  it.each([1, 100, 4096, 4097, 50_000])('refuses one that lacks %i bytes at its end', async (less) => {
    const sandbox = await serve();
    await expect(sandbox.restore(good.subarray(0, good.length - less))).rejects.toThrow('not a snapshot');
  });

  it('refuses one with a flipped bit in an index, which would be taken over unchanged', async () => {
    const file = join(folder, 'index.db');
    writeFileSync(file, good);
    const database = new DatabaseSync(file, { readOnly: true });
    const sql = `SELECT rootpage * page_size AS "end" FROM sqlite_schema, pragma_page_size WHERE name = 'jobs_by_due'`;
    const { end } = database.prepare(sql).get() as { end: number };
    database.close();
    const bytes = Buffer.from(good);
    bytes.writeUInt8(bytes.readUInt8(end - 1) ^ 1, end - 1);
    const sandbox = await serve();
    await expect(sandbox.restore(bytes)).rejects.toThrow('not a snapshot');
  });

  it('takes an event whose data is nested more deeply than SQLite reads', async () => {
    const sandbox = await serve();
    const depth = 1_500;
    const nested = JSON.parse(`{"a":${'['.repeat(depth)}${']'.repeat(depth)}}`);
    const { id } = sandbox.trigger('CHARGE_PAID', nested);
    await sandbox.restore(sandbox.snapshot());
    expect(sandbox.events().map((event) => event.id)).toEqual([id]);
  });
});
