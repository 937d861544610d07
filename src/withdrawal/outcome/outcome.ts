/** The result of a run of the protocol: one shape for every command, the batch and the simulation. */
import type { Withdrawal } from '../../contract/withdrawal.ts';
import type { ExitName } from '../../errors.ts';
import type { Intent } from '../../ledger/intent.ts';

export interface Outcome {
  /** `ok` only if the service itself has confirmed it. */
  readonly exit: ExitName;
  /** Stable and machine readable: `ACCEPTED`, `BUSY`, `POLICY_DAY`, ... */
  readonly code: string;
  /** What happened and whether anything was sent. */
  readonly message: string;
  readonly hint?: string | undefined;
  /** The intent of the key that was asked for, as the ledger now has it; null when it has none. */
  readonly intent: Intent | null;
  /** The service's last record, where one is known. */
  readonly withdrawal: Withdrawal | null;
  /** True when the key had been settled by an earlier run and nothing was sent in this one. */
  readonly replayed: boolean;
  /** True when the ledger could not be read: what earlier runs did under this key is not known here. */
  readonly unread?: boolean;
  /** Withdrawals that a person has to choose from, or equal ones that belong to no intent. */
  readonly candidates?: readonly Withdrawal[];
  /** Of a twin: what corrects the ledger where it is this very withdrawal. A sentence; empty where it cannot be. */
  readonly correction?: string;
  readonly httpStatus?: number | undefined;
  readonly serviceCode?: string | undefined;
}
