import { expect, it } from 'vitest';
import { forgetRecords } from '../../../src/sandbox/store/forget-records.ts';
import { openStore, type Store } from '../../../src/sandbox/store/store.ts';

const rows = 20_000;

/** `rows` customers, charges of theirs, events and deliveries, each a replay of the one before. */
function fill(store: Store): void {
  const numbers = `WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${rows})`;
  store.transaction(() => {
    store.run(`INSERT INTO merchants VALUES ('m', 'Loja', 'Recife', 1, NULL, 1, 2, 1, 1, 1, 0)`);
    store.run(
      `INSERT INTO endpoints (id, merchant_id, url, events, secret, created_at) VALUES ('e', 'm', '', '[]', '', 0)`,
    );
    store.run(`${numbers} INSERT INTO customers SELECT 'c' || i, 'm', '', '', i, NULL, 0, 0, NULL FROM n`);
    store.run(
      `${numbers} INSERT INTO charges SELECT i, 'p' || i, 'm', 1, 'PAID', '', '', NULL, 'c' || i, 0, 0 FROM n`,
    );
    store.run(`${numbers} INSERT INTO events SELECT i, 'v' || i, 'm', 'X', '{}', 0 FROM n`);
    store.run(
      `${numbers} INSERT INTO deliveries (event, endpoint, envelope_id, replay_of, created_at)
       SELECT i, 'e', '', nullif(i - 1, 0), 0 FROM n`,
    );
  });
}

const schemaOf = (store: Store) => store.all('SELECT type, name, sql FROM sqlite_schema ORDER BY name');

it('empties a large world as fast as it is read, and leaves the tables as they are', () => {
  const store = openStore();
  const schema = schemaOf(store);
  fill(store);
  const begun = process.cpuUsage();
  const tables = store.transaction(() => forgetRecords(store));
  const { user, system } = process.cpuUsage(begun);
  // A row that asks all others takes more than ten times this. Not by the time of day: other programs run meanwhile.
  expect((user + system) / 1_000).toBeLessThan(3_000);
  for (const name of tables) expect(store.all(`SELECT * FROM ${name}`)).toEqual([]);
  expect(tables.indexOf('events')).toBeLessThan(tables.indexOf('deliveries'));
  expect(schemaOf(store)).toEqual(schema);
  store.close();
});
