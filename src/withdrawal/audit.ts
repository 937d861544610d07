/** The ledger against the service's list: what does not agree. Changes nothing. */
import { formatCents } from '../contract/money.ts';
import type { Withdrawal } from '../contract/withdrawal.ts';
import { commandLine } from '../flags/command-line.ts';
import { type Intent, openStates, type Scope } from '../ledger/intent.ts';
import type { Ledger } from '../ledger/ledger.ts';
import type { Dependencies } from './dependencies.ts';
import { bodyOf, canBe, type Identified, recordOf } from './matching/body.ts';
import { candidatesIn } from './matching/candidates.ts';
import { thatCanBe } from './matching/correctable.ts';
import { type Listing, readListing } from './matching/listing.ts';
import { isSettled } from './settling/look.ts';

export interface Finding {
  readonly code: 'UNCLAIMED' | 'NOT_LISTED' | 'DIFFERS' | 'INFERRED' | 'UNKNOWN' | 'STATE_BEHIND';
  readonly severity: 'problem' | 'look' | 'note';
  readonly message: string;
  readonly intent: Intent | null;
  readonly withdrawal: Withdrawal | null;
}

/** Reads the whole list and the ledger of the scope. Rejects with a `PixctlError` when one cannot be read. */
export async function audit(
  { ledger, service }: Pick<Dependencies, 'ledger' | 'service'>,
  scope: Scope,
): Promise<Finding[]> {
  const before = await ledger.list(scope, { kind: 'withdrawal' });
  const listing = await readListing(service);
  // The ledger after the list: what is accepted in between is known, not unclaimed.
  const intents = await ledger.list(scope, { kind: 'withdrawal' });
  const claimed = new Set(intents.flatMap(({ resourceId }) => resourceId ?? []));
  // One that failed holds nothing up, and moved nothing.
  const unclaimed = listing.items.filter(({ id, status }) => !claimed.has(id) && status !== 'FAILED');
  const versions = new Map(before.map(({ id, version }) => [id, version]));
  const open = intents.find(isOpen);
  return compare(
    // What changed while the list was read is newer than the list: the two are no contradiction.
    intents.filter((one) => isOpen(one) || versions.get(one.id) === one.version),
    listing,
    {
      claimed,
      open:
        open === undefined ? null : { intent: open, baseline: await ledger.baseline(scope, open.fence ?? 0) },
      correctable: await correctableIn(ledger, intents, unclaimed),
    },
  );
}

/** By the id of a withdrawal that no key claims: the key of which it may be after all. */
async function correctableIn(
  ledger: Pick<Ledger, 'baseline'>,
  intents: readonly Intent[],
  unclaimed: readonly Identified[],
): Promise<ReadonlyMap<string, Intent>> {
  const found = new Map<string, Intent>();
  for (const intent of intents)
    for (const { id } of await thatCanBe(ledger, intent, unclaimed)) found.set(id, intent);
  return found;
}

interface Claims {
  /** Every id that the ledger knows. */
  readonly claimed: ReadonlySet<string>;
  readonly open: Open | null;
  readonly correctable: ReadonlyMap<string, Intent>;
}

/** The withdrawal whose outcome is not known, and what was listed before it was sent. */
interface Open {
  readonly intent: Intent;
  readonly baseline: ReadonlySet<string>;
}

const isOpen = ({ state }: Intent): boolean => openStates.includes(state);

/** Pure: the findings, worst first within each side. */
function compare(
  intents: readonly Intent[],
  listing: Listing,
  { claimed, open, correctable }: Claims,
): Finding[] {
  const byId = new Map(listing.items.map((one) => [one.id, one]));
  const canBeOpen = new Set(
    open === null ? [] : candidatesIn(listing, open.intent, { ...open, claimed }).map(({ id }) => id),
  );
  return [
    ...intents.flatMap((intent) => aboutIntent(intent, byId.get(intent.resourceId ?? ''))),
    ...listing.items
      .filter(({ id }) => !claimed.has(id))
      .map((one) =>
        unclaimed(one, canBeOpen.has(one.id) ? (open?.intent ?? null) : null, correctable.get(one.id)),
      ),
  ];
}

function aboutIntent(intent: Intent, withdrawal: Identified | undefined): Finding[] {
  const found = (code: Finding['code'], severity: Finding['severity'], what: string): Finding => ({
    code,
    severity,
    message: `${intent.idempotencyKey} (${formatCents(intent.amount)}): ${what}`,
    intent,
    withdrawal: withdrawal ?? null,
  });
  if (isOpen(intent))
    return [found('UNKNOWN', 'look', 'its outcome is not known; run pixctl withdrawal reconcile')];
  if (!isSettled(intent)) return [];
  if (withdrawal === undefined)
    return [found('NOT_LISTED', 'problem', `the service does not list ${intent.resourceId}`)];
  const findings: Finding[] = [];
  const isIts = withdrawal.amount === intent.amount && canBe(withdrawal, bodyOf(intent));
  if (!isIts && !isAsNamed(withdrawal, intent))
    findings.push(found('DIFFERS', 'problem', `${withdrawal.id} has another amount or PIX key`));
  if (intent.inferred)
    findings.push(
      found(
        'INFERRED',
        'note',
        `${withdrawal.id} was found in the list or named by a person; the service never answered with it`,
      ),
    );
  const state =
    withdrawal.status === 'COMPLETED' || withdrawal.status === 'FAILED' ? withdrawal.status : 'ACCEPTED';
  if (state !== intent.state) {
    const words = `the service says ${withdrawal.status}, the ledger ${intent.state}`;
    // What has ended does not end otherwise: whoever acted on the ledger's word acted on a wrong one.
    const hasEnded = intent.state !== 'ACCEPTED';
    findings.push(hasEnded ? found('DIFFERS', 'problem', words) : found('STATE_BEHIND', 'note', words));
  }
  return findings;
}

/** Still as it was when a person named it, though the service writes its PIX key differently. */
function isAsNamed({ amount, pixKey, pixKeyType }: Withdrawal, intent: Intent): boolean {
  const kept = recordOf(intent);
  const isSame = kept?.amount === amount && kept.pixKey === pixKey && kept.pixKeyType === pixKeyType;
  return intent.inferred && isSame;
}

/** `maybe`: the one whose outcome is not known, where it can be just this; `corrected`: see `correctableIn`. */
const unclaimed = (withdrawal: Identified, maybe: Intent | null, corrected?: Intent): Finding => ({
  code: 'UNCLAIMED',
  severity: 'look',
  message: `${withdrawal.id} (${formatCents(withdrawal.amount)}, ${withdrawal.status}) ${
    maybe !== null
      ? `can be that of ${maybe.idempotencyKey}, whose outcome is not known: no key of this ledger claims it yet`
      : corrected === undefined
        ? 'was sent by other means: it belongs to no key of this ledger'
        : `belongs to no key of this ledger; it can be that of ${corrected.idempotencyKey}, which is ${corrected.state} here. If it is: ${commandLine(['pixctl', 'withdrawal', 'resolve', corrected.idempotencyKey, '--withdrawal', withdrawal.id])}`
  }`,
  intent: null,
  withdrawal,
});
