/** What to report about listed withdrawals that may be this very order, sent from elsewhere (86). */
import { commandLineWithKey } from '../../flags/command-line.ts';
import { addressSuffixOf, type Intent, labelOf, type Scope } from '../../ledger/intent.ts';
import type { Ledger } from '../../ledger/ledger.ts';
import type { Identified } from '../matching/body.ts';
import { filterPossibleMatches } from '../matching/correctable.ts';
import { findInOtherScopes, hasIt } from '../matching/in-other-scopes.ts';
import { createOutcome } from './create-outcome.ts';
import type { Outcome } from './outcome.ts';
import { ownerElsewhereOf, placeWords, whyItMay } from './owner-elsewhere.ts';

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
      hint: `${allowDuplicate ? notYet : 'If it is another withdrawal, confirm with --allow-duplicate.'}${correction}`,
    },
  );
}

const notYet =
  'It was not listed yet when this key was sent, so it may be this withdrawal itself, and --allow-duplicate does not cover it yet. If it is another one, run the command once without that flag, which shows it, and then with it.';

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
  return ` If ${which} is this same withdrawal: ${commandLineWithKey(['pixctl', 'withdrawal', 'resolve'], idempotencyKey, '--withdrawal', id)}`;
}
