/**
 * Transactions of one connection: alone, or shared by calls in the same turn of the event loop. A commit costs more
 * than most of what is done within it, so the calls of many connections share one, and none is answered before it.
 * Anybody else who uses the database in between forces the commit first, so that only those who share it ever read what
 * is not committed.
 */
import { timers } from '../../clock.ts';
import { usageError } from '../../errors.ts';

export type Settled<T> = { readonly value: T } | { readonly error: unknown };

export interface Transactions {
  /** Runs `work`, all or nothing. A transaction inside another joins it. `work` must not return a promise. */
  transaction<T>(work: () => T): T;
  /**
   * Runs `work` in one transaction with others of this turn of the event loop, and calls `settled` after their commit.
   * Its only write must be its last step, since a failure after a write would undo them all.
   */
  shareTransaction<T>(work: () => T, settled: (outcome: Settled<T>) => void): void;
  /** Runs `action` once the current transaction is committed (at once if there is none); never after a rollback. */
  afterCommit(action: () => void): void;
  /** Call it before each statement. */
  beforeStatement(writes?: boolean): void;
  /** Settles what is under way. Later calls fail, and say that the sandbox is closed. */
  close(): void;
}

interface Shared {
  /** Each is told whether the commit failed. */
  readonly members: ((failure: Failure | null) => void)[];
  /** The failure of a member that had already written. */
  spoilt: Failure | null;
}
interface Failure {
  readonly error: unknown;
}

/** The part of `node:sqlite` that is needed. The public types reach this file, and must not need Node's. */
interface Connection {
  readonly isTransaction: boolean;
  prepare(sql: string): { run(): unknown };
}

/**
 * @param onRollback told of a rollback
 * @param onCommit told of a commit
 */
export function createTransactions(
  database: Connection,
  onRollback: () => void,
  onCommit: () => void = () => {},
): Transactions {
  const begin = database.prepare('BEGIN IMMEDIATE');
  const commit = database.prepare('COMMIT');
  const rollback = database.prepare('ROLLBACK');
  let working = false;
  let wrote = false;
  let closed = false;
  let shared: Shared | null = null;
  let pending: (() => void)[] = [];

  const undo = () => {
    pending = [];
    onRollback();
    if (database.isTransaction) rollback.run();
  };
  const committed = () => {
    onCommit();
    const actions = pending;
    pending = [];
    for (const action of actions) action();
  };
  const commitShared = () => {
    if (shared === null) return;
    const { members, spoilt } = shared;
    shared = null;
    let failure = spoilt;
    try {
      if (failure === null) commit.run();
    } catch (error) {
      failure = { error };
    }
    if (failure === null) committed();
    else undo();
    for (const notify of members) notify(failure);
  };
  /**
   * Repeats until none is left: whoever is told about a commit may begin another at once, for the next request on the
   * same connection.
   */
  const commitAllShared = () => {
    while (shared !== null) commitShared();
  };
  const requireOpen = () => {
    if (closed) throw usageError('this sandbox is closed');
  };
  const beforeStatement = (writes = false) => {
    requireOpen();
    if (!working) commitAllShared();
    else if (writes) wrote = true;
  };

  return {
    beforeStatement,
    transaction<T>(work: () => T): T {
      if (working) return work();
      requireOpen();
      commitAllShared();
      begin.run();
      working = true;
      let result: T;
      try {
        result = work();
        commit.run();
      } catch (error) {
        working = false;
        undo();
        throw error;
      }
      working = false;
      committed();
      return result;
    },
    shareTransaction<T>(work: () => T, settled: (outcome: Settled<T>) => void): void {
      if (working) throw new Error('a shared transaction cannot lie within another');
      requireOpen();
      if (shared === null) {
        begin.run();
        shared = { members: [], spoilt: null };
        timers.setImmediate(commitShared);
      }
      working = true;
      wrote = false;
      let outcome: Settled<T>;
      try {
        outcome = { value: work() };
      } catch (error) {
        outcome = { error };
        if (wrote) shared.spoilt ??= { error };
      }
      working = false;
      shared.members.push((failure) => settled(failure ?? outcome));
    },
    afterCommit(action) {
      if (working) pending.push(action);
      else action();
    },
    close() {
      commitAllShared();
      closed = true;
    },
  };
}
