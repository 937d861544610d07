/** Sends one withdrawal at most once, and says truly what became of it (DESIGN "Safe withdrawals"). */
import type { Cents, IdempotencyKey } from '../contract/brand.ts';
import type { PixKeyType, Withdrawal } from '../contract/withdrawal.ts';
import type { Intent, Scope } from '../ledger/intent.ts';
import type { Dependencies } from './dependencies.ts';
import type { Outcome } from './outcome.ts';
import type { Policy } from './policy.ts';

export interface WithdrawRequest {
  readonly scope: Scope;
  readonly idempotencyKey: IdempotencyKey;
  readonly amount: Cents;
  /** Already validated and normalised. */
  readonly pixKey: string;
  readonly pixKeyType: PixKeyType;
  readonly policy: Policy;
  readonly savedDestination: boolean;
  /** Send although the service lists a recent twin that no intent claims. */
  readonly allowDuplicate?: boolean;
  /** While another withdrawal is in flight: give up with 75 (`fail`, `skip`), or wait. Default `fail`. */
  readonly ifBusy?: 'fail' | 'wait' | 'skip';
  /** Bound on that wait, milliseconds. Default ten minutes. */
  readonly busyTimeoutMs?: number;
}

/** What a run would do now: `--dry-run`. Reads the ledger and the service, writes and sends nothing. */
export interface Preview {
  /** What the run would end with at once instead of sending; null when it would send. */
  readonly obstacle: Outcome | null;
  readonly intent: Intent | null;
  readonly twins: readonly Withdrawal[];
  readonly spentToday: number;
}

export declare function withdraw(dependencies: Dependencies, request: WithdrawRequest): Promise<Outcome>;
export declare function preview(dependencies: Dependencies, request: WithdrawRequest): Promise<Preview>;
