/** What the listener needs of the store of deliveries. The inbox has it, and the command hands it in. */
import type {
  ClaimFilter,
  ForwardOutcome,
  InboxEvent,
  NewDelivery,
  StoreResult,
} from '../forward/forward.ts';

export type * from '../forward/forward.ts';

/**
 * An event owed to an application and claimed by this process. `target`: the only URL it goes to; null: wherever this
 * listener forwards.
 */
export type OwedEvent = Omit<
  InboxEvent,
  'origin' | 'edits' | 'duplicates' | 'state' | 'nextAt' | 'status' | 'error' | 'targets'
>;

export interface Store {
  /** Resolves once it is durable. `onWritten` is called as soon as it outlives this process. */
  add(arrival: NewDelivery, onWritten?: (stored: StoreResult) => void): Promise<StoreResult>;
  claimDue(source: string, limit: number, choice: ClaimFilter): Promise<OwedEvent[]>;
  /** Whether the claim is still this process's, and was not taken over while it was suspended. */
  stillHolds(key: string): Promise<boolean>;
  record(outcome: ForwardOutcome): Promise<void>;
  postpone(key: string, nextAt: number): Promise<void>;
}
