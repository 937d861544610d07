/** What a listener stores in the inbox: many deliveries and outcomes in one commit, and deliveries in one flush. */
import type { Clock } from '../clock.ts';
import type { Commit, Database, Transaction } from '../database/port.ts';
import { targetKeyOf } from '../forward/targets.ts';
import { type CommitQueue, createCommitQueue } from './commit-queue.ts';
import type { Deduplicator } from './dedupe/deduplicator.ts';
import { postpone, recordOutcome } from './forwards.ts';
import type { ClaimOwner, Heartbeat } from './heartbeat.ts';
import type { HeldClaims } from './held-claims.ts';
import type { ForwardOutcome, NewDelivery, StoreResult } from './inbox.ts';
import { storeDeliveries } from './store.ts';

export type Write =
  | { readonly store: NewDelivery }
  | { readonly outcome: ForwardOutcome }
  | { readonly postpone: string; readonly nextAt: number }
  /** Gives back claims that nobody here knows of. */
  | { readonly settle: true };

interface WriteResult {
  /** Null if the write was no delivery. */
  readonly stored: StoreResult | null;
  /** For a commit without deliveries, this does not wait. */
  readonly onDisk: Promise<void>;
}

interface WriteQueueOptions {
  readonly clock: Clock;
  readonly owner: ClaimOwner;
  readonly heartbeat: Heartbeat;
  readonly held: HeldClaims;
  readonly deduplicator: Deduplicator;
}

/** This many deliveries in one commit make it worth waiting for more. */
const crowd = 4;

export function createWriteQueue(
  database: Database,
  { clock, owner, heartbeat, held, deduplicator }: WriteQueueOptions,
): CommitQueue<Write, WriteResult> {
  const writeAll = (batch: readonly Write[]) => async (tx: Transaction) => {
    await heartbeat.beat(tx);
    if (batch.some((write) => 'settle' in write)) await held.releaseOrphans(tx);
    const deliveries = batch.flatMap((write) => ('store' in write ? [write.store] : []));
    const stored = await storeDeliveries(tx, deliveries, {
      ownerId: owner.id,
      now: clock.now(),
      deduplicator,
    });
    for (const write of batch) {
      if ('outcome' in write) await recordOutcome(tx, write.outcome);
      if ('postpone' in write) await postpone(tx, write.postpone, write.nextAt);
    }
    let next = 0;
    return batch.map((write) => ('store' in write ? (stored[next++] ?? null) : null));
  };

  /** What the next commit waits for: the flush of the last one, unless that one may be alone. Never rejects. */
  let flushed: Promise<unknown> = Promise.resolve();
  /** Commits of deliveries that are not flushed yet. */
  let unflushed = 0;
  /** Evaluated as late as possible: if a connection is made for each delivery, Node accepts only one at a time. */
  const isAlone = () => !queue.hasUrgentItems();

  const commit = async (batch: readonly Write[]): Promise<WriteResult[]> => {
    const { value, durable } = await database.write(writeAll(batch)).catch((cause: unknown) => {
      held.markUncertain();
      deduplicator.onRollback();
      throw cause;
    });
    heartbeat.onCommitted();
    batch.forEach((write, index) => {
      const stored = value[index];
      if ('store' in write && stored?.duplicate === false) holdClaims(write.store, stored);
    });
    const deliveries = batch.filter((write) => 'store' in write).length;
    const onDisk = deliveries === 0 ? Promise.resolve() : flush(durable, deliveries);
    return value.map((stored) => ({ stored, onDisk }));
  };

  function holdClaims({ forward, further = [] }: NewDelivery, { key }: StoreResult): void {
    if (forward === 'claim') held.hold(key);
    further.forEach((owed, at) => {
      if (owed.forward === 'claim') held.hold(targetKeyOf(key, at + 1));
    });
  }

  /** Lets the disk work while others go on with what is written. */
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

  // In a crowd, what comes while the disk is busy shares the next commit as it shares the next flush.
  const queue: CommitQueue<Write, WriteResult> = createCommitQueue({ commit, clock, ready: () => flushed });
  return queue;
}
