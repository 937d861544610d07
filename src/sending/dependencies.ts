/**
 * What every send under an idempotency key is handed, whatever it sends: the ledger, and what shows when and by whom a
 * send was begun.
 */
import type { Clock } from '../clock.ts';
import type { Ledger } from '../ledger/ledger.ts';
import type { Owners } from '../owner/owner.ts';

export interface SendingDependencies {
  readonly ledger: Ledger;
  readonly clock: Clock;
  readonly owners: Owners;
  /** A fresh unique id (`randomUUID`). */
  readonly newId: () => string;
  /** Takes one line for stderr, the last resort when an outcome cannot be written. Must not throw. */
  readonly logLastResort: (line: string) => void;
  /** Bound on the POST, and the age at which another host's send is called unknown. Milliseconds. */
  readonly requestTimeoutMs: number;
  /** Stops waiting and following, and a send that has not begun. Never stops an exchange in flight. */
  readonly signal?: AbortSignal | undefined;
}
