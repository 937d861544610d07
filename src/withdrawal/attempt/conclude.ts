/** From an execution to the outcome that is told, or to another try where nothing has left. */
import { lostWords } from '../../api/failure.ts';
import { PixctlError } from '../../errors.ts';
import { type Intent, sendableStates } from '../../ledger/intent.ts';
import { lateWords, NotDeparted } from '../../sending/departure.ts';
import type { Dependencies } from '../dependencies.ts';
import { heldElsewhere } from '../outcome/other-address.ts';
import type { Outcome } from '../outcome/outcome.ts';
import * as say from '../outcome/say.ts';
import type { Policy } from '../policy/policy.ts';
import { isSettled } from '../settling/look.ts';
import { settle } from '../settling/settle.ts';
import { stillUnknown, type Unsettled } from '../settling/still-unknown.ts';
import type { Verdict } from './classify.ts';
import type { Execution } from './execute.ts';

export type Step =
  | { readonly kind: 'done' | 'busy'; readonly outcome: Outcome }
  /** Nothing left this machine: a bounded number of further tries. */
  | { readonly kind: 'unsent'; readonly outcome: Outcome }
  | { readonly kind: 'again' };

/** Pauses before each look for a lost answer in the run that lost it, milliseconds. */
const looks = [0, 1_000, 3_000] as const;

/**
 * What an execution came to, as the ledger has it now. Waits and looks for a lost answer before it calls it unknown.
 */
export async function conclude(
  dependencies: Dependencies,
  policy: Policy,
  planned: Intent,
  execution: Execution,
): Promise<Step> {
  switch (execution.kind) {
    case 'busy':
    case 'stale':
      return { kind: 'again' };
    case 'over-limit': {
      const { spent } = execution;
      const cap = policy.maxPerDay ?? planned.amount;
      return {
        kind: 'done',
        outcome: say.policyBreach(planned, { rule: 'max-per-day', cap, spentToday: spent }),
      };
    }
    case 'elsewhere':
      return { kind: 'done', outcome: heldElsewhere(execution.intent, execution.other) };
    case 'unrecorded':
      return {
        kind: 'done',
        outcome: await unrecorded(dependencies, execution.intent, execution.verdict),
      };
    case 'recorded':
      return fromLedger(dependencies, execution);
  }
}

/** Told from what the ledger holds now, not from what was written. */
async function fromLedger(
  dependencies: Dependencies,
  { intent, verdict, unwritten }: Execution & { readonly kind: 'recorded' },
): Promise<Step> {
  if (isSettled(intent)) return { kind: 'done', outcome: say.settledOutcome(intent, false, unwritten) };
  if (intent.state === 'REFUSED' && verdict.kind === 'refused')
    return { kind: 'done', outcome: say.refused(intent, verdict.status, verdict.code, verdict.message) };
  if (verdict.kind === 'not-sent')
    return intent.state === 'NOT_SENT' ? unsent(dependencies, intent, verdict.cause) : { kind: 'again' };
  return { kind: 'done', outcome: await search(dependencies, intent) };
}

function unsent({ signal }: Dependencies, intent: Intent, cause: unknown): Exclude<Step, { kind: 'again' }> {
  // No key, a key that may not go there: trying again would not help.
  if (cause instanceof PixctlError) return { kind: 'done', outcome: say.failed(intent, cause) };
  if (signal?.aborted) return { kind: 'done', outcome: say.interrupted(intent, signal) };
  const late = cause instanceof NotDeparted && cause.why === 'late';
  const words = late ? lateWords : lostWords(cause);
  return { kind: 'unsent', outcome: say.notSent(intent, words) };
}

/** Looks a few times whether a lost answer's withdrawal shows in the list. */
async function search(dependencies: Dependencies, intent: Intent): Promise<Outcome> {
  const { clock, signal, onPhase, ledger } = dependencies;
  let settled: Unsettled | null = null;
  try {
    for (const pause of looks) {
      onPhase?.('reconciling');
      await clock.sleep(pause, signal);
      const current = await ledger.find(intent.scope, intent.idempotencyKey);
      if (current?.state !== 'UNKNOWN') return told(current ?? intent);
      const found = await settle(dependencies, current);
      if (found.kind === 'adopted') return say.settledOutcome(found.intent, false, found.unwritten);
      settled = found;
      if (settled.kind === 'undecided' || signal?.aborted) break;
    }
    const last = await ledger.find(intent.scope, intent.idempotencyKey);
    if (last?.state !== 'UNKNOWN') return told(last ?? intent);
  } catch {
    // The row says UNKNOWN durably; the search is the next run's.
  }
  return stillUnknown(dependencies, intent, settled).catch(() =>
    say.unknownOutcome(intent, say.whyUnknown(intent)),
  );
}

/** Another process, or a person, has recorded something else meanwhile. */
function told(intent: Intent): Outcome {
  if (isSettled(intent)) return say.settledOutcome(intent, false);
  if (!sendableStates.includes(intent.state))
    return say.unknownOutcome(intent, `another process has recorded ${intent.state} in the meantime`);
  // The ledger says that it never happened, and a rerun would believe that.
  return say.unknownOutcome(
    intent,
    `its outcome was not known, and meanwhile it was recorded as ${intent.state}`,
    {
      hint: 'Look for it in the dashboard first: the same withdraw command, run again, sends it again.',
    },
  );
}

/** The ledger still says SENDING: where a byte left, whatever the answer was, the next run has to look. */
async function unrecorded(dependencies: Dependencies, intent: Intent, verdict: Verdict): Promise<Outcome> {
  if (verdict.kind === 'not-sent' && (await isStillOurs(dependencies, intent)))
    return unsent(dependencies, { ...intent, state: 'NOT_SENT' }, verdict.cause).outcome;
  const what =
    verdict.kind === 'accepted' ? `the service accepted it as ${verdict.withdrawal.id}` : verdict.kind;
  return say.unknownOutcome(intent, `its outcome (${what}) could not be written to the ledger`);
}

/** Nobody else has called this send off, and perhaps sent the key again. False where that cannot be read. */
async function isStillOurs({ ledger }: Dependencies, intent: Intent): Promise<boolean> {
  const current = await ledger.find(intent.scope, intent.idempotencyKey).catch(() => null);
  return current?.state === 'SENDING' && current.fence === intent.fence;
}
