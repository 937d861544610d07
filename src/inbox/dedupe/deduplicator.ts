/** How an inbox keeps an event only once, and finds it by its id. */
import type { Queries, Transaction, Value } from '../../database/port.ts';

/** What identifies an event. `copy` is empty except for edited copies, which duplicate nothing. */
export interface Identity {
  readonly eventId: string;
  readonly source: string;
  readonly copy: string;
}

export interface NewRow {
  readonly key: string;
  readonly identity: Identity;
  /** The values of `columns`, in their order. */
  readonly values: readonly Value[];
}

/** A condition on rows of `inbox_event`: its text, given the number of its first parameter, and its parameters. */
export interface Condition {
  readonly text: (first: number) => string;
  readonly values: readonly Value[];
}

export interface Deduplicator {
  /** Stores the rows whose event is new; no two may have the same identity. Returns the keys of what was stored. */
  insert(tx: Transaction, rows: readonly NewRow[]): Promise<ReadonlySet<string>>;
  /** Finds the stored event with this identity, later in the same transaction. */
  matchIdentity(tx: Queries, identity: Identity): Promise<Condition>;
  /** Call it if the transaction has failed: what it stored is not there. */
  onRollback(): void;
  /**
   * Finds every event with this id, of any source, copies included, or the event with this key. No key is an id of the
   * service.
   */
  matchIdOrKey(database: Queries, idOrKey: string): Promise<Condition>;
  /** Call it in a transaction, before events are removed. */
  beforeRemoval(tx: Queries): Promise<void>;
}

export const columns = [
  'key',
  'source',
  'event_id',
  'copy',
  'event',
  'received_at',
  'origin',
  'edits',
  'headers',
  'body',
  'state',
  'target',
  'next_at',
  'claimed_by',
] as const;
