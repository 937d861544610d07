/**
 * Numbered migrations, safe against two processes that start at once and against a kill in the middle: each runs in one
 * transaction whose first act is to insert its own row, so that two processes collide on the primary key instead of
 * both running it, and a killed one leaves nothing behind.
 */
import { configError, storageError } from '../errors.ts';
import type { Driver } from './driver.ts';
import { ConstraintError, type Migration } from './port.ts';

/** Which migrations of which room have been applied. A database without this table holds nothing of ours. */
export const migrationsTable = 'pixctl_migrations';

/** Whether any migration of the room has been applied; in an emptied database, none has. */
export async function isMigrated(driver: Driver, room: string): Promise<boolean> {
  return (await driver.hasTable(migrationsTable)) && (await applied(driver, room)).size > 0;
}

/**
 * Brings a room's tables up to date. `now` in milliseconds since the epoch. `beforeMaking` may refuse to make the first
 * ones.
 */
export async function migrate(
  driver: Driver,
  room: string,
  migrations: readonly Migration[],
  now: number,
  beforeMaking: () => Promise<void>,
): Promise<void> {
  if (!(await driver.hasTable(migrationsTable))) {
    await beforeMaking();
    await createTable(driver);
  }
  const done = await applied(driver, room);
  assertNotNewer(driver, room, migrations, done);
  // A migration with nothing to change is not recorded either, so that an older version may go on with these tables.
  const missing = migrations.filter(
    (migration) => !done.has(migration.number) && scriptOf(migration, driver.dialect) !== '',
  );
  // Before the first is applied, so that a refusal leaves the tables to the version that made them.
  if (done.size > 0)
    for (const { assertApplicable } of missing)
      await assertApplicable?.(driver, { location: driver.location, now });
  for (const migration of missing) await apply(driver, room, migration, now);
}

async function createTable(driver: Driver): Promise<void> {
  try {
    await driver.transaction((tx) =>
      tx.script(`CREATE TABLE ${migrationsTable} (
        room TEXT NOT NULL, number INTEGER NOT NULL, name TEXT NOT NULL, applied_at BIGINT NOT NULL,
        PRIMARY KEY (room, number))`),
    );
  } catch (cause) {
    if (!(await driver.hasTable(migrationsTable))) throw cause;
  }
}

async function applied(driver: Driver, room: string): Promise<Map<number, string>> {
  const rows = await driver.query<{ number: number; name: string }>(
    `SELECT number, name FROM ${migrationsTable} WHERE room = $1`,
    [room],
  );
  return new Map(rows.map(({ number, name }) => [number, name]));
}

function assertNotNewer(
  driver: Driver,
  room: string,
  migrations: readonly Migration[],
  done: ReadonlyMap<number, string>,
): void {
  const known = new Map(migrations.map(({ number, name }) => [number, name]));
  for (const [number, name] of done) {
    if (known.get(number) === name) continue;
    const ours = known.get(number);
    const has =
      ours === undefined ? `none after ${Math.max(...known.keys())}` : `another of that number (${ours})`;
    throw configError(
      'DATABASE_NEWER',
      `the ${room} at ${driver.location} was written by another version of pixctl: it has migration ${number} (${name}), and this version has ${has}`,
      'Use the newest version of pixctl that has used it.',
    );
  }
}

/** The statements of a migration in a dialect; empty if it changes nothing there. */
export const scriptOf = ({ sql, only }: Migration, dialect: Driver['dialect']): string =>
  [sql.replaceAll('{{blob}}', dialect === 'sqlite' ? 'BLOB' : 'BYTEA'), only?.[dialect] ?? '']
    .join('\n')
    .trim();

async function apply(driver: Driver, room: string, migration: Migration, now: number): Promise<void> {
  const { number, name } = migration;
  try {
    await driver.transaction(async (tx) => {
      await tx.query(
        `INSERT INTO ${migrationsTable} (room, number, name, applied_at) VALUES ($1, $2, $3, $4)`,
        [room, number, name, now],
      );
      await migration.assertApplicable?.(tx, { location: driver.location, now });
      await tx.script(scriptOf(migration, driver.dialect));
    });
  } catch (cause) {
    if (!(cause instanceof ConstraintError)) throw cause;
    if (!(await applied(driver, room)).has(number)) throw doubled(driver, room, cause);
  }
}

/** A damaged index missed its keys and let a second row in. */
const doubled = ({ location }: Driver, room: string, cause: ConstraintError) =>
  storageError(
    `the ${room} at ${location} holds rows that its own rules forbid (${cause.constraint}); nothing was sent`,
    {
      cause,
      hint: 'Two rows with one key may be one order that was paid twice: compare both with the list of the service, give one of them another key (UPDATE), then run again.',
    },
  );
