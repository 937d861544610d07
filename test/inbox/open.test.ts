/**
 * An inbox that somebody has changed is refused at once: what waits in rows that are hidden is not forwarded, and a
 * trigger may do anything.
 */
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { systemClock } from '../../src/clock.ts';
import { openDatabase } from '../../src/database/open.ts';
import type { NewDelivery } from '../../src/inbox/inbox.ts';
import { openInbox } from '../../src/inbox/open.ts';
import { inboxMigrations } from '../../src/inbox/schema.ts';
import { type Postgres, postgresMissing, startPostgres } from '../support/postgres.ts';
import { emptyHome } from '../support/run.ts';

const delivery: NewDelivery = {
  source: 'signer-1',
  eventId: 'e1',
  event: 'CHARGE_PAID',
  body: new TextEncoder().encode('{}'),
  headers: [],
  origin: 'delivery',
  forward: 'claim',
};

it('a file with a trigger of somebody else is refused', async () => {
  const url = join(emptyHome(), 'inbox.sqlite');
  await (await openInbox({ url, clock: systemClock })).close();
  const database = new DatabaseSync(url);
  database.exec('CREATE TRIGGER evil AFTER INSERT ON inbox_event BEGIN DELETE FROM inbox_event; END');
  database.close();
  await expect(openInbox({ url, clock: systemClock })).rejects.toMatchObject({
    kind: 'config',
    code: 'INBOX_NOT_WHOLE',
    message: `the inbox ${url} has a trigger that pixctl did not make (evil) and that may change what is stored`,
  });
});

it('one that an older version has made is refused before it is changed', async () => {
  const url = join(emptyHome(), 'inbox.sqlite');
  const migrations = inboxMigrations.slice(0, 1);
  await (await openDatabase(url, { room: 'inbox', migrations, clock: systemClock })).close();
  const database = new DatabaseSync(url);
  database.exec('CREATE TRIGGER evil AFTER INSERT ON pixctl_migrations BEGIN DELETE FROM inbox_event; END');
  await expect(openInbox({ url, clock: systemClock })).rejects.toMatchObject({ code: 'INBOX_NOT_WHOLE' });
  expect(database.prepare('SELECT number FROM pixctl_migrations').all()).toEqual([{ number: 1 }]);
  database.close();
});

describe.skipIf(postgresMissing !== null)(
  `the tables of a shared inbox${postgresMissing === null ? '' : ` (skipped: ${postgresMissing})`}`,
  () => {
    let server: Postgres;
    beforeAll(async () => {
      server = await startPostgres();
    });
    afterAll(() => server.stop());

    /** Opens an inbox with one event, of which `statements` were made, as the user `clerk`. */
    async function openedByClerk(attributes: string, statements: string) {
      const url = await server.createDatabase();
      const inbox = await openInbox({ url, clock: systemClock });
      await inbox.add(delivery);
      await inbox.close();
      const clerk = `clerk_${new URL(url).pathname.slice(1)}`;
      server.sql(
        `CREATE ROLE ${clerk} LOGIN ${attributes};
         GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA public TO ${clerk}; ${statements}`,
        url,
      );
      return openInbox({ url: url.replace('pixctl@', `${clerk}@`), clock: systemClock });
    }

    const secure = (table: string) => `ALTER TABLE ${table} ENABLE ROW LEVEL SECURITY;`;
    const ofSigner = (table: string, column: string) =>
      `CREATE POLICY of_signer ON ${table} USING (${column} = 'signer-2');`;

    it.each([
      ['its events', 'inbox_event', secure('inbox_event') + ofSigner('inbox_event', 'source')],
      // Without its row nobody knows that its events are in hand.
      ['a process that forwards', 'inbox_owner', secure('inbox_owner') + ofSigner('inbox_owner', 'owner')],
    ])('whose policies hide %s, are refused', async (_, table, statements) => {
      await expect(openedByClerk('', statements)).rejects.toMatchObject({
        kind: 'config',
        code: 'INBOX_NOT_WHOLE',
        message: expect.stringContaining(`rows of the table ${table} in`),
        hint: expect.stringContaining(`ALTER TABLE ${table} DISABLE ROW LEVEL SECURITY`),
      });
    });

    it.each([
      ['a user whom they do not bind', 'BYPASSRLS', secure('inbox_event')],
      ['anybody, where there are none', '', ''],
    ])('whose policies hide nothing from %s, are used', async (_, attributes, statements) => {
      const inbox = await openedByClerk(attributes, statements);
      expect(await inbox.add(delivery)).toMatchObject({ duplicate: true });
      await inbox.close();
    });
  },
);
