/** What is to be withdrawn: parsed at the border, trusted inside. Amounts in cents. */
import type { Cents, IdempotencyKey } from '../contract/brand.ts';
import type { PixKeyType } from '../contract/withdrawal.ts';
import type { Scope } from '../ledger/intent.ts';
import type { Policy } from './policy/policy.ts';

export interface WithdrawRequest {
  readonly scope: Scope;
  readonly idempotencyKey: IdempotencyKey;
  readonly amount: Cents;
  /** Already validated and normalised. */
  readonly pixKey: string;
  readonly pixKeyType: PixKeyType;
  readonly policy: Policy;
  readonly savedDestination: boolean;
  /** Send even though the service lists a recent twin that no intent claims. */
  readonly allowDuplicate?: boolean;
  /** What a person had been told of before they were asked anything, if they were (`readReportedTwins`). */
  readonly reportedTwins?: ReadonlySet<string> | undefined;
  /** When the run began, in milliseconds since the epoch: what is reported later, `allowDuplicate` is not about. */
  readonly begunAt?: number | undefined;
  /** While another withdrawal is in flight: give up with 75 (`fail`, `skip`), or wait. Default `fail`. */
  readonly ifBusy?: 'fail' | 'wait' | 'skip';
  /** Bound on that wait. Milliseconds. */
  readonly busyTimeoutMs: number;
}
