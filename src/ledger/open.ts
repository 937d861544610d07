/** Opens the ledger on a database and checks that it is the one expected. */
import type { Clock } from '../clock.ts';
import type { Ledger } from './ledger.ts';

export interface OpenLedgerOptions {
  /** `PIXCTL_LEDGER_URL`, or a file path: see `database/open.ts`. */
  readonly url: string;
  /** The id pinned in the settings; null on the first run: pin `ledger.id` once it is open. */
  readonly expectedId: string | null;
  readonly clock: Clock;
}

/**
 * Throws `configError` (78, `LEDGER_MISSING` or `LEDGER_REPLACED`) when the ledger is gone, emptied or
 * another one than `expectedId`; nothing is created then.
 */
export declare function openLedger(options: OpenLedgerOptions): Promise<Ledger>;
