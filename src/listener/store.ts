/** What the listener needs of the store of deliveries. The inbox has it, and the command hands it in. */
import type { ClaimFilter, ForwardOutcome, Headers, StoreResult } from '../forward/forward.ts';

export type * from '../forward/forward.ts';

export interface NewDelivery {
  /** Fingerprint of the secret that signed it. */
  readonly source: string;
  readonly eventId: string;
  readonly event: string;
  readonly body: Uint8Array;
  readonly headers: Headers;
  readonly origin: 'delivery' | 'poll';
  readonly forward: ForwardMode;
  /** The first of several URLs that are owed the event; without it, the event goes wherever this listener forwards. */
  readonly target?: string;
  /** The others. */
  readonly further?: readonly { readonly target: string; readonly forward: ForwardMode }[];
}

/** See `NewDelivery` of the inbox. */
export type ForwardMode = 'claim' | 'leave' | 'none';

/** An event owed to an application and claimed by this process. */
export interface OwedEvent {
  readonly key: string;
  readonly source: string;
  readonly eventId: string;
  readonly event: string;
  readonly receivedAt: number;
  readonly body: Uint8Array;
  readonly headers: Headers;
  /** The only URL it goes to. Null: wherever this listener forwards. */
  readonly target: string | null;
  readonly attempts: number;
  readonly failures: number;
}

export interface Store {
  /** Resolves once it is durable. `onWritten` is called as soon as it outlives this process. */
  add(arrival: NewDelivery, onWritten?: (stored: StoreResult) => void): Promise<StoreResult>;
  claimDue(source: string, limit: number, choice: ClaimFilter): Promise<OwedEvent[]>;
  /** Whether the claim is still this process's, and was not taken over while it was suspended. */
  stillHolds(key: string): Promise<boolean>;
  record(outcome: ForwardOutcome): Promise<void>;
  postpone(key: string, nextAt: number): Promise<void>;
}
