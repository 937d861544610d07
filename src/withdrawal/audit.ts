/**
 * Compares the ledger with the service's list. Changes nothing. Of everything that agrees, however much, it keeps only
 * an id and a number.
 */
import { type Intent, isOpen, type Scope } from '../ledger/intent.ts';
import type { Claim } from '../ledger/ledger.ts';
import { keepHeapSteady } from '../steady-heap.ts';
import type { Dependencies } from './dependencies.ts';
import { type Finding, intentFindings, unclaimedFinding } from './findings.ts';
import type { Identified } from './matching/body.ts';
import { type Aged, correctionsOf, newestFirst } from './matching/corrections.ts';
import { findInOtherScopes } from './matching/in-other-scopes.ts';
import { readPages } from './matching/listing.ts';
import { rethrowUnreadable } from './outcome/unreadable.ts';

type Auditing = Pick<Dependencies, 'ledger' | 'service' | 'signal'>;

/**
 * Reads the scope's ledger, the whole list, and the ledger again. Returns the keys first, newest first, then what no
 * key claims. Rejects with a `PixctlError` when any of them cannot be read; for the list, with the code that a
 * withdrawal would end with.
 */
export async function audit(dependencies: Auditing, scope: Scope): Promise<Finding[]> {
  const letGrow = await keepHeapSteady();
  try {
    const claims = await claimsBefore(dependencies, scope);
    const listed = await compareList(dependencies, scope, claims);
    // The ledger is read again after the list, so that what was accepted in between is known rather than unclaimed.
    return await compareLedger(dependencies, scope, claims, listed);
  } finally {
    letGrow();
  }
}

/**
 * By withdrawal id: the version of the intent that claimed it before the list was read. An intent that has changed
 * since is newer than the list, so the two do not contradict each other. Negative once the list has shown it.
 */
type Claims = Map<string, number>;

async function claimsBefore({ ledger, signal }: Auditing, scope: Scope): Promise<Claims> {
  const claims: Claims = new Map();
  for await (const part of ledger.listClaims(scope, 'withdrawal')) {
    signal?.throwIfAborted();
    for (const { resourceId, version } of part) if (resourceId !== null) claims.set(resourceId, version);
  }
  return claims;
}

interface Listed {
  /** By withdrawal id: what there is to say about one that is claimed and listed, if anything. */
  readonly findingsById: Map<string, ListedFindings>;
  /** By withdrawal id, in the order of the list: what no key claimed before. */
  readonly unclaimed: Map<string, Identified>;
}

interface ListedFindings extends Aged {
  readonly findings: readonly Finding[];
}

const aboutOf = ({ id, createdAt }: Aged, findings: readonly Finding[]): ListedFindings => ({
  id,
  createdAt,
  findings,
});

async function compareList({ ledger, service }: Auditing, scope: Scope, claims: Claims): Promise<Listed> {
  const findingsById: Listed['findingsById'] = new Map();
  const unclaimed: Listed['unclaimed'] = new Map();
  await readPages(service, async (page) => {
    const unclaimedBefore = unclaimed.size;
    const known = new Map<string, Identified>();
    for (const one of page) {
      if (claims.has(one.id)) known.set(one.id, one);
      else unclaimed.set(one.id, slim(one));
    }
    let fresh = unclaimed.size - unclaimedBefore;
    for (const id of known.keys()) {
      if (markListed(claims, id)) fresh++;
      // If several pages list it, the last one counts.
      findingsById.delete(id);
    }
    for (const intent of await ledger.findMany(scope, 'withdrawal', { resourceIds: [...known.keys()] })) {
      const findings = intentFindings(intent, known.get(intent.resourceId ?? ''));
      if (findings.length > 0) findingsById.set(intent.resourceId ?? '', aboutOf(intent, findings));
    }
    return fresh;
  }).catch(rethrowUnreadable);
  return { findingsById, unclaimed };
}

/** Marks a claim as shown by the list. Returns whether this is the first time. */
function markListed(claims: Claims, id: string): boolean {
  const version = claims.get(id) ?? 0;
  if (version <= 0) return false;
  claims.set(id, -version);
  return true;
}

/** Drops the fields that no finding needs. */
const slim = ({ id, amount, fee, pixKey, pixKeyType, status, createdAt }: Identified): Identified => ({
  id,
  amount,
  fee,
  pixKey,
  pixKeyType,
  status,
  ...(typeof createdAt === 'string' ? { createdAt } : {}),
});

async function compareLedger(
  dependencies: Auditing,
  scope: Scope,
  claims: Claims,
  { findingsById, unclaimed }: Listed,
): Promise<Finding[]> {
  const { ledger, signal } = dependencies;
  const reported: ListedFindings[] = [];
  const open: Intent[] = [];
  const corrections = await correctionsOf(ledger, scope, unclaimed);
  const isAsListed = ({ resourceId, version }: Claim) => claims.get(resourceId ?? '') === -version;
  for await (const part of ledger.listClaims(scope, 'withdrawal')) {
    signal?.throwIfAborted();
    const asListed = part.filter(isAsListed);
    reported.push(...asListed.flatMap(({ resourceId }) => findingsById.get(resourceId ?? '') ?? []));
    const keys = part.filter((one) => !isAsListed(one)).map(({ idempotencyKey }) => idempotencyKey);
    for (const intent of await ledger.findMany(scope, 'withdrawal', { keys })) {
      if (intent.resourceId !== null) unclaimed.delete(intent.resourceId);
      if (isOpen(intent)) open.push(intent);
      corrections.add(intent);
      if (isOpen(intent) || claims.get(intent.resourceId ?? '') === intent.version)
        reported.push(aboutOf(intent, intentFindings(intent, undefined)));
    }
  }
  const others = await findInOtherScopes(ledger, scope, unclaimed, signal);
  return [
    ...reported.sort(newestFirst).flatMap(({ findings }) => findings),
    ...[...unclaimed.values()].map((one) =>
      unclaimedFinding(scope, one, {
        maybe: open.find(corrections.mayMatch(one)),
        other: others.get(one.id),
        corrected: corrections.findFor(one),
      }),
    ),
  ];
}
