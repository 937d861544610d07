/** The result of a run of the protocol: one shape for every command, the batch and the simulation. */
import type { Withdrawal } from '../../contract/withdrawal.ts';
import type { ExitName } from '../../errors.ts';
import type { Intent } from '../../ledger/intent.ts';
import type { OwnerElsewhere } from './owner-elsewhere.ts';

export interface Outcome {
  /** `ok` only if the service itself has confirmed it. */
  readonly exit: ExitName;
  /** Stable and machine readable: `ACCEPTED`, `BUSY`, `POLICY_MAX_PER_DAY`, ... */
  readonly code: string;
  /** What happened and whether anything was sent. */
  readonly message: string;
  readonly hint?: string | undefined;
  /** The intent of the key that was asked for, as the ledger now has it; null if it has none. */
  readonly intent: Intent | null;
  /** The service's last record, if one is known. */
  readonly withdrawal: Withdrawal | null;
  /** Whether an earlier run had settled the key, so that this run sent nothing. */
  readonly replayed: boolean;
  /** Whether the ledger could not be read: what earlier runs did under this key is then not known here. */
  readonly unread?: boolean;
  /** Withdrawals for a person to choose from, or equal ones that belong to no intent. */
  readonly candidates?: readonly Withdrawal[];
  /** What other labels and addresses of the ledger have of the candidates, or may have made. */
  readonly elsewhere?: readonly OwnerElsewhere[];
  /**
   * For a twin: a sentence that says how to correct the ledger if it is this very withdrawal. Empty if it cannot be.
   */
  readonly correction?: string;
  /**
   * For a possible duplicate: records that a person was told of it, which `--allow-duplicate` needs. To be called once
   * the words are out, never before. Rejects if the ledger fails (74).
   */
  readonly recordTold?: (() => Promise<void>) | undefined;
  /** What of the order was refused: a field of the request, or what an error from before the send names. */
  readonly field?: string | undefined;
  readonly httpStatus?: number | undefined;
  readonly serviceCode?: string | undefined;
}
