/** Puts into words what does not agree between the ledger and the service's list. Pure. */
import { parseIsoTime } from '../contract/iso-time.ts';
import { formatCents } from '../contract/money.ts';
import { hasEnded, isWithdrawalStatus } from '../contract/statuses.ts';
import { addressSuffixOf, type Intent, isOpen, type Scope } from '../ledger/intent.ts';
import { bodyOf, type Identified, mayMatch, recordOf } from './matching/body.ts';
import { hasIt } from './matching/in-other-scopes.ts';
import { type OwnerElsewhere, ownerElsewhereOf, scopeWords, whyItMay } from './outcome/owner-elsewhere.ts';
import { resolveLine } from './outcome/resolve-line.ts';
import { wasAccepted } from './settling/check-ledger.ts';

export interface Finding {
  readonly code: 'UNCLAIMED' | 'NOT_LISTED' | 'DIFFERS' | 'INFERRED' | 'UNKNOWN' | 'STATE_BEHIND';
  readonly severity: 'problem' | 'look' | 'note';
  /** Null if no key claims the withdrawal. */
  readonly idempotencyKey: string | null;
  readonly withdrawalId: string | null;
  /** Cents: the service's amount if known, otherwise the ledger's. */
  readonly amount: number;
  readonly message: string;
  /** The key of another label or address that has it, or may have made it: of `UNCLAIMED` only, otherwise null. */
  readonly elsewhere: OwnerElsewhere | null;
  /**
   * The later of when the ledger last changed it and when the service created it. Null: unknown, or not settled yet.
   */
  readonly at: number | null;
}

/** Its sentence is built only when it is read: there may be as many findings as withdrawals. */
class LazyFinding implements Finding {
  readonly code: Finding['code'];
  readonly severity: Finding['severity'];
  readonly idempotencyKey: string | null;
  readonly withdrawalId: string | null;
  readonly amount: number;
  readonly elsewhere: OwnerElsewhere | null;
  readonly #ordered: number;
  readonly #what: string;
  readonly #at: number;

  constructor(
    code: Finding['code'],
    severity: Finding['severity'],
    what: string,
    intent: Intent | null,
    withdrawal: Identified | null,
    isUnsettled: boolean,
    elsewhere: OwnerElsewhere | null = null,
  ) {
    this.elsewhere = elsewhere;
    this.code = code;
    this.severity = severity;
    this.idempotencyKey = intent?.idempotencyKey ?? null;
    this.withdrawalId = withdrawal?.id ?? intent?.resourceId ?? null;
    this.amount = withdrawal?.amount ?? intent?.amount ?? 0;
    this.#ordered = intent?.amount ?? this.amount;
    this.#what = internText(what);
    this.#at = isUnsettled ? Number.NaN : latest(intent?.updatedAt, parseIsoTime(withdrawal?.createdAt));
  }

