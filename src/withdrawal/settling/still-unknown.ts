/** What to report about an outcome that one more look did not settle: why, and which step would settle it. */
import { isoTime } from '../../clock.ts';
import { parseIsoTime } from '../../contract/iso-time.ts';
import type { ExitName, PixctlError } from '../../errors.ts';
import { commandLine, commandLineWithKey } from '../../flags/command-line.ts';
import { addressSuffixOf, type Intent, labelOf } from '../../ledger/intent.ts';
import { msUntilSettleTime } from '../../sending/send-timing.ts';
import type { Dependencies } from '../dependencies.ts';
import type { Identified } from '../matching/body.ts';
import { isOlder } from '../matching/candidates.ts';
import * as outcomes from '../outcome/create-outcome.ts';
import type { Outcome } from '../outcome/outcome.ts';
import { type OwnerElsewhere, ownerElsewhereOf, placeWords, whyItMay } from '../outcome/owner-elsewhere.ts';
import { resolveLine } from '../outcome/resolve-line.ts';
import { answeredIdOf, answeredWords } from './last-answer.ts';
import { listNotWhole, type ReconcileResult } from './try-reconcile.ts';

/** What a look found if that did not settle the intent. */
export type Unreconciled = Exclude<ReconcileResult, { kind: 'adopted' }>;
type Undecided = Extract<Unreconciled, { kind: 'undecided' }>;

/** The outcome for the key that was asked for (81). `settled`: what the look found; null if there was none. */
export async function stillUnknownOutcome(
  dependencies: Dependencies,
  intent: Intent,
  settled: Unreconciled | null,
): Promise<Outcome> {
  const candidates = settled?.kind === 'undecided' ? settled.candidates : [];
  const hint = await nextStep(dependencies, intent, settled);
  const said = await answeredWords(dependencies.ledger, intent);
  const elsewhere = settled?.kind === 'undecided' ? ownersOf(settled) : [];
  return outcomes.unknownOutcome(intent, why(intent, settled, said), { candidates, hint, elsewhere });
}

/** The outcome if it is another key's that is unknown (84). */
export async function blockedByOutcome(
  dependencies: Dependencies,
  known: Intent | null,
  by: Intent,
  settled: Unreconciled | null,
): Promise<Outcome> {
  const candidates = settled?.kind === 'undecided' ? settled.candidates : [];
  const decided = settled?.kind === 'none' && (await msUntilSettleTime(dependencies, by)) <= 0;
  const hint = decided
    ? await nextStep(dependencies, by, settled)
    : commandLineWithKey(['pixctl', 'withdrawal', 'reconcile'], by.idempotencyKey);
  return outcomes.blocked(known, by, { candidates, hint });
}

function why(intent: Intent, settled: Unreconciled | null, said: string | null): string {
  const lost = `${outcomes.unknownReason(intent)}${said === null ? '' : `, saying ${said}`}`;
  switch (settled?.kind) {
    case 'none':
      return `${lost}, and ${nothingFits(settled.listed)}`;
    case 'undecided':
      return `${lost}, and the service lists ${settled.candidates.length > 1 ? 'several' : 'one'} that may be this one (${settled.candidates.map(({ id }) => id).join(', ')})`;
    case 'unreadable':
      return `${lost}, and the list could not be read (${outcomes.readFailureReason(settled.error)})`;
    default:
      return lost;
  }
}

function nothingFits(listed: number): string {
  if (listed === 0) return 'the service lists no withdrawal';
  return listed === 1
    ? 'the only one that the service lists cannot be this one'
    : `none of the ${listed} that the service lists can be this one`;
}

/** What keeps the list from being read until a person does something, such as logging in with a new key. */
const mended: ReadonlySet<ExitName> = new Set(['auth', 'config', 'storage']);

/**
 * Returns the hint: run again while that may find more; after that, a person has to look, and is told what settles it.
 */
async function nextStep(
  dependencies: Dependencies,
  intent: Intent,
  settled: Unreconciled | null,
): Promise<string | undefined> {
  switch (settled?.kind) {
    case 'undecided':
      return choiceHint(intent, settled);
    case 'unreadable':
      return unreadableHint(intent, settled.error);
    case 'none':
      return absentHint(dependencies, intent);
    default:
      return undefined;
  }
}

