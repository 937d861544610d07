/** What `connectSandbox` takes and gives. */
import type { Sandbox } from './sandbox.ts';

/** What `sandbox start -o json` prints, and what `startSandbox` gives, has both; the rest of it is ignored. */
export interface ConnectOptions {
  /** Where it listens: `http://127.0.0.1:4010`. Beyond this machine only a private name or address. */
  readonly url: string;
  /** A key of this sandbox. Its merchant is the one that is driven (`ConnectedSandbox`). */
  readonly apiKey: string;
}

/** The same members; what a function gives comes as a promise, because it comes from another process. */
type Promised<T> = {
  readonly [K in keyof T]: T[K] extends (...taken: infer Taken) => infer Given
    ? (...taken: Taken) => Promise<Awaited<Given>>
    : T[K] extends object
      ? Promised<T[K]>
      : T[K];
};

/**
 * A running sandbox in another process. Connected with the key of the first merchant, it means what `Sandbox` means.
 * With that of another merchant, it is that merchant's: what concerns the first one there concerns this one here, and
 * `events`, `waitForEvent`, `deliveries` and `requests` tell of this one only. The clock, faults, snapshots and `reset`
 * are everybody's.
 */
export interface ConnectedSandbox extends Promised<Sandbox> {
  /** The page, which answers only under a loopback address: not where `url` is that of another machine. */
  readonly uiUrl: string;
  /** A key of the merchant: the one that was connected with. */
  readonly apiKey: string;
  /** Whose key it is. A `restore` of this object may change it, if it is the first merchant's. */
  readonly merchantId: string;
  /** Ends what still waits for an event, and refuses later calls. The sandbox itself goes on. */
  close(): Promise<void>;
}

/** One in this process or in another: a test that awaits each answer runs on either. */
export type AnySandbox = Sandbox | ConnectedSandbox;
