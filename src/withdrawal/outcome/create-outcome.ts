/** Puts outcomes into words: what happened, whether anything was sent, what to do next. */
import { isoTime } from '../../clock.ts';
import type { IdempotencyKey } from '../../contract/brand.ts';
import { errorStatus, isErrorCode, refusedField } from '../../contract/error-codes.ts';
import { formatCents } from '../../contract/money.ts';
import { maskPixKey } from '../../contract/pix-key-mask.ts';
import { type CreateWithdrawalBody, isPixKeyType } from '../../contract/withdrawal.ts';
import { addNothingSent, type ExitName, kindForSignal, type PixctlError } from '../../errors.ts';
import { commandLineWithKey } from '../../flags/command-line.ts';
import { type Intent, sendableStates } from '../../ledger/intent.ts';
import { bodyOf, recordOf } from '../matching/body.ts';
import type { Breach } from '../policy/policy.ts';
import type { Outcome } from './outcome.ts';

/**
 * Makes any outcome, with defaults for what most leave out. Outcomes that several places report have functions below.
 */
export const createOutcome = (
  exit: ExitName,
  code: string,
  message: string,
  more: Partial<Omit<Outcome, 'exit' | 'code' | 'message'>> = {},
): Outcome => ({
  exit,
  code,
  message,
  intent: null,
  withdrawal: more.intent == null ? null : recordOf(more.intent),
  replayed: false,
  ...more,
});

/**
 * The outcome of an intent whose withdrawal the service has: accepted, completed or failed. `unwritten`: why the ledger
 * could not record that state.
 */
export function acceptedOutcome(intent: Intent, replayed: boolean, unwritten?: string): Outcome {
  const what = `the withdrawal of ${formatCents(intent.amount)} (${intent.resourceId})`;
  const earlier = replayed ? ' Nothing was sent in this run.' : '';
  const found = intent.inferred
    ? " It was found in the service's list or named by a person; the service never answered with it."
    : '';
  const only =
    unwritten === undefined ? '' : ` The ledger still says accepted: it could not be written (${unwritten}).`;
  const more = { intent, replayed };
  if (intent.state === 'FAILED') {
    const why = intent.reason === null ? '' : `: ${intent.reason}`;
    return createOutcome('endedBadly', 'FAILED', `${what} failed${why}.${earlier}${only}`, {
      ...more,
      hint: 'The service gives the money back; to try again, use another idempotency key.',
    });
  }
  const state = intent.state === 'COMPLETED' ? 'is completed' : 'was accepted';
  return createOutcome('ok', intent.state, `${what} ${state}.${found}${earlier}${only}`, more);
}

export function keyReused(intent: Intent): Outcome {
  const { kind, idempotencyKey, amount, state } = intent;
  const isCharge = kind === 'charge';
  const what = isCharge ? 'a charge' : 'another withdrawal';
  const became = isCharge ? '' : (becameOf[state] ?? '');
  return createOutcome(
    'keyReused',
    'KEY_REUSED',
    `the idempotency key ${idempotencyKey} was used before for ${what} (${formatCents(amount)}${receiver(bodyOf(intent))})${became}; nothing was sent`,
    {
      intent,
      hint: isCharge
        ? 'Withdrawals and charges share the keys of one ledger: use a new key.'
        : newKey(idempotencyKey, became),
    },
  );
}

/** What became of a paid or maybe paid order: whoever only means to correct its amount must not pay both. */
const becameOf: Partial<Record<Intent['state'], string>> = {
  COMPLETED: ', which is completed',
  ACCEPTED: ', which was accepted',
  SENDING: ', whose outcome is not known',
  UNKNOWN: ', whose outcome is not known',
};

