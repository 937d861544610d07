/** Opens the ledger on a database and checks that it is the one expected. */
import { randomUUID } from 'node:crypto';
import type { Clock } from '../clock.ts';
import { openDatabase } from '../database/open.ts';
import type { Database } from '../database/port.ts';
import { configError, PixctlError } from '../errors.ts';
import { assertNoForeignConstraints } from './foreign-constraints.ts';
import {
  createInterruptGuard,
  disableGuardOnWrite,
  type InterruptGuard,
  withInterruptGuard,
} from './interrupt-guard.ts';
import type { Ledger } from './ledger.ts';
import { migrations } from './migrations.ts';
import { createSqlLedger } from './sql-ledger.ts';
import { assertTablesIntact } from './table-integrity.ts';

export interface OpenLedgerOptions {
  /** `PIXCTL_LEDGER_URL`, or a file path: see `database/open.ts`. */
  readonly url: string;
  /** The id pinned in the settings; null on the first run, after which the caller pins `ledger.id`. */
  readonly expectedId: string | null;
  /** Whether the id comes from the environment (`PIXCTL_LEDGER_ID`), not from the settings. */
  readonly idIsGiven?: boolean;
  readonly clock: Clock;
  /**
   * Aborts when the run is asked to stop. Until the first record of a send, a server that does not answer is then given
   * up (130, 143).
   */
  readonly signal?: AbortSignal | undefined;
}

/**
 * Opens the ledger. Throws `configError` (78): `LEDGER_MISSING` or `LEDGER_REPLACED` if the ledger is gone, emptied or
 * another one than `expectedId`, and `DATABASE_FOREIGN` for another program's file, creating nothing in these cases;
 * `LEDGER_NOT_WHOLE` if its tables lack what keeps senders apart, have a foreign trigger or unique index (SQLite), do
 * not outlast a crash, or may hide rows (PostgreSQL).
 */
export function openLedger(options: OpenLedgerOptions): Promise<Ledger> {
  const guard = createInterruptGuard(options.signal, options.clock);
  return guard.run(() => open(options, guard));
}

async function open(
  { url, expectedId, idIsGiven = false, clock }: OpenLedgerOptions,
  guard: InterruptGuard,
): Promise<Ledger> {
  const mustExist = expectedId !== null;
  const { signal } = guard;
  const database = await openDatabase(url, { room: 'ledger', migrations, clock, mustExist, signal }).catch(
    (cause) => {
      if (!(cause instanceof PixctlError)) throw cause;
      if (cause.code === 'DATABASE_MISSING')
        throw configError('LEDGER_MISSING', `${cause.message}; nothing was sent`, hint);
      if (cause.code === 'DATABASE_FOREIGN')
        throw configError(cause.code, `${cause.message}; nothing was sent`, mustExist ? hint : cause.hint);
      throw cause;
    },
  );
  try {
    // Checked first: if the tables hide rows, the row with the id may be among them.
    await assertTablesIntact(database);
    const id = expectedId === null ? await readOrCreateId(database, clock) : await readId(database);
    if (expectedId !== null && id !== expectedId) {
      if (idIsGiven && id !== null) throw otherId(database.location, id, expectedId);
      const what = id === null ? 'has been emptied' : 'is not the one used before';
      throw configError(
        'LEDGER_REPLACED',
        `the ledger at ${database.location} ${what}; nothing was sent`,
        hint,
      );
    }
    return disableGuardOnWrite(
      guard,
      createSqlLedger(assertNoForeignConstraints(withInterruptGuard(guard, database)), id ?? ''),
    );
  } catch (cause) {
    await database.close();
    throw cause;
  }
}

const hint =
  'Without it a withdrawal could be paid twice. Set PIXCTL_STATE_DIR or PIXCTL_LEDGER_URL as it was before, or restore the ledger. Only to begin a new one, which knows no earlier key: pixctl config unset ledger.id (and change PIXCTL_LEDGER_ID, if it is set).';

/** A slip in the variable is likelier than another ledger, so the message shows both ids. */
const otherId = (location: string, id: string, given: string) =>
  configError(
    'LEDGER_REPLACED',
    `the ledger at ${location} has the id ${id}, and PIXCTL_LEDGER_ID is ${JSON.stringify(given)}; nothing was sent`,
    'If that is the ledger used before, correct PIXCTL_LEDGER_ID. If it is not, set PIXCTL_STATE_DIR or PIXCTL_LEDGER_URL as it was before, or restore the ledger: without it a withdrawal could be paid twice.',
  );

async function readId(database: Database): Promise<string | null> {
  const [row] = await database.query<{ id: string }>('SELECT id FROM ledger_identity');
  return row?.id ?? null;
}

/** The ledger's id, made if it has none; if two processes make one at once, the first wins. */
async function readOrCreateId(database: Database, clock: Clock): Promise<string | null> {
  const known = await readId(database);
  if (known !== null) return known;
  await database.transaction((tx) =>
    tx.query('INSERT INTO ledger_identity (one, id, created_at) VALUES (1, $1, $2) ON CONFLICT DO NOTHING', [
      randomUUID(),
      clock.now(),
    ]),
  );
  return readId(database);
}
