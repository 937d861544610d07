/** What to report about listed withdrawals that may be this very order, sent from elsewhere (86). */
import { addressSuffixOf, type Intent, labelOf, type Scope } from '../../ledger/intent.ts';
import type { Ledger } from '../../ledger/ledger.ts';
import type { Identified } from '../matching/body.ts';
import { filterPossibleMatches } from '../matching/correctable.ts';
import { findInOtherScopes, hasIt } from '../matching/in-other-scopes.ts';
import { createOutcome } from './create-outcome.ts';
import type { Outcome } from './outcome.ts';
import { ownerElsewhereOf, placeWords, whyItMay } from './owner-elsewhere.ts';
import { resolveLine } from './resolve-line.ts';

interface Held {
  readonly scope: Scope;
  readonly idempotencyKey: string;
  /** What the ledger has for its key; null if nothing, so that `resolve` would not know it. */
  readonly intent: Intent | null;
  /** The run was told to allow duplicates. */
  readonly allowDuplicate: boolean;
}

/** The outcome (86) of an order that was not sent because of `twins`. */
export async function twinsOutcome(
  ledger: Ledger,
  { scope, idempotencyKey, intent, allowDuplicate }: Held,
  twins: readonly Identified[],
): Promise<Outcome> {
  const own = intent === null ? [] : await filterPossibleMatches(ledger, intent, twins);
  // These are only words: if they cannot be read, the outcome stands without them.
  const listed = new Map(twins.map((one) => [one.id, one]));
  const others = await findInOtherScopes(ledger, scope, listed).catch(() => new Map<string, Intent>());
  const sender = intent === null ? null : await findSender(ledger, intent, twins).catch(() => null);
  const correction = `${ofLabel(others, { scope, idempotencyKey })}${intent === null ? '' : orThisOne(intent, own)}`;
  return createOutcome(
    'duplicate',
    'POSSIBLE_DUPLICATE',
    `the service lists ${twins.map(({ id }) => id).join(', ')} with the same amount and PIX key${whose(twins, others, scope)}; nothing was sent`,
    {
      intent,
      candidates: twins,
      elsewhere: [...others].map(([id, other]) => ownerElsewhereOf(id, other)),
      correction,
      hint: `${allowDuplicate ? notYet : orAnother(idempotencyKey, sender)}${correction}`,
    },
  );
}

const notYet =
  'It was not listed yet when this key was sent, so it may be this withdrawal itself, and --allow-duplicate does not cover it yet. If it is another one, run the command once without that flag, which shows it, and then with it.';

/** A key whose send may have made `twins`, which were not listed before it, although nothing is known to have moved. */
interface Sender {
  readonly intent: Intent;
  readonly twins: readonly Identified[];
}

/** Finds this key, or else the one of its label and address that sent the same order last. Null: neither can be. */
async function findSender(
  ledger: Ledger,
  intent: Intent,
  twins: readonly Identified[],
): Promise<Sender | null> {
  const last = mayHaveMade(intent) ? intent : await ledger.lastSent(intent.scope, intent.request);
  if (last === null || !mayHaveMade(last)) return null;
  const made = await filterPossibleMatches(ledger, last, twins);
  return made.length === 0 ? null : { intent: last, twins: made };
}

/** Refused, maybe as the second copy of its request, or never sent only by a person's word. */
const mayHaveMade = ({ state, reason, fence }: Intent): boolean =>
  fence !== null && (state === 'REFUSED' || (state === 'NOT_SENT' && reason === 'RESOLVED'));

/** What to do where it is another withdrawal; first of all, why it may not be. */
function orAnother(key: string, sender: Sender | null): string {
  if (sender === null) return 'If it is another withdrawal, confirm with --allow-duplicate.';
  const { idempotencyKey, state } = sender.intent;
  const ids = sender.twins.map(({ id }) => id);
  const [were, one] = ids.length === 1 ? ['was', 'it'] : ['were', 'one of them'];
  const [sent, whose] =
    idempotencyKey === key
      ? ['this key was sent', 'this withdrawal itself']
      : [`the key ${idempotencyKey} was sent`, `that of ${idempotencyKey}, which is ${state} here`];
  return `${ids.join(', ')} ${were} not listed yet when ${sent}, so ${one} may be ${whose}. Only if it is another withdrawal, confirm with --allow-duplicate.`;
}

/** Says what the ledger knows of each. */
function whose(twins: readonly Identified[], others: ReadonlyMap<string, Intent>, scope: Scope): string {
  if (others.size === 0) return ', unknown to this ledger';
  const known = [...others].map(([id, other]) => {
    const place = placeWords(other, scope);
    return hasIt(other, id)
      ? `this ledger has ${id} ${place}`
      : `${id} may be that ${place}, ${whyItMay(other)}`;
  });
  const unknown = twins.filter(({ id }) => !others.has(id)).map(({ id }) => id);
  const rest = unknown.length === 0 ? [] : [`${unknown.join(', ')} unknown to it`];
  return `; ${[...known, ...rest].join('; ')}`;
}

/** One of the two labels is a mistake, if it has the same key. With another key, that label would pay once more. */
function ofLabel(
  others: ReadonlyMap<string, Intent>,
  { scope, idempotencyKey }: Pick<Held, 'scope' | 'idempotencyKey'>,
): string {
  const same = [...others.values()].find(
    (one) => one.idempotencyKey === idempotencyKey && addressSuffixOf(one.scope) === addressSuffixOf(scope),
  );
  return same === undefined
    ? ''
    : ` If both labels are this same merchant: run it with PIXCTL_MERCHANT=${labelOf(same.scope)}.`;
}

/** Tells how to say that a listed twin is this key's own after all. */
function orThisOne({ idempotencyKey }: Intent, [twin, ...more]: readonly Identified[]): string {
  if (twin === undefined) return '';
  const [which, id] = more.length === 0 ? [twin.id, twin.id] : ['one of them', '<id>'];
  return ` If ${which} is this same withdrawal: ${resolveLine({ idempotencyKey }, '--withdrawal', id)}`;
}
