/** The inbox over a database that its caller has opened and migrated with `inboxMigrations`. */
import type { Clock } from '../clock.ts';
import type { Database } from '../database/port.ts';
import { PixctlError, storageError } from '../errors.ts';
import { createDue, whatever } from './due.ts';
import { claimOne, giveBack, recordReplay } from './forwards.ts';
import { createHeld } from './held.ts';
import type { ClaimChoice, Inbox, NewDelivery, Stored } from './inbox.ts';
import { onceByConstraint } from './once/by-constraint.ts';
import { onceByNumber } from './once/by-number.ts';
import type { Once } from './once/once.ts';
import { createHeart, type Owner } from './owner.ts';
import { readMarks, writeMarks } from './poll-marks.ts';
import { countPrunable, prune } from './prune.ts';
import { attemptsOf, countWaiting, findEvents, listEntries } from './read.ts';
import { createWrites } from './writes.ts';

export interface InboxOptions {
  readonly clock: Clock;
  readonly owner: Owner;
  /** As the dialect has it, where it is not given. */
  readonly once?: Once | undefined;
  /** Told what a person should know of it, a sentence or two; nothing has failed then. */
  readonly warn?: ((text: string) => void) | undefined;
}

export function inboxOn(
  database: Database,
  { clock, owner, warn, once = onceIn(database, warn) }: InboxOptions,
): Inbox {
  const heart = createHeart(owner, clock, (work) => database.write(work));
  const guarded = <A extends unknown[], R>(work: (...args: A) => Promise<R>) => {
    return async (...args: A): Promise<R> => {
      try {
        return await work(...args);
      } catch (cause) {
        throw inFamily(cause, database.location);
      }
    };
  };
  const due = createDue({ ownerId: owner.id, clock, gone: heart.gone });
  const held = createHeld(owner.id);
  const writes = createWrites(database, { clock, owner, heart, held, once });
  let settling: Promise<unknown> = Promise.resolve();
  /** Queued behind the deliveries, so that none of their claims is committed and not yet known here. */
  const settle = () => {
    if (held.takeDoubt()) settling = writes.push({ settle: true });
    return settling;
  };

  return {
    location: database.location,
    add: guarded(async (delivery: NewDelivery, onWritten?: (stored: Stored) => void) => {
      const { stored, onDisk } = await writes.push({ store: delivery });
      onWritten?.(stored as Stored);
      await onDisk;
      return stored as Stored;
    }),
    record: guarded(async (outcome) => {
      await writes.push({ outcome }, { hurry: false });
      held.drop(outcome.key);
    }),
    postpone: guarded(async (key, nextAt) => {
      await writes.push({ postpone: key, nextAt }, { hurry: false });
      held.drop(key);
    }),
    claimDue: guarded(async (source: string, limit: number, choice: ClaimChoice = whatever) => {
      await settle();
      return held.claim(async () => {
        const wanted = { source, limit, choice };
        const { value } = await database.write(async (tx) => {
          await heart.beat(tx);
          return due.claim(tx, wanted);
        });
        heart.committed();
        due.committed(wanted, value);
        return value.events;
      });
    }),
    claimOne: guarded(async ({ key }) => {
      held.hold(key);
      let claimed = false;
      try {
        claimed = await database.transaction(async (tx) => {
          await heart.beat(tx);
          return claimOne(tx, key, owner.id, (holders) => heart.gone(tx, holders));
        });
      } catch (cause) {
        held.doubt();
        throw cause;
      } finally {
        if (!claimed) held.drop(key);
      }
      heart.committed();
      return claimed;
    }),
    giveBack: guarded(async (key) => {
      held.drop(key);
      try {
        await database.transaction((tx) => giveBack(tx, key, owner.id));
      } catch (cause) {
        held.doubt();
        throw cause;
      }
    }),
    recordReplay: guarded((attempt, becomes) =>
      database.transaction((tx) => recordReplay(tx, attempt, becomes)),
    ),
    release: guarded(async () => {
      await writes.idle();
      await heart.rest();
      await database.transaction(async (tx) => {
        // A claim on a settled event is nobody's once this owner is forgotten, so years of settled events are not
        // looked through.
        await tx.query(
          "UPDATE inbox_event SET claimed_by = NULL WHERE state = 'WAITING' AND claimed_by = $1",
          [owner.id],
        );
        await heart.stop(tx);
      });
      held.clear();
    }),
    list: (filter = {}) => listEntries(database, once, filter),
    find: guarded((idOrKey) => findEvents(database, once, idOrKey)),
    attempts: guarded((key) => attemptsOf(database, key)),
    countWaiting: guarded(() => countWaiting(database)),
    countPrunable: guarded((choice) => countPrunable(database, choice)),
    prune: guarded((choice) => prune(database, once, choice)),
    pollSeen: guarded((scope) => readMarks(database, scope)),
    pollRemember: guarded((scope, marks, forgotten = []) =>
      database.transaction((tx) => writeMarks(tx, scope, marks, forgotten)),
    ),
    async close() {
      await writes.idle();
      await heart.rest();
      await database.close();
    },
  };
}

const onceIn = ({ dialect, location }: Database, warn: InboxOptions['warn']): Once =>
  dialect === 'sqlite' ? onceByNumber({ onMended: () => warn?.(mended(location)) }) : onceByConstraint;

const mended = (location: string) =>
  `The ids by which the inbox at ${location} recognises an event that comes again were damaged; they were rebuilt from the events themselves. Check the disk: something has changed the file.`;

const inFamily = (cause: unknown, location: string): PixctlError =>
  cause instanceof PixctlError
    ? cause
    : storageError(`The inbox at ${location} could not be read or written.`, {
        cause,
        hint: 'Check that the disk is not full and the directory is writable, or that the database is up.',
      });
