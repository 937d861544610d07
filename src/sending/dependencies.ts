/**
 * What every send under an idempotency key is given, whatever it sends: the ledger, and what shows when and by
 * whom a send was begun.
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
  /** Stops waiting and following, and a send that has not begun; never an exchange in flight. */
  readonly signal?: AbortSignal | undefined;
}
