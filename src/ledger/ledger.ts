/**
 * The durable record of intents and their events (docs/withdrawal-promise.md). Each method is one transaction;
 * an intent and the event of its change are written together or not at all.
 *
 * The database's constraints prevent a second send, with every driver and any number of hosts:
 * `UNIQUE(scope, idempotency_key)`, one SENDING|UNKNOWN withdrawal per scope, `UNIQUE(scope, kind, resource_id)`.
 * Failures of storage are `PixctlError`s of kind `storage` (74) or `config` (78).
 */
import type { IdempotencyKey } from '../contract/brand.ts';
import type { PixctlError } from '../errors.ts';
import type { Owner } from '../owner/owner.ts';
import type { Intent, IntentEvent, IntentKind, IntentState, NewEvent, Scope } from './intent.ts';

export type NewIntent = Pick<Intent, 'id' | 'kind' | 'scope' | 'idempotencyKey' | 'amount' | 'request'>;

export interface MarkSendingOptions {
  readonly owner: Owner;
  /** Milliseconds since the epoch, taken before the commit. */
  readonly at: number;
  /** The fence as read before the list: if another send has begun since, this one does not (`stale`). */
  readonly expectedFence: number;
  /** Every id that the service listed: none of them can be the outcome of this send. */
  readonly baseline: Iterable<string>;
  /** Refuses if the spending of the scope since `since`, including this intent, would exceed `cents`. */
  readonly limit?: { readonly since: number; readonly cents: number } | undefined;
}

export type SendingResult =
  | { readonly kind: 'sending'; readonly intent: Intent }
  /** Another withdrawal of the scope is SENDING or UNKNOWN. */
  | { readonly kind: 'busy' }
  /** The intent or the fence is no longer what the caller saw: look again. */
  | { readonly kind: 'stale' }
  | { readonly kind: 'over-limit'; readonly spent: number };

/** The fields that a change sets; absent ones stay as they are. */
export type IntentChange = { readonly state: IntentState } & Partial<
  Pick<Intent, 'resourceId' | 'inferred' | 'result' | 'reason'>
>;

/** Somebody else changed the intent between SENDING and its first byte. */
export class OvertakenError extends Error {
  override readonly name = 'Overtaken';
}

export interface ListFilter {
  readonly kind?: IntentKind;
  readonly states?: readonly IntentState[];
  /** At most this many, newest first; without it, all. */
  readonly limit?: number;
}

/** Enough of an intent to see later whether it has changed. */
export type Claim = Pick<Intent, 'idempotencyKey' | 'resourceId' | 'version'>;

export type IntentSelector =
  | { readonly resourceIds: readonly string[] }
  | { readonly keys: readonly IdempotencyKey[] };

