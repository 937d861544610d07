/** Puts into words what became of a charge that the ledger keeps under an idempotency key. */
import { OutcomeUnknownError } from '../api/classify.ts';
import { RefusedError } from '../api/refusal.ts';
import { isoTime } from '../clock.ts';
import type { Charge, CreateChargeBody } from '../contract/charge.ts';
import { formatCents } from '../contract/money.ts';
import { PixctlError } from '../errors.ts';
import { commandLine, commandLineWithKey } from '../flags/command-line.ts';
import type { Intent } from '../ledger/intent.ts';
import type { IntentChange } from '../ledger/ledger.ts';
import { clockWords } from '../sending/send-timing.ts';
import { formatCount } from '../terminal/format-count.ts';

/** The key belongs to something else. `body`: what this run asks for. */
export function keyReused(intent: Intent, body: CreateChargeBody): PixctlError {
  const { kind, idempotencyKey, amount, resourceId } = intent;
  const what =
    kind === 'charge'
      ? `another charge of ${formatCents(amount)}${difference(intent, body)}`
      : `a withdrawal of ${formatCents(amount)}`;
  const own = 'Use a key of its own for each charge.';
  const hint =
    kind === 'charge' && resourceId !== null
      ? `${own} That one: ${commandLine(['pixctl', 'charge', 'get', resourceId])}`
      : own;
  return new PixctlError(
    'keyReused',
    'KEY_REUSED',
    `The idempotency key ${idempotencyKey} belongs to ${what}. Nothing was sent.`,
    { hint },
  );
}

const flagOf = { description: '--description', customerId: '--customer', expiresIn: '--expires-in' } as const;

/**
 * Names the flags that differ (a description that holds the time, say), since with the same amount nothing else would
 * show it.
 */
function difference({ request }: Intent, body: CreateChargeBody): string {
  const before = JSON.parse(request) as Partial<CreateChargeBody>;
  const names = Object.keys(flagOf) as (keyof typeof flagOf)[];
  const flags = names.filter((name) => before[name] !== body[name]).map((name) => flagOf[name]);
  return flags.length === 0 ? '' : `, with another ${flags.join(', and another ')}`;
}

export const busy = (intent: Intent): PixctlError =>
  new PixctlError(
    'later',
    'BUSY',
    `The charge with the key ${intent.idempotencyKey} is being created by another run of pixctl. Nothing was sent.`,
    { hint: 'Run the same command again.' },
  );

/** The outcome is unknown. It cannot be found out here: the list shows no key, and two charges may be alike. */
export function outcomeUnknown(intent: Intent, cause?: PixctlError): PixctlError {
  const sent = intent.sentAt === null ? '' : ` at ${isoTime(intent.sentAt)}`;
  const what = `The charge of ${formatCents(intent.amount)} with the key ${intent.idempotencyKey} was sent${sent}, and it is not known whether it exists${because(cause)}`;
  return new PixctlError('unknown', 'OUTCOME_UNKNOWN', `${what}. It will not be sent again.`, {
    hint: `List the candidates, and settle it: ${resolveLine(intent)}`,
    httpStatus: cause?.httpStatus,
    serviceCode: cause?.serviceCode,
    cause,
  });
}

/** Says why an answer of 201 is not the answer to this send. */
export const idClaimed = ({ id }: Charge): PixctlError =>
  new PixctlError('unknown', 'ID_CLAIMED', `the answer names ${id}, which belongs to another key`, {
    httpStatus: 201,
  });

export const otherCharge = ({ id, amount }: Charge): PixctlError =>
  new PixctlError('unknown', 'MALFORMED', `the answer is another charge, ${id} of ${formatCents(amount)}`, {
    httpStatus: 201,
  });

/** Explains this run's failure; an earlier run has explained its own. */
function because(cause: PixctlError | undefined): string {
  if (cause === undefined) return '';
  const isOfService = cause instanceof OutcomeUnknownError || cause instanceof RefusedError;
  const said = isOfService ? cause.why : cause.message.replace(/\.$/, '');
  return `: ${said}`;
}

