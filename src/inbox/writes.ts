/** What a listener has the inbox keep: many deliveries and outcomes in one commit, and deliveries in one flush. */
import type { Clock } from '../clock.ts';
import type { Written as Commit, Database, Transaction } from '../database/port.ts';
import { type CommitQueue, createCommitQueue } from './commit-queue.ts';
import { postpone, recordOutcome } from './forwards.ts';
import type { Held } from './held.ts';
import type { NewDelivery, Outcome, Stored } from './inbox.ts';
import type { Once } from './once/once.ts';
import type { Heart, Owner } from './owner.ts';
import { storeDeliveries } from './store.ts';

export type Write =
  | { readonly store: NewDelivery }
  | { readonly outcome: Outcome }
  | { readonly postpone: string; readonly nextAt: number }
  /** Claims that nobody here knows of are given back. */
  | { readonly settle: true };

export interface Written {
  /** Null where no delivery was written. */
  readonly stored: Stored | null;
  /** Of a commit without deliveries it is not waited for. */
  readonly onDisk: Promise<void>;
}

export interface WritesOptions {
  readonly clock: Clock;
  readonly owner: Owner;
  readonly heart: Heart;
  readonly held: Held;
  readonly once: Once;
}

/** Deliveries in one commit that make it worth waiting for more. */
const crowd = 4;

export function createWrites(
  database: Database,
  { clock, owner, heart, held, once }: WritesOptions,
): CommitQueue<Write, Written> {
  const writeAll = (batch: readonly Write[]) => async (tx: Transaction) => {
    await heart.beat(tx);
    if (batch.some((write) => 'settle' in write)) await held.settle(tx);
    const deliveries = batch.flatMap((write) => ('store' in write ? [write.store] : []));
    const stored = await storeDeliveries(tx, deliveries, { ownerId: owner.id, now: clock.now(), once });
    for (const write of batch) {
      if ('outcome' in write) await recordOutcome(tx, write.outcome);
      if ('postpone' in write) await postpone(tx, write.postpone, write.nextAt);
    }
    let next = 0;
    return batch.map((write) => ('store' in write ? (stored[next++] ?? null) : null));
  };

  /** What the next commit waits for: the flush of the last one, unless that may be alone; never rejects. */
  let flushed: Promise<unknown> = Promise.resolve();
  /** Commits of deliveries whose flush is not over. */
  let unflushed = 0;
  /** Asked as late as it can be: of connections that are made for one delivery each, Node takes in one at a time. */
  const isAlone = () => !queue.isWaitedFor();

  const commit = async (batch: readonly Write[]): Promise<Written[]> => {
    const { value, durable } = await database.write(writeAll(batch)).catch((cause: unknown) => {
      held.doubt();
      once.undone();
      throw cause;
    });
    heart.committed();
    batch.forEach((write, index) => {
      const stored = value[index];
      if ('store' in write && write.store.forward === 'claim' && stored?.duplicate === false)
        held.hold(stored.key);
    });
    const deliveries = batch.filter((write) => 'store' in write).length;
    const onDisk = deliveries === 0 ? Promise.resolve() : flush(durable, deliveries);
    return value.map((stored) => ({ stored, onDisk }));
  };

  /** The disk works while others go on with what is written. */
  function flush(durable: Commit<unknown>['durable'], deliveries: number): Promise<void> {
    const mayBeAlone = deliveries < crowd && unflushed === 0;
    const onDisk = durable(mayBeAlone ? isAlone : undefined);
    unflushed += 1;
    const tried = onDisk
      .catch(() => {})
      .then(() => {
        unflushed -= 1;
      });
    flushed = mayBeAlone ? Promise.resolve() : tried;
    return onDisk;
  }

  // In a crowd, what comes while the disk is waited for shares the next commit as it shares the next flush.
  const queue: CommitQueue<Write, Written> = createCommitQueue({ commit, clock, ready: () => flushed });
  return queue;
}
