/** The first step: reads what the ledger has for the key and for the scope. */
import { isoTime } from '../../clock.ts';
import type { IdempotencyKey } from '../../contract/brand.ts';
import type { Intent, Scope } from '../../ledger/intent.ts';
import { isBeingSent, recordOwnerGone, senderGoneAt, stateOnceGone } from '../../sending/still-sending.ts';
import type { Dependencies } from '../dependencies.ts';
import * as outcomes from '../outcome/create-outcome.ts';
import type { Outcome } from '../outcome/outcome.ts';
import { blockedByOutcome, stillUnknownOutcome, type Unreconciled } from './still-unknown.ts';
import { tryReconcile } from './try-reconcile.ts';

export type LedgerCheck =
  | { readonly kind: 'clear'; readonly known: Intent | null }
  | { readonly kind: 'done'; readonly outcome: Outcome }
  /** Another send is in flight: `--if-busy wait` may wait for it. */
  | { readonly kind: 'busy'; readonly outcome: Outcome }
  | { readonly kind: 'again' };

export interface LedgerCheckRequest {
  readonly scope: Scope;
  readonly idempotencyKey: IdempotencyKey;
  /** The canonical request body that the key stands for. */
  readonly body: string;
  /** Only look: write nothing and ask the service nothing. */
  readonly dryRun?: boolean;
}

/**
 * Returns what the ledger says before anything is sent: `done` if the key is settled, reused or still unknown, or if
 * another withdrawal of the scope is unknown; `clear` if the key may be sent (`known`: its intent so far); `again` if
 * the ledger changed in the meantime. An UNKNOWN withdrawal of the scope is settled first if possible.
 */
export async function checkLedger(
  dependencies: Dependencies,
  { scope, idempotencyKey, body, dryRun = false }: LedgerCheckRequest,
): Promise<LedgerCheck> {
  const { ledger } = dependencies;
  const known = await ledger.find(scope, idempotencyKey);
  if (known !== null && !isSameOrder(known, body))
    return { kind: 'done', outcome: outcomes.keyReused(known) };
  if (known !== null && wasAccepted(known))
    return { kind: 'done', outcome: outcomes.acceptedOutcome(known, true) };
  const open = await ledger.findOpen(scope);
  if (open === null) return { kind: 'clear', known };
  const found = { known, open, isOwn: open.idempotencyKey === idempotencyKey };
  if (open.state === 'SENDING' && (await isBeingSent(dependencies, open))) {
    return { kind: 'busy', outcome: await beingSentOutcome(dependencies, found) };
  }
  return dryRun ? foresee(dependencies, found) : settle(dependencies, found);
}

/** What the ledger has if a withdrawal of the scope is open. */
interface Found {
  /** The intent of the key, as read before the open one. */
  readonly known: Intent | null;
  readonly open: Intent;
  /** Whether the open one is that of the key. */
  readonly isOwn: boolean;
}

async function beingSentOutcome(dependencies: Dependencies, { known, open, isOwn }: Found): Promise<Outcome> {
  const whose = isOwn ? 'this same withdrawal' : `another withdrawal (key ${open.idempotencyKey})`;
  const by = await senderOf(dependencies, open);
  // It may have been begun since the key was looked up: then it is not known that no money moved.
  return outcomes.busy(isOwn ? open : known, `${whose} is being sent by another process${by}`);
}

/** Says what a real run would do, without the list. It would record NOT_SENT where that is certain, and then send. */
async function foresee(dependencies: Dependencies, found: Found): Promise<LedgerCheck> {
  const { known, open, isOwn } = found;
  if (open.state === 'SENDING' && stateOnceGone(dependencies, open) === 'NOT_SENT')
    return { kind: 'clear', known: isOwn ? { ...open, state: 'NOT_SENT' } : known };
  return { kind: 'done', outcome: await unsettledOutcome(dependencies, found, null) };
}

async function settle(dependencies: Dependencies, found: Found): Promise<LedgerCheck> {
  const { open } = found;
  dependencies.onPhase?.('reconciling');
  const unknown = open.state === 'SENDING' ? await recordOwnerGone(dependencies, open) : open;
  if (unknown?.state !== 'UNKNOWN') return { kind: 'again' };
  const settled = await tryReconcile(dependencies, unknown);
  if (settled.kind === 'adopted' || settled.kind === 'moved') return { kind: 'again' };
  return {
    kind: 'done',
    outcome: await unsettledOutcome(dependencies, { ...found, open: unknown }, settled),
  };
}

const unsettledOutcome = (
  dependencies: Dependencies,
  { known, open, isOwn }: Found,
  settled: Unreconciled | null,
): Promise<Outcome> =>
  isOwn
    ? stillUnknownOutcome(dependencies, open, settled)
    : blockedByOutcome(dependencies, known, open, settled);

/** Whether the key stands for exactly this order: a withdrawal with the same canonical body. */
export const isSameOrder = (intent: Intent, body: string): boolean =>
  intent.kind === 'withdrawal' && intent.request === body;

/** Whether the service has it, so that the ledger can answer for the key. */
export const wasAccepted = ({ state }: Intent): boolean =>
  state === 'ACCEPTED' || state === 'COMPLETED' || state === 'FAILED';

/** Says when a sender that cannot be checked from here counts as gone. Empty for one that can be checked. */
async function senderOf(dependencies: Dependencies, intent: Intent): Promise<string> {
  const gone = await senderGoneAt(dependencies, intent);
  if (gone === null) return '';
  const where = {
    elsewhere: 'on another host or in another container: it cannot be seen from here',
    unsure: `or has ended (its pid ${intent.owner?.pid} is in use; this system does not say by what)`,
  };
  return `, ${where[gone.why]}, and counts as ended after ${isoTime(gone.at)}`;
}