function newKey(key: IdempotencyKey, became: string): string {
  if (became === '')
    return 'One key is for one withdrawal: use a new key, or the same amount and PIX key as before.';
  const first = became.startsWith(', whose')
    ? `Settle that one first: ${commandLineWithKey(['pixctl', 'withdrawal', 'reconcile'], key)}. `
    : '';
  return `${first}One key is for one withdrawal: a new key pays in addition to that one; with the same amount and PIX key as before nothing is paid twice.`;
}

/**
 * How two orders of the same amount differ. A charge has no receiver, and neither may what a newer version has written.
 */
const receiver = ({ pixKey, pixKeyType }: CreateWithdrawalBody): string =>
  isPixKeyType(pixKeyType) ? ` to ${maskPixKey(pixKey, pixKeyType)}` : '';

export const unknownKey = (key: IdempotencyKey): Outcome =>
  createOutcome('notFound', 'UNKNOWN_KEY', `the ledger has no withdrawal with the key ${key}`);

/** Says why the outcome of a send is not known. Words for the recorded `Intent.reason`. */
export function unknownReason({ reason, sentAt }: Intent): string {
  const [, status] = /^HTTP_(\d+)$/.exec(reason ?? '') ?? [];
  const lost = status === undefined ? 'its answer was lost' : `the service answered ${status}`;
  return `${lostWords[reason ?? ''] ?? lost}${sentAt === null ? '' : ` (sent ${isoTime(sentAt)})`}`;
}

const lostWords: Readonly<Record<string, string>> = {
  OWNER_GONE: 'the process that was sending it has ended',
  MALFORMED: 'the answer does not show that it belongs to this withdrawal',
  ID_CLAIMED: 'the answer belongs to another key of this ledger',
  ID_SEEN_BEFORE: 'the answer names a withdrawal that existed before this one was sent',
  REFUSED_BUT_LISTED: 'the service refused it, but lists a withdrawal that may be this one',
  REFUSAL_UNCONFIRMED: 'the service refused it, and its list could not confirm that',
};

/** What goes with an unknown outcome: the candidates that a look found, and what would settle it. */
type Open = Pick<Outcome, 'candidates' | 'elsewhere' | 'hint'>;

export const runAgain = 'Run the same withdraw command again';

/** Says what can always be done about an unknown outcome. */
export const reconcileHint = ({ idempotencyKey }: Intent): string =>
  `${runAgain}, or ${commandLineWithKey(['pixctl', 'withdrawal', 'reconcile'], idempotencyKey)}: it checks whether it happened, and does not send.`;

export const unknownOutcome = (
  intent: Intent,
  why: string,
  { candidates = [], hint, ...more }: Open = {},
): Outcome =>
  createOutcome(
    'unknown',
    'OUTCOME_UNKNOWN',
    `the withdrawal of ${formatCents(intent.amount)} may have happened: ${why}.${sendableStates.includes(intent.state) ? '' : ' It is not sent again.'}`,
    {
      intent,
      candidates,
      hint: hint ?? reconcileHint(intent),
      ...more,
    },
  );

export const blocked = (intent: Intent | null, by: Intent, { candidates = [], hint }: Open): Outcome =>
  createOutcome(
    'blocked',
    'BLOCKED',
    `the outcome of an earlier withdrawal (key ${by.idempotencyKey}, ${formatCents(by.amount)}) is unknown; nothing was sent`,
    { intent, candidates, hint },
  );

export const busy = (intent: Intent | null, why: string): Outcome =>
  createOutcome('later', 'BUSY', `${why}; nothing was sent`, { intent, hint: 'Run again later.' });

interface PolicyRefusal {
  readonly words: string;
  /** What of the order the rule limits. */
  readonly field?: keyof CreateWithdrawalBody;
}

const policyRefusals: Readonly<Record<Breach['rule'], PolicyRefusal>> = {
  'max-per-withdrawal': { words: 'it is above the limit for one withdrawal', field: 'amount' },
  'max-per-day': { words: 'it would exceed the daily limit', field: 'amount' },
  'saved-destinations-only': { words: 'its PIX key is not a saved destination', field: 'pixKey' },
  'quiet-hours': { words: 'it is within the quiet hours' },
};