  get at(): number | null {
    return Number.isNaN(this.#at) ? null : this.#at;
  }

  get message(): string {
    return `${this.idempotencyKey ?? this.withdrawalId} (${formatCents(this.#ordered)}${this.#what}`;
  }
}

/** Returns the later of the two that are known; NaN if neither is. */
const latest = (one = Number.NaN, other: number): number =>
  Number.isNaN(one) ? other : Number.isNaN(other) ? one : Math.max(one, other);

const words = new Map<string, string>();
/** Shares one string among all findings that say the same. Stops collecting if the service keeps sending new words. */
function internText(text: string): string {
  const known = words.get(text);
  if (known === undefined && words.size < 100) words.set(text, text);
  return known ?? text;
}

/** Findings about an intent. `withdrawal`: what the service lists under its id; undefined if it lists none. */
export function intentFindings(intent: Intent, withdrawal: Identified | undefined): Finding[] {
  const found = (code: Finding['code'], severity: Finding['severity'], what: string): Finding =>
    new LazyFinding(code, severity, `): ${what}`, intent, withdrawal ?? null, isOpen(intent));
  if (isOpen(intent))
    return [found('UNKNOWN', 'look', 'its outcome is not known; run pixctl withdrawal reconcile')];
  if (!wasAccepted(intent)) return [];
  if (withdrawal === undefined)
    return [found('NOT_LISTED', 'problem', `the service does not list ${intent.resourceId}`)];
  const findings: Finding[] = [];
  const isIts = withdrawal.amount === intent.amount && mayMatch(withdrawal, bodyOf(intent));
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
  const { status } = withdrawal;
  const ends = hasEnded(status);
  if (status === intent.state || (!ends && intent.state === 'ACCEPTED' && isWithdrawalStatus(status)))
    return findings;
  const difference = `the service says ${status}, the ledger ${intent.state}`;
  // An ending does not change. Whoever acted on the ledger's word acted on a wrong one.
  if (intent.state !== 'ACCEPTED') findings.push(found('DIFFERS', 'problem', difference));
  // With a status that the document does not show, nobody knows whether the money has gone back.
  else findings.push(found('STATE_BEHIND', ends ? 'note' : 'look', difference));
  return findings;
}

/** Whether it is still as it was when a person named it, although the service writes its PIX key differently. */
function isAsNamed({ amount, pixKey, pixKeyType }: Identified, intent: Intent): boolean {
  const recorded = recordOf(intent);
  const isSame =
    recorded?.amount === amount && recorded.pixKey === pixKey && recorded.pixKeyType === pixKeyType;
  return intent.inferred && isSame;
}

interface Whose {
  /** The key of unknown outcome that it may belong to. */
  readonly maybe: Pick<Intent, 'idempotencyKey'> | undefined;
  /** The key of another scope that has it, or may have made it. */
  readonly other: Intent | undefined;
  /** The key under which nothing is known to have moved, and to which it may belong after all. */
  readonly corrected: Pick<Intent, 'idempotencyKey' | 'state'> | undefined;
}

/** `scope`: that of the audit. */
export function unclaimedFinding(
  scope: Scope,
  withdrawal: Identified,
  { maybe, other, corrected }: Whose,
): Finding {
  // Of two that were refused, the one here can be corrected.
  const isHere = other?.state === 'REFUSED' && corrected?.state === 'REFUSED';
  const named = { maybe, other: isHere ? undefined : other, corrected };
  return new LazyFinding(
    'UNCLAIMED',
    'look',
    `, ${withdrawal.status}) ${whoseWords(scope, withdrawal, named)}`,
    null,
    withdrawal,
    maybe !== undefined,
    named.other === undefined ? null : ownerElsewhereOf(withdrawal.id, named.other),
  );
}

function whoseWords(scope: Scope, { id }: Identified, { maybe, other, corrected }: Whose): string {
  if (maybe !== undefined)
    return `may be that of ${maybe.idempotencyKey}, whose outcome is not known: no key of this ledger claims it yet`;
  if (other !== undefined) return otherWords(scope, id, other);
  if (corrected === undefined)
    return 'belongs to no key of this ledger: it was sent by other means, or by an earlier send of a key that was sent again since';
  return `belongs to no key of this ledger; it may be that of ${corrected.idempotencyKey}, which is ${corrected.state} here. If it is: ${resolveLine(corrected, '--withdrawal', id)}`;
}

/** What the ledger knows of it under another label or at another address. */
function otherWords(scope: Scope, id: string, other: Intent): string {
  const place = scopeWords(other.scope, scope);
  if (!hasIt(other, id)) return `may be that of ${other.idempotencyKey} ${place}, ${whyItMay(other)}`;
  const isSameAddress = addressSuffixOf(other.scope) === addressSuffixOf(scope);
  return `is that of ${other.idempotencyKey} ${place} in this ledger${isSameAddress ? ': if both labels are this same merchant, use only one of them' : ''}`;
}
