/** Turns an execution into the outcome to report, or into another try if nothing has left. */
import { describeFailure } from '../../api/failure.ts';
import { PixctlError } from '../../errors.ts';
import { type Intent, sendableStates } from '../../ledger/intent.ts';
import { lateWords, NotDepartedError } from '../../sending/departure.ts';
import type { Dependencies } from '../dependencies.ts';
import * as outcomes from '../outcome/create-outcome.ts';
import { stopElsewhere } from '../outcome/other-address.ts';
import type { Outcome } from '../outcome/outcome.ts';
import type { WithdrawRequest } from '../request.ts';
import { wasAccepted } from '../settling/check-ledger.ts';
import { stillUnknownOutcome, type Unreconciled } from '../settling/still-unknown.ts';
import { tryReconcile } from '../settling/try-reconcile.ts';
import type { Verdict } from './classify.ts';
import type { Execution } from './execute.ts';
import { reportHeld } from './report-held.ts';

export type Step =
  | { readonly kind: 'done' | 'busy'; readonly outcome: Outcome }
  /** Nothing left this machine: try again, a bounded number of times. */
  | { readonly kind: 'unsent'; readonly outcome: Outcome }
  | { readonly kind: 'again' };

/** Pauses before each search for a lost answer, in the run that lost it. Milliseconds. */
const searchPausesMs = [0, 1_000, 3_000] as const;

/**
 * Returns what an execution came to, as the ledger has it now. Searches for a lost answer, with pauses, before it
 * reports the outcome as unknown.
 */
export async function conclude(
  dependencies: Dependencies,
  request: WithdrawRequest,
  planned: Intent,
  execution: Execution,
): Promise<Step> {
  switch (execution.kind) {
    case 'busy':
    case 'stale':
      return { kind: 'again' };
    case 'over-limit': {
      const { spent } = execution;
      const cap = request.policy.maxPerDay ?? planned.amount;
      return {
        kind: 'done',
        outcome: outcomes.policyBreach(planned, { rule: 'max-per-day', cap, spentToday: spent }),
      };
    }
    case 'elsewhere':
      return heldElsewhere(dependencies, request, execution);
    case 'unrecorded':
      return {
        kind: 'done',
        outcome: await unrecordedOutcome(dependencies, execution.intent, execution.verdict),
      };
    case 'recorded':
      return fromLedger(dependencies, execution);
  }
}

/** Reports the send that was called off because of `other`: its outcome is not known, or it was paid or refused. */
async function heldElsewhere(
  dependencies: Dependencies,
  request: WithdrawRequest,
  { intent, other }: Execution & { readonly kind: 'elsewhere' },
): Promise<Step> {
  const stopped = stopElsewhere(intent, other);
  if (stopped !== null) return stopped;
  const held = { twins: [], paid: other };
  return { kind: 'done', outcome: await reportHeld(dependencies, request, intent, held) };
}

/** Reports what the ledger holds now, which may differ from what this run wrote. */
async function fromLedger(
  dependencies: Dependencies,
  { intent, verdict, unwritten }: Execution & { readonly kind: 'recorded' },
): Promise<Step> {
  if (wasAccepted(intent))
    return { kind: 'done', outcome: outcomes.acceptedOutcome(intent, false, unwritten) };
  if (intent.state === 'REFUSED' && verdict.kind === 'refused')
    return { kind: 'done', outcome: outcomes.refused(intent, verdict.status, verdict.code, verdict.message) };
  if (verdict.kind === 'not-sent')
    return intent.state === 'NOT_SENT' ? unsentStep(dependencies, intent, verdict.cause) : { kind: 'again' };
  return { kind: 'done', outcome: await search(dependencies, intent) };
}

function unsentStep(
  { signal }: Dependencies,
  intent: Intent,
  cause: unknown,
): Exclude<Step, { kind: 'again' }> {
  // No key, or a key that must not be sent there: trying again would not help.
  if (cause instanceof PixctlError) return { kind: 'done', outcome: outcomes.failed(intent, cause) };
  if (signal?.aborted) return { kind: 'done', outcome: outcomes.interrupted(intent, signal) };
  const late = cause instanceof NotDepartedError && cause.why === 'late';
  const words = late ? lateWords : describeFailure(cause);
  return { kind: 'unsent', outcome: outcomes.notSent(intent, words) };
}

/** Searches the list a few times for the withdrawal whose answer was lost. */
async function search(dependencies: Dependencies, intent: Intent): Promise<Outcome> {
  const { clock, signal, onPhase, ledger } = dependencies;
  let settled: Unreconciled | null = null;
  try {
    for (const pause of searchPausesMs) {
      onPhase?.('reconciling');
      await clock.sleep(pause, signal);
      const current = await ledger.find(intent.scope, intent.idempotencyKey);
      if (current?.state !== 'UNKNOWN') return outcomeRecordedByOthers(current ?? intent);
      const found = await tryReconcile(dependencies, current);
      if (found.kind === 'adopted') return outcomes.acceptedOutcome(found.intent, false, found.unwritten);
      settled = found;
      if (signal?.aborted) break;
      // The answer to the send of another scope tells whether what is listed is that one's.
      if (settled.kind === 'undecided' && settled.other?.state !== 'SENDING') break;
    }
    const last = await ledger.find(intent.scope, intent.idempotencyKey);
    if (last?.state !== 'UNKNOWN') return outcomeRecordedByOthers(last ?? intent);
  } catch {
    // The row durably says UNKNOWN; the next run searches again.
  }
  return stillUnknownOutcome(dependencies, intent, settled).catch(() =>
    outcomes.unknownOutcome(intent, outcomes.unknownReason(intent)),
  );
}

/** Reports what another process, or a person, has recorded in the meantime. */
function outcomeRecordedByOthers(intent: Intent): Outcome {
  if (wasAccepted(intent)) return outcomes.acceptedOutcome(intent, false);
  if (!sendableStates.includes(intent.state))
    return outcomes.unknownOutcome(intent, `another process has recorded ${intent.state} in the meantime`);
  // The ledger says that it never happened, and a rerun would believe the ledger.
  return outcomes.unknownOutcome(
    intent,
    `its outcome was not known, and meanwhile it was recorded as ${intent.state}`,
    {
      hint: 'Look for it in the dashboard first: the same withdraw command, run again, sends it again.',
    },
  );
}

/** The ledger still says SENDING. If a byte left, the next run has to look, whatever the answer was. */
async function unrecordedOutcome(
  dependencies: Dependencies,
  intent: Intent,
  verdict: Verdict,
): Promise<Outcome> {
  if (verdict.kind === 'not-sent' && (await isStillOurs(dependencies, intent)))
    return unsentStep(dependencies, { ...intent, state: 'NOT_SENT' }, verdict.cause).outcome;
  const what =
    verdict.kind === 'accepted' ? `the service accepted it as ${verdict.withdrawal.id}` : verdict.kind;
  return outcomes.unknownOutcome(intent, `its outcome (${what}) could not be written to the ledger`);
}

/** Whether nobody else has called this send off (and perhaps sent the key again). False if that cannot be read. */
async function isStillOurs({ ledger }: Dependencies, intent: Intent): Promise<boolean> {
  const current = await ledger.find(intent.scope, intent.idempotencyKey).catch(() => null);
  return current?.state === 'SENDING' && current.fence === intent.fence;
}
