/**
 * Sends one withdrawal at most once, and reports truthfully what became of it (docs/withdrawal-promise.md).
 *   checkLedger  reads the ledger for the key and the scope; an UNKNOWN withdrawal there is reconciled first
 *   preflight    checks the policy and reads the service's whole list; `plan` decides whether to send
 *   execute      SENDING on disk, `departure` before the first byte, one POST, `classify`, `confirm`, `recordVerdict`
 *   conclude     the outcome; another try if nothing left this machine; the first searches if the answer was lost
 * Later runs: `tryReconcile`/`reconcile` (UNKNOWN -> known), `refresh`/`follow` (ACCEPTED -> ended), `resolve` (a
 * person's word). Besides: `dry-run`, and `audit` (ledger against list). docs/architecture.md lists the folders. What a
 * keyed charge shares with this protocol is in `sending/`.
 */
import { PixctlError } from '../errors.ts';
import { sendableStates } from '../ledger/intent.ts';
import { intentId } from '../ledger/intent-id.ts';
import { conclude, type Step } from './attempt/conclude.ts';
import { execute } from './attempt/execute.ts';
import { preflight } from './attempt/preflight.ts';
import { reportHeld } from './attempt/report-held.ts';
import type { Dependencies } from './dependencies.ts';
import { bodyText } from './matching/body.ts';
import { onceReportedTwins } from './matching/reported-twins.ts';
import * as outcomes from './outcome/create-outcome.ts';
import type { Outcome } from './outcome/outcome.ts';
import type { WithdrawRequest } from './request.ts';
import { checkLedger, isSameOrder } from './settling/check-ledger.ts';
import { combineWithLedger } from './settling/combine-with-ledger.ts';
import { overtakenOutcome } from './settling/overtaken.ts';

const pauseMs = { busy: 2_000, again: 50, unsent: [500, 2_000] } as const;
/** How many looks may find that others have changed the ledger before this run gives up (75). */
const maxAgain = 20;

/**
 * Resolves with the outcome, including failures before the send (74, 77, 78). Rejects only on a bug before the send.
 */
export async function withdraw(dependencies: Dependencies, request: WithdrawRequest): Promise<Outcome> {
  const { ledger, clock, signal, onPhase } = dependencies;
  const until = clock.monotonic() + request.busyTimeoutMs;
  const requested = { ...request, body: bodyText(request) };
  const reportedTwins = onceReportedTwins(dependencies, request);
  let again = 0;
  let unsent = 0;
  for (;;) {
    if (signal?.aborted)
      return combineWithLedger(dependencies, requested, outcomes.interrupted(null, signal));
    const step = await attempt(dependencies, request, reportedTwins);
    let pause: number | undefined;
    switch (step.kind) {
      case 'done':
        return step.outcome;
      case 'busy':
        if (request.ifBusy !== 'wait' || clock.monotonic() >= until) return step.outcome;
        onPhase?.('waiting');
        pause = pauseMs.busy;
        break;
      case 'unsent':
        pause = pauseMs.unsent[unsent++];
        if (pause === undefined) return step.outcome;
        break;
      case 'again':
        if (++again > maxAgain)
          return combineWithLedger(dependencies, requested, await overtakenOutcome(ledger));
        pause = pauseMs.again;
    }
    await clock.sleep(pause, signal);
  }
}

/** One pass: checks the ledger, plans, sends. */
async function attempt(
  dependencies: Dependencies,
  request: WithdrawRequest,
  reportedTwins: () => Promise<ReadonlySet<string>>,
): Promise<Step> {
  const { ledger, clock, newId, onPhase } = dependencies;
  const { scope, idempotencyKey, amount } = request;
  const body = bodyText(request);
  try {
    onPhase?.('looking');
    const reported = await reportedTwins();
    const found = await checkLedger(dependencies, { scope, idempotencyKey, body });
    if (found.kind !== 'clear') return found;
    const { known } = found;
    onPhase?.('planning');
    const facts = await preflight(dependencies, request, known, { reportedTwins: reported });
    if ('outcome' in facts) {
      // Another process may have sent this very key while the list was being read.
      const current = await ledger.find(scope, idempotencyKey);
      return current?.version === known?.version ? facts : { kind: 'again' };
    }
    const id = intentId(scope, idempotencyKey);
    const order = { id, kind: 'withdrawal', scope, idempotencyKey, amount, request: body } as const;
    const { intent } = await ledger.plan(order, { id: newId(), at: clock.now(), what: 'planned' });
    if (!isSameOrder(intent, body)) return { kind: 'done', outcome: outcomes.keyReused(intent) };
    // Also if it was sent and refused since it was looked up: the judgement knew nothing of that send.
    if (!sendableStates.includes(intent.state) || intent.fence !== (known?.fence ?? null))
      return { kind: 'again' };
    // Recorded as planned even so: a person may say that the withdrawal listed here, or paid there, is what this key
    // stands for.
    if (facts.kind === 'held')
      return { kind: 'done', outcome: await reportHeld(dependencies, request, intent, facts) };
    return conclude(dependencies, request, intent, await execute(dependencies, intent, facts.send));
  } catch (cause) {
    if (!(cause instanceof PixctlError)) throw cause;
    const requested = { scope, idempotencyKey, body };
    return {
      kind: 'done',
      outcome: await combineWithLedger(dependencies, requested, outcomes.failed(null, cause)),
    };
  }
}