/** Returns `pixctl charge resolve <key> ...`, ready to paste. */
const resolveLine = ({ idempotencyKey }: Intent, ...words: string[]): string =>
  commandLineWithKey(['pixctl', 'charge', 'resolve'], idempotencyKey, ...words);

/** How to see which charges the service lists that it may be. */
export const candidatesHint = (intent: Intent): string => `The candidates: ${resolveLine(intent)}`;

export const unrecorded = (intent: Intent, charge: Charge): PixctlError =>
  new PixctlError(
    'unknown',
    'NOT_RECORDED',
    `${charge.id} was created, but this could not be recorded in the ledger: the key ${intent.idempotencyKey} does not lead to it yet.`,
    { hint: commandLine(['pixctl', 'charge', 'get', charge.id]) },
  );

/** One line for a log: enough to settle by hand what could not be written to the ledger. */
export const lastResortLine = (intent: Intent, change: IntentChange): string =>
  `this could not be recorded in the ledger; keep this line: ${JSON.stringify({
    scope: intent.scope,
    idempotencyKey: intent.idempotencyKey,
    state: change.state,
    chargeId: change.resourceId ?? null,
    reason: change.reason ?? null,
  })}`;

export const alreadyKnown = ({ idempotencyKey, state }: Intent, what: string): PixctlError =>
  new PixctlError(
    'usage',
    'NOT_THIS_ONE',
    `The outcome of the key ${idempotencyKey} is known already: ${what} (${state}). Nothing was changed.`,
  );

/** It is too early to settle. */
export const notSettled = ({ idempotencyKey }: Intent, waitMs: number): PixctlError =>
  new PixctlError(
    'later',
    'NOT_SETTLED',
    `The charge with the key ${idempotencyKey} was sent too recently to say that it does not exist. Nothing was changed.`,
    { hint: `Ask again in ${Math.ceil(waitMs / 1000)} s.` },
  );

/** The same if nothing tells how long ago it was sent. `from`: when it can be settled by the clock as it is now. */
export const sendTimeUnknown = (intent: Intent, from: number): PixctlError =>
  new PixctlError(
    'later',
    'NOT_SETTLED',
    `The charge with the key ${intent.idempotencyKey}: ${clockWords(intent)}. Nothing was changed.`,
    {
      hint: `If the clock is behind now, correct it and ask again. If it was ahead then, this can be said from ${isoTime(from)} on.`,
    },
  );

export function candidatesListed(intent: Intent, found: readonly Charge[]): PixctlError {
  const [only] = found.length === 1 ? found : [];
  const named = found.slice(0, 5).map(({ id }) => id);
  const rest = found.length > named.length ? `, and ${found.length - named.length} more` : '';
  return new PixctlError(
    'duplicate',
    'CANDIDATES',
    `The service lists charges that may be this one: ${named.join(', ')}${rest}. Nothing was changed.`,
    {
      hint: `If it is one of them: ${resolveLine(intent, '--charge', only?.id ?? '<id>')}; if it is none: ${resolveLine(intent, '--not-created', '--allow-duplicate')}`,
    },
  );
}

/** Longer waits are told by the command itself, with the reason. */
const hourMs = 3_600_000;

/** A person still has to decide, after the charges that it may be were shown. */
export function undecided(intent: Intent, count: number, waitMs: number): PixctlError {
  const which =
    count === 0
      ? 'the service lists no charge that may be this one'
      : `the service lists ${formatCount(count, 'charge')} that may be it`;
  const none = resolveLine(intent, '--not-created', ...(count === 0 ? [] : ['--allow-duplicate']));
  const from =
    waitMs > 0
      ? ` (${waitMs > hourMs ? 'not possible yet' : `possible in ${Math.ceil(waitMs / 1000)} s`})`
      : '';
  return new PixctlError(
    'unknown',
    'OUTCOME_UNKNOWN',
    `It is not known whether the charge with the key ${intent.idempotencyKey} exists: ${which}.`,
    {
      hint: `${count === 0 ? '' : `If it is one of them: ${resolveLine(intent, '--charge', '<id>')}. `}If it does not exist: ${none}${from}, then run the same command again.`,
    },
  );
}
