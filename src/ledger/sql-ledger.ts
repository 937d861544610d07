/** The ledger on a database, SQLite or PostgreSQL. */
import type { IdempotencyKey } from '../contract/brand.ts';
import { ConstraintError, type Database } from '../database/port.ts';
import { claims } from './claims.ts';
import { damageOf } from './damage.ts';
import type { Scope } from './intent.ts';
import { type Ledger, Overtaken } from './ledger.ts';
import * as look from './look-twice.ts';
import {
  claimed,
  firstSeen,
  inEveryScope,
  list,
  spendingUnderOtherLabels,
  underOtherLabels,
} from './read.ts';
import { record } from './record.ts';
import {
  type EventRow,
  type IntentRow,
  insertEvent,
  insertIntent,
  toEvent,
  toIntent,
  updateIntent,
} from './rows.ts';
import { beginSending, openElsewhere } from './send.ts';
import { departing, planned } from './transitions.ts';

/** The ledger with that id, on a database that is open and has its tables. */
export function sqlLedger(database: Database, id: string): Ledger {
  const find = (scope: Scope, key: IdempotencyKey) => look.find(database, scope, key);

  return {
    id,
    location: database.location,
    find,
    open: (scope) => look.open(database, scope),
    fence: (scope) => look.fence(database, scope),
    lastSent: (scope, request, from = 1) => look.lastSent(database, scope, request, from),

    async plan(intent, event) {
      const known = await find(intent.scope, intent.idempotencyKey);
      if (known !== null) return { created: false, intent: known };
      const fresh = planned(intent, event);
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

    send: (intent, sending, event) => beginSending(database, intent, sending, event),

    ...departsOn(database),

    record: (intent, change, event) => record(database, intent, change, event),
    baseline: (scope, fence) => look.baseline(database, scope, fence),
    claimed: (scope, kind, ids) => claimed(database, scope, kind, ids),
    spentSince: (scope, since) => look.spentSince(database, scope, since),
    firstSeen: (scope, ids) => firstSeen(database, scope, ids),
    those: (scope, kind, which) => look.those(database, scope, kind, which),
    list: (scope, filter = {}) => list(database, scope, filter),
    claims: (scope, kind) => claims(database, scope, kind),
    inEveryScope: (key) => inEveryScope(database, key),
    openElsewhere: async (scope) => (await database.query<IntentRow>(openElsewhere, [scope])).map(toIntent),
    underOtherLabels: (scope, which) => underOtherLabels(database, scope, which),
    spendingUnderOtherLabels: (scope, since) => spendingUnderOtherLabels(database, scope, since),

    async events(intent) {
      const rows = await database.query<EventRow>(
        'SELECT * FROM ledger_events WHERE intent_id = $1 ORDER BY version',
        [intent.id],
      );
      return rows.map(toEvent);
    },

    damage: () => damageOf(database),
    close: () => database.close(),
  };
}

/** Adds `depart` if the driver can write synchronously. */
function departsOn({ transactionNow }: Database): Pick<Ledger, 'depart'> {
  if (transactionNow === undefined) return {};
  return {
    depart(intent, event) {
      const next = departing(intent, event);
      transactionNow((tx) => {
        if (tx.query(...updateIntent(next)).length === 0) throw new Overtaken();
        tx.query(...insertEvent(next, event));
      });
      return next;
    },
  };
}
