/** What the listener needs of whoever keeps deliveries; the inbox fits it, and is handed in by the command. */
export type Headers = readonly (readonly [name: string, value: string])[];

export type ForwardState = 'NONE' | 'WAITING' | 'DELIVERED' | 'GIVEN_UP';

export interface Arrival {
  /** Fingerprint of the secret that signed it. */
  readonly source: string;
  readonly eventId: string;
  readonly event: string;
  readonly body: Uint8Array;
  readonly headers: Headers;
  readonly origin: 'delivery' | 'poll';
  readonly forward: 'claim' | 'leave' | 'none';
}

/** An event owed to an application and claimed by this process. */
export interface Owed {
  readonly key: string;
  readonly source: string;
  readonly eventId: string;
  readonly event: string;
  readonly receivedAt: number;
  readonly body: Uint8Array;
  readonly headers: Headers;
  /** Only to this URL; null: wherever this listener forwards. */
  readonly target: string | null;
  readonly attempts: number;
  readonly failures: number;
}

export interface Outcome {
  readonly key: string;
  readonly number: number;
  readonly url: string;
  readonly startedAt: number;
  readonly ms: number;
  readonly status: number | null;
  readonly error: string | null;
  /** Beginning of what the application said with another status than 2xx; null otherwise. */
  readonly answer: string | null;
  readonly signature: 'original' | 'fresh';
  readonly state: ForwardState;
  readonly nextAt: number | null;
  readonly failures: number;
}

export interface Stored {
  readonly key: string;
  readonly duplicate: boolean;
  readonly state: ForwardState;
  readonly attempts: number;
}

export interface Store {
  /** Durable when it resolves; `onWritten` is told as soon as it outlives this process. */
  add(arrival: Arrival, onWritten?: (stored: Stored) => void): Promise<Stored>;
  claimDue(source: string, limit: number): Promise<Owed[]>;
  record(outcome: Outcome): Promise<void>;
  postpone(key: string, nextAt: number): Promise<void>;
}
