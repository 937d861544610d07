/** What we mean to send, and what became of it (docs/withdrawal-promise.md, "States"). Times in ms since the epoch. */
import type { Brand, Cents, IdempotencyKey } from '../contract/brand.ts';
import type { Owner } from '../owner/owner.ts';

/** Whose money it is: the merchant label and the base URL of the profile. A new API key does not change it. */
export type Scope = Brand<string, 'Scope'>;

/** `<merchant label> <base URL>`: a URL has no space, so the last space separates the two. */
export const scopeOf = (profile: { merchant: string; baseUrl: string }): Scope =>
  `${profile.merchant} ${profile.baseUrl}` as Scope;

/** The merchant label of a scope. */
export const labelOf = (scope: Scope): string => scope.slice(0, scope.lastIndexOf(' '));
/** The address of a scope, with the space before it. */
export const addressSuffixOf = (scope: Scope): string => scope.slice(scope.lastIndexOf(' '));

export type IntentKind = 'withdrawal' | 'charge';

export const intentStates = [
  'PLANNED',
  'SENDING',
  'ACCEPTED',
  'REFUSED',
  'NOT_SENT',
  'UNKNOWN',
  'COMPLETED',
  'FAILED',
] as const;
export type IntentState = (typeof intentStates)[number];

/** The states that a kind can be in: how a charge ends, its key does not tell. */
export const statesOf: Readonly<Record<IntentKind, readonly IntentState[]>> = {
  withdrawal: intentStates,
  charge: intentStates.filter((state) => state !== 'COMPLETED' && state !== 'FAILED'),
};

/** States in which money may be on its way: at most one withdrawal of a scope may be in one of them. */
export const openStates: readonly IntentState[] = ['SENDING', 'UNKNOWN'];
export const isOpen = ({ state }: Pick<Intent, 'state'>): boolean => openStates.includes(state);
/** States that count against a daily cap: money moved, is moving, or may have. */
export const spendingStates: readonly IntentState[] = ['SENDING', 'UNKNOWN', 'ACCEPTED', 'COMPLETED'];

export interface Intent {
  readonly id: string;
  readonly kind: IntentKind;
  readonly scope: Scope;
  readonly idempotencyKey: IdempotencyKey;
  readonly state: IntentState;
  /** Rises by one with each event; a change applies only to the version that its writer has read. */
  readonly version: number;
  readonly amount: Cents;
  /** The body that is sent, as canonical JSON; the same key with another body is exit 85. */
  readonly request: string;
  /** The service's id of the withdrawal or charge, once known. */
  readonly resourceId: string | null;
  /** True if `resourceId` came from reconciling or from a person, not from the answer itself. */
  readonly inferred: boolean;
  /** The service's last record of it, as JSON. */
  readonly result: string | null;
  /** Why it is in this state: the service's code, or ours. */
  readonly reason: string | null;
  readonly owner: Owner | null;
  /**
   * The number of this send among the withdrawals of the scope; an owner may record only what belongs to its own
   * number.
   */
  readonly fence: number | null;
  /**
   * Whether a byte may have left. False proves that none has, as long as the sending machine has not restarted since:
   * the mark outlives the process at once, and a power cut once it has been flushed, soon afterwards.
   */
  readonly departed: boolean;
  /** How many withdrawals the service listed before this send; a later list that shows none of them is incomplete. */
  readonly listedCount: number | null;
  readonly createdAt: number;
  /** Taken just before SENDING was committed. */
  readonly sentAt: number | null;
  readonly updatedAt: number;
}

/** One line of the append-only history of an intent. */
export interface IntentEvent {
  readonly id: string;
  /** The version of the intent after it. */
  readonly version: number;
  readonly at: number;
  /** The state of the intent after it. */
  readonly state: IntentState;
  /** What happened: `planned`, `sending`, `answered`, `unknown`, `adopted`, `resolved`, ... */
  readonly what: string;
  readonly details: Readonly<Record<string, unknown>>;
}

/** An event as its writer knows it; its id makes a repeated write harmless. */
export interface NewEvent {
  readonly id: string;
  readonly at: number;
  readonly what: string;
  readonly details?: Readonly<Record<string, unknown>>;
}

/**
 * The next states of each state. Only `Ledger.markSending` enters `SENDING`; an event without a change of state is a
 * note.
 */
const allowedTransitions: Readonly<Record<IntentState, readonly IntentState[]>> = {
  // It was never sent, and a person says that the key stands for a withdrawal made by other means.
  PLANNED: ['ACCEPTED'],
  SENDING: ['ACCEPTED', 'REFUSED', 'NOT_SENT', 'UNKNOWN'],
  // To REFUSED: another host had taken the sender for gone, but it was still waiting for the list to confirm the
  // refusal.
  UNKNOWN: ['ACCEPTED', 'NOT_SENT', 'REFUSED'],
  ACCEPTED: ['COMPLETED', 'FAILED'],
  COMPLETED: [],
  FAILED: [],
  // The list lagged behind when it seemed to confirm the refusal, and a person says which withdrawal it is.
  REFUSED: ['ACCEPTED'],
  // A person said that it never left, and then the answer came after all; or, as above, says which withdrawal it is.
  NOT_SENT: ['ACCEPTED'],
};

/** Whether an intent may go from one state to the other. It may always stay in its state: that is a note. */
export const canTransition = (from: IntentState, to: IntentState): boolean =>
  from === to || allowedTransitions[from].includes(to);
/** States from which the same key may be sent (again). */
export const sendableStates: readonly IntentState[] = ['PLANNED', 'REFUSED', 'NOT_SENT'];
