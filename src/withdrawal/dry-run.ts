/** `withdraw --dry-run`: says what a run would do now. */
import type { Intent } from '../ledger/intent.ts';
import { preflight } from './attempt/preflight.ts';
import { heldOutcome } from './attempt/report-held.ts';
import type { Dependencies } from './dependencies.ts';
import { bodyText } from './matching/body.ts';
import { onceReportedTwins } from './matching/reported-twins.ts';
import type { Outcome } from './outcome/outcome.ts';
import { dayStart } from './policy/policy.ts';
import type { WithdrawRequest } from './request.ts';
import { checkLedger } from './settling/check-ledger.ts';

export interface Preview {
  /** What the run would end with at once, instead of sending; null if it would send. */
  readonly obstacle: Outcome | null;
  readonly intent: Intent | null;
  /** Cents paid out today before this withdrawal. */
  readonly spentToday: number;
}

/** Reads the ledger and the service. Writes and sends nothing. */
export async function preview(dependencies: Dependencies, request: WithdrawRequest): Promise<Preview> {
  const { scope, idempotencyKey, policy } = request;
  const today = dayStart(dependencies.clock.now(), policy.timeZone);
  const spentToday = await dependencies.ledger.spentSince(scope, today);
  const found = await checkLedger(dependencies, {
    scope,
    idempotencyKey,
    body: bodyText(request),
    dryRun: true,
  });
  if (found.kind === 'done' || found.kind === 'busy')
    return { obstacle: found.outcome, intent: found.outcome.intent, spentToday };
  const known = found.kind === 'clear' ? found.known : null;
  const reportedTwins = await onceReportedTwins(dependencies, request)();
  const facts = await preflight(dependencies, request, known, { dry: true, reportedTwins });
  const seen = { intent: known, spentToday };
  if (facts.kind === 'held')
    return { ...seen, obstacle: await heldOutcome(dependencies, request, known, facts) };
  return { ...seen, obstacle: facts.kind === 'ready' ? null : facts.outcome };
}
