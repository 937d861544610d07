/** The audit said plainly: everything read whole and held. What `src/withdrawal/audit.ts` must find, in its order. */
import type { Intent } from '../../src/ledger/intent.ts';
import { openStates } from '../../src/ledger/intent.ts';
import { type Finding, intentFindings, unclaimedFinding } from '../../src/withdrawal/findings.ts';
import type { Identified } from '../../src/withdrawal/matching/body.ts';
import { candidatesIn } from '../../src/withdrawal/matching/candidates.ts';
import { filterPossibleMatches } from '../../src/withdrawal/matching/correctable.ts';
import { readListing } from '../../src/withdrawal/matching/listing.ts';
import { type Desk, scope } from './desk.ts';

export async function plainAudit({ ledger, service }: Desk): Promise<Finding[]> {
  const before = await ledger.list(scope, { kind: 'withdrawal' });
  const listing = await readListing(service);
  const intents = await ledger.list(scope, { kind: 'withdrawal' });
  const versions = new Map(before.map(({ id, version }) => [id, version]));
  const isOpen = ({ state }: Intent) => openStates.includes(state);
  const claimed = new Set(intents.flatMap(({ resourceId }) => resourceId ?? []));
  const byId = new Map(listing.items.map((one) => [one.id, one]));
  const strange = listing.items.filter(({ id }) => !claimed.has(id));
  const corrected = new Map<string, Intent>();
  const alive = strange.filter(({ status }) => status !== 'FAILED');
  for (const intent of intents)
    for (const { id } of await filterPossibleMatches(ledger, intent, alive)) corrected.set(id, intent);
  const open = intents.find(isOpen);
  const baseline = open === undefined ? new Set<string>() : await ledger.baseline(scope, open.fence ?? 0);
  const canBeOpen: Identified[] =
    open === undefined ? [] : candidatesIn(listing, open, { baseline, claimed });
  return [
    ...intents
      .filter((one) => isOpen(one) || versions.get(one.id) === one.version)
      .flatMap((one) => intentFindings(one, byId.get(one.resourceId ?? ''))),
    ...strange.map((one) =>
      unclaimedFinding(scope, one, {
        maybe: canBeOpen.includes(one) ? open : undefined,
        other: undefined,
        corrected: corrected.get(one.id),
      }),
    ),
  ];
}
