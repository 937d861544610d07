/** How an inbox keeps an event once, and finds it by its id. */
import type { Queries, Transaction, Value } from '../../database/port.ts';

/** What an event is known by. `copy` is empty but for edited copies, which repeat nothing. */
export interface Identity {
  readonly eventId: string;
  readonly source: string;
  readonly copy: string;
}

export interface NewRow {
  readonly key: string;
  readonly identity: Identity;
  /** Of `columns`, in their order. */
  readonly values: readonly Value[];
}

/** A condition of rows of `inbox_event`: its text, with the first parameter's number, and its parameters. */
export interface Condition {
  readonly text: (first: number) => string;
  readonly values: readonly Value[];
}

export interface Once {
  /** Stores the rows whose event is new; no two of them have the same identity. Answers the keys of what was stored. */
  insert(tx: Transaction, rows: readonly NewRow[]): Promise<ReadonlySet<string>>;
  /** The stored event that has this identity. Later in the same transaction. */
  repeated(tx: Queries, identity: Identity): Promise<Condition>;
  /** The transaction has failed: what it had stored is not there. */
  undone(): void;
  /** Every event with this id, of any source, copies too; and the one with this key. */
  called(database: Queries, idOrKey: string): Promise<Condition>;
  /** In a transaction, before events are removed. */
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
