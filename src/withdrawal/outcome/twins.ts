/** What to report about listed withdrawals that may be this very order, sent from elsewhere (86). */
import { commandLineWithKey } from '../../flags/command-line.ts';
import { type Intent, labelOf, type Scope } from '../../ledger/intent.ts';
import type { Ledger } from '../../ledger/ledger.ts';
import type { Identified } from '../matching/body.ts';
import { filterPossibleMatches } from '../matching/correctable.ts';
import { createOutcome } from './create-outcome.ts';
import type { Outcome } from './outcome.ts';

interface Held {
  readonly scope: Scope;
  /** Canonical. */
  readonly body: string;
  /** What the ledger has for its key; null if nothing, so that `resolve` would not know it. */
  readonly intent: Intent | null;
  /** The run was told to allow duplicates. */
  readonly allowDuplicate: boolean;
}

/** The outcome (86) of an order that was not sent because of `twins`. */
export async function twinsOutcome(
  ledger: Ledger,
  { scope, body, intent, allowDuplicate }: Held,
  twins: readonly Identified[],
): Promise<Outcome> {
  const own = intent === null ? [] : await filterPossibleMatches(ledger, intent, twins);
  const resourceIds = twins.map(({ id }) => id);
  // These are only words: if they cannot be read, the outcome stands without them.
  const others = await ledger.underOtherLabels(scope, { resourceIds }).catch(() => []);
  const other = others.find(({ request }) => request === body);
  const correction = `${ofLabel(other)}${intent === null || own.length === 0 ? '' : orThisOne(intent, own)}`;
  return createOutcome(
    'duplicate',
    'POSSIBLE_DUPLICATE',
    `the service lists ${resourceIds.join(', ')} with the same amount and PIX key, ${unclaimed(scope, other)}; nothing was sent`,
    {
      intent,
      candidates: twins,
      correction,
      hint: `${allowDuplicate ? notYet : 'If it is another withdrawal, confirm with --allow-duplicate.'}${correction}`,
    },
  );
}

const notYet =
  'It was not listed yet when this key was sent, so it may be this withdrawal itself, and --allow-duplicate does not cover it yet. If it is another one, run the command once without that flag, which shows it, and then with it.';

/** Names the same order under another label: one of the two labels is a mistake. */
const unclaimed = (scope: Scope, other: Intent | undefined): string =>
  other === undefined
    ? 'unknown to this ledger'
    : `which this ledger has under the merchant label ${labelOf(other.scope)} (key ${other.idempotencyKey}), and not under ${labelOf(scope)}`;

const ofLabel = (other: Intent | undefined): string =>
  other === undefined
    ? ''
    : ` If both labels are this same merchant: run it with PIXCTL_MERCHANT=${labelOf(other.scope)}.`;

/** Tells how to say that a listed twin is this key's own after all. */
const orThisOne = ({ idempotencyKey }: Intent, [twin, ...more]: readonly Identified[]): string =>
  ` If it is this same withdrawal: ${commandLineWithKey(['pixctl', 'withdrawal', 'resolve'], idempotencyKey, '--withdrawal', (more.length === 0 && twin?.id) || '<id>')}`;
