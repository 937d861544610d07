/** A state that somebody has edited by hand: a start says where, and changes nothing. */
import { copyFileSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { beforeAll, describe, expect, it } from 'vitest';
import { startReceiver } from '../../support/receiver.ts';
import { emptyHome, run } from '../../support/run.ts';
import { serve, startServed } from '../support/over-http.ts';

const folder = emptyHome();
const good = join(folder, 'good.db');

beforeAll(async () => {
  await using hook = await startReceiver(500);
  const sandbox = await startServed({ state: good, merchant: { available: 100_000 }, withdrawals: 'timed' });
  const { id } = await sandbox.charge();
  await sandbox.post('/webhooks', { url: hook.url, events: ['CHARGE_PAID'] });
  sandbox.clock.freeze();
  await sandbox.post('/withdrawals', { amount: 500, pixKey: 'a@example.com', pixKeyType: 'EMAIL' });
  sandbox.pay(id);
  await sandbox.clock.advance(0);
  await sandbox.close();
});

/** The good one with SQL run over it. */
function changed(sql: string): string {
  const file = join(folder, 'changed.db');
  copyFileSync(good, file);
  const database = new DatabaseSync(file);
  database.exec(`PRAGMA foreign_keys = OFF; PRAGMA ignore_check_constraints = ON; ${sql}`);
  database.close();
  return file;
}

describe('a state file', () => {
  it.each([
    ['its table jobs', `UPDATE jobs SET payload = 'not json'`],
    ['its table jobs', `UPDATE jobs SET due_at = 'soon'`],
    ['its table jobs', 'UPDATE jobs SET due_at = 9223372036854775807'],
    ['its table jobs', 'ALTER TABLE jobs RENAME COLUMN payload TO other'],
    ['its table merchants', `UPDATE merchants SET created_at = 'once'`],
    ['its table api_keys', `UPDATE api_keys SET merchant_id = 'merch_none'`],
    ['its table endpoints', `UPDATE endpoints SET events = 'CHARGE_PAID'`],
    ['its table charges', 'DROP TABLE charges'],
    ['its table meta', 'DROP TABLE meta'],
    ['its clock', `UPDATE meta SET value = '{' WHERE key = 'clock'`],
    ['its clock', `UPDATE meta SET value = 'null' WHERE key = 'clock'`],
    ['its clock', `UPDATE meta SET value = json_set(value, '$.offsetMs', 'much') WHERE key = 'clock'`],
    ['its clock', `UPDATE meta SET value = json_set(value, '$.offsetMs', 9e300) WHERE key = 'clock'`],
    ['its clock', `UPDATE meta SET value = json_set(value, '$.frozenAt', 'noon') WHERE key = 'clock'`],
    ['its clock', `UPDATE meta SET value = json_set(value, '$.latest', 9e15) WHERE key = 'clock'`],
  ])('is refused for %s after %s, and stays as it is', async (where, sql) => {
    const file = changed(sql);
    const before = readFileSync(file);
    const started = serve({ state: file });
    await expect(started).rejects.toMatchObject({
      code: 'STATE_UNUSABLE',
      exit: 78,
      message: `The state ${file} cannot be read: ${where} is not as pixctl writes it (edited by hand, or damaged). Nothing was changed.`,
    });
    expect(readFileSync(file).equals(before)).toBe(true);
  });

  it('is refused in words if sandbox start meets it', async () => {
    const file = changed(`UPDATE meta SET value = '{' WHERE key = 'clock'`);
    const { code, stdout, stderr } = await run(['sandbox', 'start', '--no-profile', '--state', file], {
      home: folder,
    });
    expect({ code, stdout }).toEqual({ code: 78, stdout: '' });
    expect(stderr).toContain(`error: The state ${file} cannot be read: its clock`);
    expect(stderr).toContain('\n  Name another file, or a snapshot of it (pixctl sandbox snapshot).\n');
  });

  it.each([
    ['charges', `UPDATE charges SET created_at = 'abc'`, '/transparents/list', 'id'],
    ['charges', 'UPDATE charges SET expires_at = 9000000000000000000', '/transparents/list', 'id'],
    ['withdrawals', `UPDATE withdrawals SET created_at = 'abc'`, '/withdrawals', 'id'],
    ['attempts', `UPDATE attempts SET outcome = '{'`, '/webhooks/<endpoint>/deliveries', 'seq'],
    ['events', `UPDATE events SET data = '{{'`, '/__sandbox/events', 'id'],
    ['transfers', `UPDATE transfers SET at = 'x'`, '/__sandbox/merchants/default/entries', 'seq'],
  ])(
    'that holds an odd record of %s (%s) is reported by the call that meets it',
    async (table, sql, path, key) => {
      const file = changed(sql);
      const database = new DatabaseSync(file);
      const first = (query: string) => String(Object.values(database.prepare(query).get() ?? {})[0]);
      const id = first(`SELECT ${key} FROM ${table}`);
      const target = path.replace('<endpoint>', first('SELECT id FROM endpoints'));
      database.close();
      const told: unknown[] = [];
      const sandbox = await serve({ state: file, onError: (error) => told.push(error) });
      const { status, body } = await sandbox.get(target);
      const where = `the record ${id} of its table ${table} is not as pixctl writes it (edited by hand, or damaged)`;
      const words = `the state of this sandbox cannot be read: ${where}`;
      expect([status, body]).toEqual(
        path.startsWith('/__sandbox')
          ? [
              507,
              {
                error: { code: 'STATE_UNUSABLE', message: words, hint: expect.stringContaining('snapshot') },
              },
            ]
          : [500, { error: 'INTERNAL_ERROR', message: words, success: false }],
      );
      expect(told).toMatchObject([{ message: where, cause: expect.any(Error) }]);
      const logged = { status: 500, merchantId: expect.stringMatching(/^merch_/) };
      expect(sandbox.requests()).toMatchObject(path.startsWith('/__sandbox') ? [] : [logged]);
    },
  );

  it('may also hold tables of its owner, and continues where it was', async () => {
    const sandbox = await serve({
      state: changed('CREATE TABLE notes (text); INSERT INTO notes VALUES (1)'),
    });
    expect((await sandbox.get('/transparents/list')).body.data).toMatchObject([{ status: 'PAID' }]);
    expect(sandbox.deliveries()).toMatchObject([{ event: 'CHARGE_PAID', state: 'PENDING' }]);
  });
});
