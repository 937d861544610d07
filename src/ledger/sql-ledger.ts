/** The ledger on a database, SQLite or PostgreSQL. */
import type { IdempotencyKey } from '../contract/brand.ts';
import { ConstraintError, type Database } from '../database/port.ts';
import * as checked from './checked-reads.ts';
import { listClaims, listIntents } from './claims.ts';
import { findDamage } from './damage.ts';
import type { Scope } from './intent.ts';
import { inEveryScope, inOtherScopes, scopes } from './keys-elsewhere.ts';
import { type Ledger, OvertakenError } from './ledger.ts';
import { possibleOwnersElsewhere } from './owners-elsewhere.ts';
import {
  findClaimedIds,
  firstSeen,
  list,
  openElsewhere,
  refusedElsewhere,
  spendingUnderOtherLabels,
} from './read.ts';
import { record } from './record.ts';
import { type EventRow, insertEvent, insertIntent, toEvent, updateIntent } from './rows.ts';
import { markSending } from './send.ts';
import { toDeparted, toPlanned } from './transitions.ts';

/** The ledger with that id, on a database that is open and has its tables. */
export function createSqlLedger(database: Database, id: string): Ledger {
  const find = (scope: Scope, key: IdempotencyKey) => checked.find(database, scope, key);

  return {
    id,
    location: database.location,
    find,
    findOpen: (scope) => checked.findOpen(database, scope),
    fence: (scope) => checked.fence(database, scope),
    lastSent: (scope, request, from = 1) => checked.lastSent(database, scope, request, from),

    async plan(intent, event) {
      const known = await find(intent.scope, intent.idempotencyKey);
      if (known !== null) return { created: false, intent: known };
      const fresh = toPlanned(intent, event);
      try {
        await database.transaction(async (tx) => {
          await tx.query(...insertIntent(fresh));
          await tx.query(...insertEvent(fresh, event));
        });
        return { created: true, intent: fresh };
      } catch (cause) {
        const other =
          cause instanceof ConstraintError ? await find(intent.scope, intent.idempotencyKey) : null;
        if (other === null) throw cause;
        return { created: false, intent: other };
      }
    },

    markSending: (intent, sending, event) => markSending(database, intent, sending, event),

    ...departureMethods(database),

    record: (intent, change, event) => record(database, intent, change, event),
    baseline: (scope, fence) => checked.baseline(database, scope, fence),
    findClaimedIds: (scope, kind, ids) => findClaimedIds(database, scope, kind, ids),
    spentSince: (scope, since) => checked.spentSince(database, scope, since),
    firstSeen: (scope, ids) => firstSeen(database, scope, ids),
    findMany: (scope, kind, selector) => checked.findMany(database, scope, kind, selector),
    list: (scope, filter = {}) => list(database, scope, filter),
    listClaims: (scope, kind) => listClaims(database, scope, kind),
    listIntents: (scope, kind) => listIntents(database, scope, kind),
    scopes: () => scopes(database),
    inEveryScope: (key) => inEveryScope(database, key),
    openElsewhere: (scope) => openElsewhere(database, scope),
    refusedElsewhere: (scope, amounts) => refusedElsewhere(database, scope, amounts),
    inOtherScopes: (scope, selector) => inOtherScopes(database, scope, selector),
    possibleOwnersElsewhere: (scope, resourceId, sentSince) =>
      possibleOwnersElsewhere(database, scope, resourceId, sentSince),
    spendingUnderOtherLabels: (scope, since) => spendingUnderOtherLabels(database, scope, since),

    async events(intent) {
      const rows = await database.query<EventRow>(
        'SELECT * FROM ledger_events WHERE intent_id = $1 ORDER BY version',
        [intent.id],
      );
      return rows.map(toEvent);
    },

    findDamage: () => findDamage(database),
    close: () => database.close(),
  };
}

/** Adds `markDeparted` if the driver can write synchronously. */
function departureMethods({ transactionSync }: Database): Pick<Ledger, 'markDeparted'> {
  if (transactionSync === undefined) return {};
  return {
    markDeparted(intent, event) {
      const next = toDeparted(intent, event);
      transactionSync((tx) => {
        if (tx.query(...updateIntent(next)).length === 0) throw new OvertakenError();
        tx.query(...insertEvent(next, event));
      });
      return next;
    },
  };
}
