/** Records the verdict of a send in the ledger, whatever others have written there in the meantime. */
import { ConstraintError } from '../../database/port.ts';
import { canTransition, type Intent } from '../../ledger/intent.ts';
import type { IntentChange } from '../../ledger/ledger.ts';
import { NotDepartedError } from '../../sending/departure.ts';
import { recordWithRetry } from '../../sending/record-with-retry.ts';
import { refusalDetails } from '../../sending/refusal-timing.ts';
import type { Dependencies } from '../dependencies.ts';
import { endingOf, recordEnding, unwrittenReason } from '../settling/ending.ts';
import type { Verdict } from './classify.ts';

export type RecordedVerdict =
  /** The verdict is in the ledger; `intent` is what stands there now. */
  | {
      readonly kind: 'recorded';
      readonly intent: Intent;
      readonly verdict: Verdict;
      /** Why the ledger says only that it was accepted, although the answer says how it ended. */
      readonly unwritten?: string;
    }
  /** The verdict could not be written; it went to stderr. The row still says SENDING. */
  | { readonly kind: 'unrecorded'; readonly intent: Intent; readonly verdict: Verdict };

/** Records the verdict. Never rejects: an outcome that cannot be written goes to stderr. */
export async function recordVerdict(
  dependencies: Dependencies,
  intent: Intent,
  verdict: Verdict,
): Promise<RecordedVerdict> {
  let written: Intent;
  try {
    written = await write(dependencies, intent, verdict);
  } catch (cause) {
    if (cause instanceof ConstraintError && verdict.kind === 'accepted')
      // Another intent has this id, so the answer is no evidence about ours.
      return recordVerdict(dependencies, intent, { kind: 'unknown', reason: 'ID_CLAIMED', status: 201 });
    dependencies.logLastResort(lastResortLine(intent, verdict, unwrittenReason(cause)));
    return { kind: 'unrecorded', intent, verdict };
  }
  if (verdict.kind !== 'accepted') return { kind: 'recorded', intent: written, verdict };
  if (written.resourceId === verdict.withdrawal.id) return recordEnd(dependencies, written, verdict);
  // The key stands for another withdrawal: how this one ended says nothing about that one.
  dependencies.logLastResort(
    lastResortLine(intent, verdict, `the ledger says ${written.state} ${written.resourceId}`),
  );
  return { kind: 'recorded', intent: written, verdict };
}

/** Records the ending if the answer already says how it ended. The acceptance is written by now, and stays known. */
async function recordEnd(
  dependencies: Dependencies,
  written: Intent,
  verdict: Verdict & { readonly kind: 'accepted' },
): Promise<RecordedVerdict> {
  try {
    const current =
      (await recordEnding(dependencies, written, verdict.withdrawal)) ??
      (await dependencies.ledger.find(written.scope, written.idempotencyKey));
    return { kind: 'recorded', intent: current ?? written, verdict };
  } catch (cause) {
    const ended = { ...written, ...endingOf(verdict.withdrawal) };
    return { kind: 'recorded', intent: ended, verdict, unwritten: unwrittenReason(cause) };
  }
}

/** One line of JSON after a plain sentence, so that whoever reads the log can settle the withdrawal by hand. */
const lastResortLine = (intent: Intent, verdict: Verdict, why: string): string =>
  `pixctl could not record this outcome; keep this line: ${JSON.stringify({
    scope: intent.scope,
    idempotencyKey: intent.idempotencyKey,
    request: JSON.parse(intent.request),
    sentAt: intent.sentAt,
    verdict: verdict.kind === 'not-sent' ? { kind: 'not-sent' } : verdict,
    why,
  })}`;

async function write(dependencies: Dependencies, intent: Intent, verdict: Verdict): Promise<Intent> {
  const change = changeOf(verdict);
  const details = {
    ...detailsOf(verdict),
    ...(verdict.kind === 'refused' ? refusalDetails(dependencies) : {}),
  };
  for (let current = intent; ; ) {
    const next = current === intent ? change : afterOthers(current, intent, change);
    const what = current === intent ? whatOf[verdict.kind] : `late-${whatOf[verdict.kind]}`;
    const written = await recordWithRetry(
      dependencies,
      current,
      next ?? { state: current.state },
      what,
      details,
    );
    if (written !== null) return written;
    const moved = await dependencies.ledger.find(intent.scope, intent.idempotencyKey);
    if (moved === null) throw new Error('the ledger no longer has this withdrawal');
    current = moved;
  }
}

/**
 * What to record after another process took our sender for gone and wrote in the meantime. Our own evidence still
 * counts if it is about the same send. Null leaves the state alone and only notes the verdict in the history.
 */
function afterOthers(current: Intent, ours: Intent, change: IntentChange): IntentChange | null {
  if (current.fence !== ours.fence || !canTransition(current.state, change.state)) return null;
  // Adopted from the list in the meantime: the id in the answer outranks a guess.
  return current.state !== 'ACCEPTED' || current.inferred ? change : null;
}

const whatOf = {
  accepted: 'answered',
  refused: 'refused',
  'not-sent': 'not-sent',
  unknown: 'unknown',
} as const satisfies Record<Verdict['kind'], string>;

function changeOf(verdict: Verdict): IntentChange {
  switch (verdict.kind) {
    case 'accepted':
      return {
        state: 'ACCEPTED',
        resourceId: verdict.withdrawal.id,
        inferred: false,
        result: JSON.stringify(verdict.withdrawal),
        reason: null,
      };
    case 'refused':
      return { state: 'REFUSED', reason: verdict.code };
    case 'not-sent':
      return {
        state: 'NOT_SENT',
        reason: verdict.cause instanceof NotDepartedError ? verdict.cause.why.toUpperCase() : 'NOT_REACHED',
      };
    case 'unknown':
      return { state: 'UNKNOWN', reason: verdict.reason };
  }
}

const detailsOf = (verdict: Verdict): Record<string, unknown> => {
  const { kind, ...rest } = verdict;
  return kind === 'not-sent' ? { cause: String(verdict.cause) } : rest;
};