export function policyBreach(intent: Intent | null, breach: Breach): Outcome {
  const { words, field } = policyRefusals[breach.rule];
  const spent =
    'spentToday' in breach ? `, of which ${formatCents(breach.spentToday)} is spent or may be` : '';
  const cap = 'cap' in breach ? ` (${formatCents(breach.cap)}${spent})` : '';
  const hours = breach.rule === 'quiet-hours' ? ` (${breach.from} to ${breach.to}, ${breach.timeZone})` : '';
  const code = `POLICY_${breach.rule.toUpperCase().replaceAll('-', '_')}`;
  return createOutcome(
    'policy',
    code,
    `the local policy refuses this withdrawal: ${words}${cap}${hours}; nothing was sent`,
    { intent, field, hint: 'See pixctl policy show.' },
  );
}

const orderFields: readonly (keyof CreateWithdrawalBody)[] = ['amount', 'pixKey', 'pixKeyType'];
const refusedExit: Readonly<Record<number, ExitName>> = { 401: 'auth', 403: 'auth', 429: 'later' };

const refusedHint = (status: number): string =>
  status === 429
    ? 'Run the same withdraw command again later.'
    : 'Once the cause is fixed, the same withdraw command may be run again with the same key.';

export function refused(intent: Intent, status: number, code: string, message: string): Outcome {
  const words = `the service refused the withdrawal (${status} ${code}: ${message}); no money moved`;
  return createOutcome(refusedExit[status] ?? 'refused', 'REFUSED', words, {
    intent,
    field: refusedField(code, message, orderFields),
    httpStatus: status,
    serviceCode: code,
    hint: refusedHint(status),
  });
}

/** The outcome of an intent that was refused (`said`: in these words), not sent, or only planned. Never `ok`. */
export function neverMoved(intent: Intent, said: string | null = null): Outcome {
  const { state, reason } = intent;
  const more = { intent, replayed: true };
  if (state === 'REFUSED') {
    const status = reason !== null && isErrorCode(reason) ? errorStatus[reason] : 400;
    return createOutcome(
      refusedExit[status] ?? 'refused',
      state,
      `the outcome is known: the service refused it (${reason}${said === null ? '' : `: ${said}`})`,
      { ...more, hint: refusedHint(status) },
    );
  }
  if (state === 'PLANNED')
    return createOutcome(
      'later',
      state,
      'it is planned; if withdraw ended with 86, the service lists an equal withdrawal, which may be this one, or another address has paid it',
      {
        ...more,
        hint: 'Run its withdraw command again: before it sends, it looks for an equal withdrawal (86).',
      },
    );
  return createOutcome('later', state, 'the outcome is known: it was not sent', {
    ...more,
    hint: 'Run its withdraw command again to send it.',
  });
}

export const notSent = (intent: Intent, words: string): Outcome =>
  createOutcome('later', 'NOT_SENT', `the service could not be reached: ${words}. Nothing was sent.`, {
    intent,
    hint: 'Run the same command again later.',
  });

/** The outcome of a run that `signal` stopped; its reason is the signal's name. */
export const interrupted = (intent: Intent | null, signal: AbortSignal): Outcome =>
  createOutcome(kindForSignal(signal.reason), 'INTERRUPTED', 'stopped before anything was sent', { intent });

/** Says why a read failed, without its "Nothing was sent.", which would seem to be about the withdrawal. */
export const readFailureReason = ({ message }: Pick<PixctlError, 'message'>): string =>
  message.replace(/([.;] nothing was sent)?\.?$/i, '');

/** The outcome of an error from before the send. */
export function failed(intent: Intent | null, error: PixctlError): Outcome {
  const { kind, code, hint, field, httpStatus, serviceCode } = error;
  const more = { intent, hint, field, httpStatus, serviceCode };
  return createOutcome(kind, code, addNothingSent(error.message), more);
}
