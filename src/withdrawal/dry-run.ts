/** `withdraw --dry-run`: what a run would do now. */
import type { Withdrawal } from '../contract/withdrawal.ts';
import type { Intent } from '../ledger/intent.ts';
import { bodyText } from './body.ts';
import type { Dependencies } from './dependencies.ts';
import { look } from './look.ts';
import type { Outcome } from './outcome.ts';
import { dayStart } from './policy/policy.ts';
import type { WithdrawRequest } from './request.ts';
import * as say from './say.ts';
import { survey } from './survey.ts';

export interface Preview {
  /** What the run would end with at once instead of sending; null when it would send. */
  readonly obstacle: Outcome | null;
  readonly intent: Intent | null;
  /** Unclaimed withdrawals of the same amount and key that the service lists. */
  readonly twins: readonly Withdrawal[];
  /** Cents paid out today before this withdrawal. */
  readonly spentToday: number;
}

/** Reads the ledger and the service; writes and sends nothing. */
export async function preview(dependencies: Dependencies, request: WithdrawRequest): Promise<Preview> {
  const { scope, idempotencyKey, policy } = request;
  const today = dayStart(dependencies.clock.now(), policy.timeZone);
  const spentToday = await dependencies.ledger.spentSince(scope, today);
  const found = await look(dependencies, { scope, idempotencyKey, body: bodyText(request), dry: true });
  if (found.kind === 'done' || found.kind === 'busy')
    return { obstacle: found.outcome, intent: found.outcome.intent, twins: [], spentToday };
  const known = found.kind === 'clear' ? found.known : null;
  const facts = await survey(dependencies, request, known);
  const seen = { intent: known, twins: facts.kind === 'twins' ? facts.twins : [], spentToday };
  if (facts.kind === 'ready') return { ...seen, obstacle: null };
  return {
    ...seen,
    obstacle: facts.kind === 'twins' ? say.twinsFound(known, facts.twins, []) : facts.outcome,
  };
}
