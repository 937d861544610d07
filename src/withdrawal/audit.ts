/** The ledger against the service's list: what does not agree. */
import type { Withdrawal } from '../contract/withdrawal.ts';
import type { Intent, Scope } from '../ledger/intent.ts';
import type { Dependencies } from './dependencies.ts';

export interface Finding {
  readonly code: 'UNCLAIMED' | 'NOT_LISTED' | 'DIFFERS' | 'INFERRED' | 'UNKNOWN' | 'STATE_BEHIND';
  readonly severity: 'problem' | 'look' | 'note';
  readonly message: string;
  readonly intent: Intent | null;
  readonly withdrawal: Withdrawal | null;
}

/** Reads the whole list and the ledger of the scope; changes nothing. */
export declare function audit(
  dependencies: Pick<Dependencies, 'ledger' | 'service'>,
  scope: Scope,
): Promise<Finding[]>;