export interface Ledger {
  /** Created with the ledger and never changed. The settings store it, so that another ledger is noticed. */
  readonly id: string;
  /** Where it is stored, without credentials. */
  readonly location: string;
  find(scope: Scope, key: IdempotencyKey): Promise<Intent | null>;
  /** The withdrawal of the scope that is SENDING or UNKNOWN. */
  findOpen(scope: Scope): Promise<Intent | null>;
  /** Number of the scope's latest send; 0 before the first. */
  fence(scope: Scope): Promise<number>;
  /**
   * The withdrawal of the scope with this request that was sent last, under any key. `from`: considers only sends of
   * this number or later; the more of them there are, the longer it takes. Default 1, which is all of them.
   */
  lastSent(scope: Scope, request: string, from?: number): Promise<Intent | null>;
  /** Writes PLANNED, or returns the intent that already has the key. */
  plan(intent: NewIntent, event: NewEvent): Promise<{ readonly created: boolean; readonly intent: Intent }>;
  /**
   * PLANNED, REFUSED or NOT_SENT -> SENDING, durably, with its baseline. For charges `baseline` is ignored
   * and `busy` cannot happen. The caller may send only on `sending`.
   */
  markSending(intent: Intent, sending: MarkSendingOptions, event: NewEvent): Promise<SendingResult>;
  /**
   * Marks SENDING as departed, synchronously, just before the first byte (see `Intent.departed`). This is a
   * compare-and-set, so that a send called off meanwhile cannot leave: it then throws `Overtaken`. It also throws if
   * storage fails. After either, nothing may leave. Absent if the driver cannot do it (PostgreSQL): there,
   * `markSending` sets the mark at once.
   */
  readonly markDeparted?: (intent: Intent, event: NewEvent) => Intent;
  /**
   * Changes an intent if its version is still the one given. Returns the changed intent; the current one, if this same
   * event was written before; or null, if somebody else changed it: look again. Throws `ConstraintError` if another
   * intent claims the resource id.
   */
  record(intent: Intent, change: IntentChange, event: NewEvent): Promise<Intent | null>;
  /** The ids that the service had listed before the scope's send of that number. */
  baseline(scope: Scope, fence: number): Promise<ReadonlySet<string>>;
  /** Those of these ids that any intent of the kind claims, inferred claims included. */
  findClaimedIds(scope: Scope, kind: IntentKind, ids: Iterable<string>): Promise<ReadonlySet<string>>;
  /**
   * Cents of the withdrawals sent since (or planned since, if never sent), in every state in which money moved or may
   * have.
   */
  spentSince(scope: Scope, since: number): Promise<number>;
  /** For each of these withdrawals that the service had listed before a send of the scope, the first such send. */
  firstSeen(scope: Scope, withdrawalIds: readonly string[]): Promise<ReadonlyMap<string, number>>;
  /**
   * The intents of a kind that claim one of these ids, or have one of these keys. For an id that nobody claims, an
   * embedded ledger reads all of its rows.
   */
  findMany(scope: Scope, kind: IntentKind, selector: IntentSelector): Promise<Intent[]>;
  list(scope: Scope, filter?: ListFilter): Promise<Intent[]>;
  /**
   * All claims of a kind, part by part, in the order of their keys. Each is read once, as of when its part is
   * requested; one whose key is made meanwhile may be left out.
   */
  listClaims(scope: Scope, kind: IntentKind): AsyncIterable<readonly Claim[]>;
  /** All intents of a kind, in the same way. */
  listIntents(scope: Scope, kind: IntentKind): AsyncIterable<readonly Intent[]>;
  /** Every scope that has an intent of any kind. */
  scopes(): Promise<Scope[]>;
  /** Withdrawals with one of these ids or one of these keys in every other scope. */
  inOtherScopes(scope: Scope, selector: IntentSelector): Promise<Intent[]>;
  /** The withdrawals with this key in every scope. */
  inEveryScope(key: IdempotencyKey): Promise<Intent[]>;
  /** Open withdrawals (SENDING, UNKNOWN) of every other scope, at most one from each. */
  openElsewhere(scope: Scope): Promise<Intent[]>;
  /** Withdrawals of one of these amounts, in cents, that are REFUSED in any other scope. Reads every row. */
  refusedElsewhere(scope: Scope, amounts: ReadonlySet<number>): Promise<Intent[]>;
  /**
   * Withdrawals of every other scope that claim this id, are open (SENDING, UNKNOWN), or were sent since and are or
   * have been REFUSED, all as of one moment.
   */
  possibleOwnersElsewhere(scope: Scope, resourceId: string, sentSince: number): Promise<Intent[]>;
  /**
   * Withdrawals under other labels at the scope's address that are open (SENDING, UNKNOWN), or that were sent since
   * then and moved money or may have. Reads every row of the ledger.
   */
  spendingUnderOtherLabels(scope: Scope, since: number): Promise<Intent[]>;
  events(intent: Intent): Promise<IntentEvent[]>;
  /** What is damaged in its file, or null; takes longer the more it holds. Absent if there is no way to tell. */
  readonly findDamage?: () => Promise<PixctlError | null>;
  close(): Promise<void>;
}
