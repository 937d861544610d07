/** The ledger as one process reaches it: it gives way around each commit, and storage may fail on both sides. */
import { storageError } from '../../../src/errors.ts';
import type { Ledger } from '../../../src/ledger/ledger.ts';
import type { Process, World } from './world.ts';

const storageFails = 0.01;
/** What a kill or a failing disk can come between. */
const writes: ReadonlySet<string> = new Set(['plan', 'send', 'record']);

/** Without giving way; it fails like any other write, before or after the mark is durable. */
const departing =
  (world: World, depart: NonNullable<Ledger['markDeparted']>): NonNullable<Ledger['markDeparted']> =>
  (intent, event) => {
    const failing = world.faults && world.random.chance(storageFails);
    if (failing && world.random.chance(0.5)) throw storageError('the disk is gone');
    const departed = depart(intent, event);
    if (failing) throw storageError('the disk is gone after the commit');
    return departed;
  };

export function ledgerSeenBy(process: Process, world: World, ledger: Ledger): Ledger {
  const around = <A extends unknown[], T>(name: string, call: (...given: A) => Promise<T>) => {
    const isWrite = writes.has(name);
    return async (...given: A): Promise<T> => {
      await world.turn(process, `ledger.${name}`);
      const failing = world.faults && world.random.chance(storageFails);
      const commits = world.random.chance(0.5);
      if (failing && !(commits && isWrite)) throw storageError('the disk is gone');
      const result = await call(...given);
      if (isWrite) await world.turn(process, `ledger.${name} is committed`);
      if (failing) throw storageError('the connection is gone after the commit');
      return result;
    };
  };
  return {
    id: ledger.id,
    location: ledger.location,
    find: around('find', ledger.find),
    findOpen: around('open', ledger.findOpen),
    fence: around('fence', ledger.fence),
    lastSent: around('lastSent', ledger.lastSent),
    plan: around('plan', ledger.plan),
    markSending: around('send', ledger.markSending),
    record: around('record', ledger.record),
    ...(ledger.markDeparted === undefined ? {} : { markDeparted: departing(world, ledger.markDeparted) }),
    baseline: around('baseline', ledger.baseline),
    findClaimedIds: around('claimed', ledger.findClaimedIds),
    spentSince: around('spentSince', ledger.spentSince),
    firstSeen: around('firstSeen', ledger.firstSeen),
    findMany: around('those', ledger.findMany),
    list: around('list', ledger.list),
    listClaims: ledger.listClaims,
    listIntents: ledger.listIntents,
    scopes: around('scopes', ledger.scopes),
    inEveryScope: around('inEveryScope', ledger.inEveryScope),
    openElsewhere: around('openElsewhere', ledger.openElsewhere),
    refusedElsewhere: around('refusedElsewhere', ledger.refusedElsewhere),
    inOtherScopes: around('inOtherScopes', ledger.inOtherScopes),
    possibleOwnersElsewhere: around('possibleOwnersElsewhere', ledger.possibleOwnersElsewhere),
    spendingUnderOtherLabels: around('spendingUnderOtherLabels', ledger.spendingUnderOtherLabels),
    events: around('events', ledger.events),
    close: async () => {},
  };
}