function choiceHint(intent: Intent, { candidates, other }: Undecided): string {
  const notSent = `${resolveLine(intent, '--not-sent')} says what can be done about it, and from when.`;
  const [only, ...more] = candidates;
  if (only === undefined || more.length > 0)
    return `Look at each with pixctl withdrawal get <id>, or in the dashboard, and choose which one it is: ${resolveLine(intent, '--withdrawal', '<id>')}; if it is none of them: ${notSent}`;
  if (other?.state === 'SENDING') return beingSentHint(intent, other);
  return `${doubtOf(intent, only, other)}, so a person has to say whether it is this one: look at it with ${commandLine(['pixctl', 'withdrawal', 'get', only.id])}, or in the dashboard. If it is this one: ${resolveLine(intent, '--withdrawal', only.id)}; if it is not: ${notSent}`;
}

function unreadableHint(intent: Intent, { isPermanent, code, kind, hint }: PixctlError): string | undefined {
  if (isPermanent)
    return `Running it again is safe, and ends the same way until a person decides. Look for it in the dashboard, or in pixctl api GET /withdrawals. If it is there: ${resolveLine(intent, '--withdrawal', '<id>')}.`;
  if (code === listNotWhole) return hint;
  return mended.has(kind) && hint !== undefined
    ? `${outcomes.reconcileHint(intent)} It needs the list for that. ${hint}`
    : undefined;
}

async function absentHint(dependencies: Dependencies, intent: Intent): Promise<string> {
  const named = await answeredIdOf(dependencies.ledger, intent);
  const waitMs = await msUntilSettleTime(dependencies, intent);
  if (waitMs > 0) {
    const from = isoTime(dependencies.clock.now() + waitMs);
    return `${outcomes.reconcileHint(intent)} If it still does not show after ${from}, a person decides.`;
  }
  return `Running it again is safe, and ends the same way until a person decides. Check the dashboard and the bank statement. If it is there${named === null ? '' : ` (the answer named ${named})`}: ${resolveLine(intent, '--withdrawal', named ?? '<id>')}; if it is in neither: ${resolveLine(intent, '--not-sent')}; running its withdraw command again then sends it.`;
}

/** Its own run will soon know whether it is that one's; a run that was killed leaves it to the next look. */
function beingSentHint(intent: Intent, other: Intent): string {
  const { scope, idempotencyKey } = other;
  const address = addressSuffixOf(scope).trim();
  const look = ['pixctl', 'withdrawal', 'reconcile'] as const;
  const command = commandLineWithKey(look, idempotencyKey, '--base-url', address);
  return `An equal withdrawal is being sent ${placeWords(other, intent.scope)} right now, and the listed one may be that. ${outcomes.reconcileHint(intent)} If it ends the same way, settle that one first, with PIXCTL_MERCHANT=${labelOf(scope)}: ${command}`;
}

/** What another scope has of the only candidate, or may have made. The state of one that has another would mislead. */
const ownersOf = ({ candidates, other }: Undecided): OwnerElsewhere[] =>
  candidates.flatMap(({ id }) =>
    other === undefined || (other.resourceId ?? id) !== id ? [] : [ownerElsewhereOf(id, other)],
  );

/** Says why the only candidate is not taken for the withdrawal of the intent without a person's word. */
function doubtOf(intent: Intent, only: Identified, other: Intent | undefined): string {
  if (other?.resourceId === only.id) return `This ledger has it ${placeWords(other, intent.scope)}`;
  if (other !== undefined)
    return `It may as well be an equal withdrawal ${placeWords(other, intent.scope)}, ${whyItMay(other)}`;
  return isOlder(only, intent)
    ? `By its time (${isoTime(parseIsoTime(only.createdAt))}) it was made more than a day before this one was sent (${isoTime(intent.sentAt ?? 0)} by this machine's clock, which pixctl doctor compares with that of the service)`
    : 'The list shows its amount, PIX key or type differently from the order';
}
