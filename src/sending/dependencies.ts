/**
 * What every send under an idempotency key is handed, whatever it sends: the ledger, and by what it tells when a
 * send was begun and by whom.
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
  /** Last resort when an outcome cannot be written: one line for stderr. Must not throw. */
  readonly rescue: (line: string) => void;
  /** Bound on the POST, milliseconds; also how old another host's send must be to be called unknown. */
  readonly requestTimeoutMs: number;
  /** Stops waiting and following, and a send not yet begun; never an exchange in flight. */
  readonly signal?: AbortSignal | undefined;
}
