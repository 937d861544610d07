/** Two users of one address, each with a schema of its own, do not begin two ledgers without a word. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { systemClock } from '../../src/clock.ts';
import { migrationsTable } from '../../src/database/migrate.ts';
import { openDatabase } from '../../src/database/open.ts';
import { assertNoOtherSchema } from '../../src/database/postgres/one-schema.ts';
import { openPostgres } from '../../src/database/postgres/open.ts';
import { skipped } from '../support/platform.ts';
import { type Postgres, postgresMissing, startPostgres } from '../support/postgres.ts';

const migrations = [{ number: 1, name: 'things', sql: 'CREATE TABLE things (id TEXT PRIMARY KEY)' }];
const open = (url: string) => openDatabase(url, { room: 'ledger', migrations, clock: systemClock });

describe.skipIf(postgresMissing !== null)(
  skipped('a database with a schema for each user', postgresMissing),
  () => {
    let server: Postgres;
    beforeAll(async () => {
      server = await startPostgres();
      server.sql('CREATE ROLE host_a LOGIN; CREATE ROLE host_b LOGIN');
    });
    afterAll(() => server.stop());

    const schemas = async () => {
      const url = await server.createDatabase();
      server.sql('CREATE SCHEMA AUTHORIZATION host_a; CREATE SCHEMA AUTHORIZATION host_b', url);
      const as = (name: string) => url.replace('pixctl@', `${name}@`);
      await (await open(as('host_a'))).close();
      return { as, url };
    };
    const count = (url: string) =>
      server.sql("SELECT count(*) FROM pg_class WHERE relname = 'pixctl_migrations'", url).trim();

    it('is refused to the second user, and nothing is made for it', async () => {
      const { as, url } = await schemas();
      await expect(open(as('host_b'))).rejects.toMatchObject({
        kind: 'config',
        code: 'DATABASE_SCHEMA',
        message: expect.stringContaining('in the schema host_a, where host_b does not look'),
      });
      expect(count(url)).toBe('1');
    });

    // Between the look for the tables and this one: 14 first runs at once, one of which ended with 78.
    it('is not refused to one of several that begin at once: it looks where another has just made the tables', async () => {
      const { as } = await schemas();
      const driver = await openPostgres(as('host_a'));
      await expect(assertNoOtherSchema(driver, migrationsTable, as('host_a'))).resolves.toBeUndefined();
      await driver.close();
    });

    it('is one ledger once both look into one schema', async () => {
      const { as, url } = await schemas();
      server.sql(
        `GRANT USAGE ON SCHEMA host_a TO host_b; GRANT ALL ON ALL TABLES IN SCHEMA host_a TO host_b;
         DO $$ BEGIN EXECUTE format('ALTER ROLE host_b IN DATABASE %I SET search_path = host_a', current_database()); END $$`,
        url,
      );
      await (await open(as('host_b'))).close();
      expect(count(url)).toBe('1');
    });

    it('is two ledgers where the address names the schema', async () => {
      const { as, url } = await schemas();
      await (await open(`${as('host_b')}?options=-c%20search_path%3Dhost_b`)).close();
      await (await open(as('host_b'))).close();
      expect(count(url)).toBe('2');
    });
  },
);
