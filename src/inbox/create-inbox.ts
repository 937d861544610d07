/** The inbox on a database that its caller has opened and migrated with `inboxMigrations`. */
import type { Clock } from '../clock.ts';
import type { Database } from '../database/port.ts';
import { PixctlError, storageError } from '../errors.ts';
import { constraintDeduplicator } from './dedupe/by-constraint.ts';
import { createNumberDeduplicator } from './dedupe/by-number.ts';
import type { Deduplicator } from './dedupe/deduplicator.ts';
import { anyEvent, createDueClaimer } from './due-claimer.ts';
import { countForTarget, forgetTarget } from './forget-target.ts';
import { claimOne, isClaimedBy, recordReplay, releaseClaim } from './forwards.ts';
import { type ClaimOwner, createHeartbeat } from './heartbeat.ts';
import { createHeldClaims } from './held-claims.ts';
import type { ClaimFilter, Inbox, NewDelivery, StoreResult } from './inbox.ts';
import { readMarks, writeMarks } from './poll-marks.ts';
import { countPrunable, prune } from './prune.ts';
import { attemptsOf, countWaiting, countWaitingEvents, findEvents, listEntries } from './read.ts';
import { createWriteQueue } from './write-queue.ts';

interface InboxOptions {
  readonly clock: Clock;
  readonly owner: ClaimOwner;
  /** Defaults to what suits the dialect. */
  readonly deduplicator?: Deduplicator | undefined;
  /** Receives what a person should know, in a sentence or two, although nothing has failed. */
  readonly warn?: ((text: string) => void) | undefined;
}

export function createInbox(
  database: Database,
  { clock, owner, warn, deduplicator = createDeduplicator(database, warn) }: InboxOptions,
): Inbox {
  const heartbeat = createHeartbeat(owner, clock, {
    dialect: database.dialect,
    commit: (work) => database.write(work),
  });
  const guarded = <A extends unknown[], R>(work: (...args: A) => Promise<R>) => {
    return async (...args: A): Promise<R> => {
      try {
        return await work(...args);
      } catch (cause) {
        throw toPixctlError(cause, database.location);
      }
    };
  };
  const due = createDueClaimer({ ownerId: owner.id, clock, retireGoneOwners: heartbeat.retireGoneOwners });
  const held = createHeldClaims(owner.id, heartbeat);
  const writes = createWriteQueue(database, { clock, owner, heartbeat, held, deduplicator });
  let settling: Promise<unknown> = Promise.resolve();
  /** Queued behind the deliveries, so that none of their claims is committed but still unknown here. */
  const releaseOrphans = () => {
    if (held.takeUncertainty()) settling = writes.push({ settle: true });
    return settling;
  };

  return {
    location: database.location,
    add: guarded(async (delivery: NewDelivery, onWritten?: (stored: StoreResult) => void) => {
      const { stored, onDisk } = await writes.push({ store: delivery });
      onWritten?.(stored as StoreResult);
      await onDisk;
      return stored as StoreResult;
    }),
    record: guarded(async (outcome) => {
      await writes.push({ outcome }, { urgent: false });
      held.drop(outcome.key);
    }),
    postpone: guarded(async (key, nextAt) => {
      await writes.push({ postpone: key, nextAt }, { urgent: false });
      held.drop(key);
    }),
    claimDue: guarded(async (source: string, limit: number, choice: ClaimFilter = anyEvent) => {
      await releaseOrphans();
      return held.claim(async () => {
        const wanted = { source, limit, choice };
        const { value } = await database.write(async (tx) => {
          await heartbeat.beat(tx);
          return due.claim(tx, wanted);
        });
        heartbeat.onCommitted();
        due.onCommitted(wanted, value);
        return value.events;
      });
    }),
    stillHolds: guarded(async (key) => {
      if (!held.isDoubtful(key)) return true;
      const { value } = await database.write(async (tx) => {
        await heartbeat.beat(tx);
        return isClaimedBy(tx, key, owner.id);
      });
      heartbeat.onCommitted();
      const holds: boolean = value;
      if (holds) held.confirm(key);
      else held.drop(key);
      return holds;
    }),
    claimOne: guarded(async ({ key }) => {
      held.hold(key);
      let claimed = false;
      try {
        claimed = await database.transaction(async (tx) => {
          await heartbeat.beat(tx);
          return claimOne(tx, key, owner.id, (holders) => heartbeat.retireGoneOwners(tx, holders));
        });
      } catch (cause) {
        held.markUncertain();
        throw cause;
      } finally {
        if (!claimed) held.drop(key);
      }
      heartbeat.onCommitted();
      return claimed;
    }),
    releaseClaim: guarded(async (key) => {
      held.drop(key);
      try {
        await database.transaction((tx) => releaseClaim(tx, key, owner.id));
      } catch (cause) {
        held.markUncertain();
        throw cause;
      }
    }),
    recordReplay: guarded((attempt, becomes) =>
      database.transaction((tx) => recordReplay(tx, attempt, becomes)),
    ),
    releaseAllClaims: guarded(async () => {
      await writes.drain();
      await heartbeat.pause();
      await database.transaction(async (tx) => {
        // Only what waits: a claim on a settled event belongs to nobody once this owner is forgotten, so years of
        // settled events need not be read.
        await tx.query(
          "UPDATE inbox_event SET claimed_by = NULL WHERE state = 'WAITING' AND claimed_by = $1",
          [owner.id],
        );
        await heartbeat.unregister(tx);
      });
      held.clear();
    }),
    list: (filter = {}) => listEntries(database, deduplicator, filter),
    find: guarded((idOrKey) => findEvents(database, deduplicator, idOrKey)),
    attempts: guarded((key) => attemptsOf(database, key)),
    countWaiting: guarded(() => countWaiting(database)),
    countWaitingEvents: guarded(({ exceptSources }) => countWaitingEvents(database, exceptSources)),
    countPrunable: guarded((choice, signal) => countPrunable(database, choice, signal)),
    prune: guarded((choice, signal) => prune(database, deduplicator, choice, signal)),
    announceTargets: guarded(async (targets: readonly string[]) => {
      heartbeat.announce(targets);
      await database.write(heartbeat.beat);
      heartbeat.onCommitted();
    }),
    isForwardedTo: guarded((target) => heartbeat.isAnnounced(database, target)),
    countForTarget: guarded((choice, signal) => countForTarget(database, choice, signal)),
    forgetTarget: guarded((choice, signal) =>
      forgetTarget(database, choice, heartbeat.findGoneOwners, signal),
    ),
    readPollMarks: guarded((scope) => readMarks(database, scope)),
    writePollMarks: guarded((scope, marks, forgotten = []) =>
      database.transaction((tx) => writeMarks(tx, scope, marks, forgotten)),
    ),
    async close() {
      await writes.drain();
      await heartbeat.pause();
      await database.close();
    },
  };
}

const createDeduplicator = ({ dialect, location }: Database, warn: InboxOptions['warn']): Deduplicator =>
  dialect === 'sqlite'
    ? createNumberDeduplicator({ onMended: () => warn?.(mended(location)) })
    : constraintDeduplicator;

const mended = (location: string) =>
  `The ids by which the inbox at ${location} recognises an event that comes again were damaged; they were rebuilt from the events themselves. Check the disk: something has changed the file.`;

const toPixctlError = (cause: unknown, location: string): PixctlError =>
  cause instanceof PixctlError
    ? cause
    : storageError(`The inbox at ${location} could not be read or written.`, {
        cause,
        hint: 'Check that the disk is not full and the directory is writable, or that the database is up.',
      });
