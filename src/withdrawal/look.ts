/** The first step: what the ledger says about the key and about the scope (DESIGN section 6, 1). */
import type { IdempotencyKey } from '../contract/brand.ts';
import type { Intent, Scope } from '../ledger/intent.ts';
import type { Owner } from '../owner/owner.ts';
import { departureMs } from './departure.ts';
import type { Dependencies } from './dependencies.ts';
import type { Outcome } from './outcome.ts';
import { record } from './record.ts';
import * as say from './say.ts';
import { type Settled, settle } from './settle.ts';

export type Look =
  | { readonly kind: 'clear'; readonly known: Intent | null }
  | { readonly kind: 'done'; readonly outcome: Outcome }
  /** Another send is in flight: `--if-busy wait` may wait for it. */
  | { readonly kind: 'busy'; readonly outcome: Outcome }
  | { readonly kind: 'again' };

export interface LookRequest {
  readonly scope: Scope;
  readonly idempotencyKey: IdempotencyKey;
  /** Canonical body: what the key stands for. */
  readonly body: string;
  /** Look only: write nothing, ask the service nothing. */
  readonly dry?: boolean;
}

export async function look(dependencies: Dependencies, request: LookRequest): Promise<Look> {
  const { ledger } = dependencies;
  const known = await ledger.find(request.scope, request.idempotencyKey);
  if (known !== null && !isSameOrder(known, request.body))
    return { kind: 'done', outcome: say.keyReused(known) };
  if (known !== null && isSettled(known)) return { kind: 'done', outcome: say.settledOutcome(known, true) };
  const open = await ledger.open(request.scope);
  if (open === null) return { kind: 'clear', known };
  const mine = open.idempotencyKey === request.idempotencyKey;
  if (open.state === 'SENDING' && (await isBeingSent(dependencies, open))) {
    const whose = mine ? 'this very withdrawal' : `another withdrawal (key ${open.idempotencyKey})`;
    return { kind: 'busy', outcome: say.busy(known, `${whose} is being sent by another process`) };
  }
  if (request.dry) return { kind: 'done', outcome: stillUnknown(open, known, mine, null) };
  dependencies.onPhase?.('reconciling');
  const unknown = open.state === 'SENDING' ? await abandon(dependencies, open) : open;
  if (unknown?.state !== 'UNKNOWN') return { kind: 'again' };
  const settled = await settle(dependencies, unknown);
  return settled.kind === 'adopted' || settled.kind === 'moved'
    ? { kind: 'again' }
    : { kind: 'done', outcome: stillUnknown(unknown, known, mine, settled) };
}

export const isSameOrder = (intent: Intent, body: string): boolean =>
  intent.kind === 'withdrawal' && intent.request === body;

/** The service has it: the key is answered from the ledger. */
export const isSettled = ({ state }: Intent): boolean =>
  state === 'ACCEPTED' || state === 'COMPLETED' || state === 'FAILED';

function stillUnknown(open: Intent, known: Intent | null, mine: boolean, settled: Settled | null): Outcome {
  const candidates = settled?.kind === 'several' ? settled.candidates : [];
  return mine
    ? say.unknownOutcome(open, whyUnknown(settled), candidates)
    : say.blocked(known, open, candidates);
}

export function whyUnknown(settled: Settled | null): string {
  switch (settled?.kind) {
    case 'none':
      return 'its answer was lost, and the service does not list it (yet)';
    case 'several':
      return 'the service lists several that it can be';
    case 'unreadable':
      return `its answer was lost, and the list could not be read (${settled.error.message})`;
    default:
      return 'its answer was lost';
  }
}

/** Slack on top of the longest exchange, for clocks of other hosts that differ. Milliseconds. */
const skewMs = 30_000;

/** Whether the owner of a SENDING intent may still be at it. */
export async function isBeingSent(dependencies: Dependencies, intent: Intent): Promise<boolean> {
  const { owners, clock, requestTimeoutMs } = dependencies;
  if (intent.owner === null) return false;
  const over = clock.now() - (intent.sentAt ?? 0) > departureMs + requestTimeoutMs + skewMs;
  const liveness = await owners.liveness(intent.owner);
  // This very process lives, yet a send that it is no longer at (its outcome could not be written) is over.
  if (liveness === 'alive') return !(over && isSameOwner(intent.owner, owners.self));
  return liveness === 'elsewhere' && !over;
}

const isSameOwner = (a: Owner, b: Owner): boolean =>
  a.host === b.host && a.boot === b.boot && a.pid === b.pid && a.started === b.started;

/**
 * The process of a SENDING intent is gone: UNKNOWN, or NOT_SENT when it never marked its departure and the
 * machine has not been started again (a power cut can lose the mark). The mark and this change exclude each
 * other, so that even a process wrongly taken for gone cannot send after it. Null: somebody else changed it.
 */
export const abandon = (dependencies: Dependencies, intent: Intent): Promise<Intent | null> => {
  const { boot } = dependencies.owners.self;
  const proven = !intent.departed && boot !== '' && intent.owner?.boot === boot;
  const state = proven ? 'NOT_SENT' : 'UNKNOWN';
  return record(dependencies, intent, { state, reason: 'OWNER_GONE' }, 'owner-gone', {
    owner: intent.owner,
    by: dependencies.owners.self,
  });
};
