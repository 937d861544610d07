/** A person's word about an unknown outcome. */
import { isoTime } from '../clock.ts';
import type { IdempotencyKey } from '../contract/brand.ts';
import { formatCents } from '../contract/money.ts';
import type { CreateWithdrawalBody, Withdrawal } from '../contract/withdrawal.ts';
import { ConstraintError } from '../database/port.ts';
import { PixctlError } from '../errors.ts';
import { keyLine } from '../flags/command-line.ts';
import { type Intent, type Scope, sendableStates } from '../ledger/intent.ts';
import type { Ledger } from '../ledger/ledger.ts';
import { inferredAs, record } from '../sending/record.ts';
import { clockWords, isUntimed, settlesIn } from '../sending/since-sent.ts';
import type { Dependencies } from './dependencies.ts';
import { bodyOf, canBe, type Identified, matches } from './matching/body.ts';
import { isCorrectable } from './matching/correctable.ts';
import type { Outcome } from './outcome/outcome.ts';
import * as say from './outcome/say.ts';
import { unreadable } from './outcome/unreadable.ts';
import { asRecorded } from './refresh.ts';
import { asUnknown } from './settling/as-unknown.ts';
import { endedAs } from './settling/ending.ts';
import { answeredIdOf } from './settling/last-answer.ts';
import { searchFor } from './settling/settle.ts';

export interface ResolveRequest {
  readonly scope: Scope;
  readonly idempotencyKey: IdempotencyKey;
  /** It is this withdrawal; or it was never sent. */
  readonly verdict: { readonly kind: 'withdrawal'; readonly id: string } | NotSentWord;
}

interface NotSentWord {
  readonly kind: 'not-sent';
  /** The person knows that the service has dropped its earlier withdrawals from the list. */
  readonly shortList?: boolean;
}

/**
 * Settles an UNKNOWN intent, or corrects one of which nothing is known to have moved and which is there after all
 * (`correctable.ts`). `withdrawal`: read from the service, and refused when it existed before the send, is claimed by
 * another intent or differs in amount or key (64), when there is none (88), or while it can be that of another key
 * whose outcome is not known (84). `not-sent`: refused before the settle time (75), while the list is unreadable or not
 * whole (75), or while it shows a candidate (86); afterwards the key may be sent again.
 */
export async function resolve(dependencies: Dependencies, request: ResolveRequest): Promise<Outcome> {
  const { scope, idempotencyKey, verdict } = request;
  const { ledger } = dependencies;
  let intent: Intent | null = null;
  try {
    intent = await ledger.find(scope, idempotencyKey);
    if (intent === null) return say.unknownKey(idempotencyKey);
    const unknown = await asUnknown(dependencies, intent);
    if (unknown === null) return moved(intent);
    if ('exit' in unknown) {
      const current = unknown.intent ?? intent;
      return verdict.kind === 'withdrawal' && isCorrectable(current)
        ? await is(dependencies, current, verdict.id)
        : alreadyKnown(intent, verdict, unknown);
    }
    return await (verdict.kind === 'not-sent'
      ? notSent(dependencies, unknown, verdict)
      : is(dependencies, unknown, verdict.id));
  } catch (cause) {
    // Without an intent it is the ledger that could not be read.
    if (cause instanceof PixctlError) return { ...unreadable(intent, cause), unread: intent === null };
    throw cause;
  }
}

/** Nothing to settle: fine when the ledger agrees, a mistake when it says otherwise. */
function alreadyKnown(found: Intent, verdict: ResolveRequest['verdict'], told: Outcome): Outcome {
  // It may have become known by this very look.
  const intent = told.intent ?? found;
  if (verdict.kind === 'not-sent' && intent.state === 'NOT_SENT') return { ...told, exit: 'ok' };
  const known = refuse(intent, `its outcome is known (${intent.state})`);
  if (sendableStates.includes(intent.state)) return known;
  const agrees = verdict.kind === 'withdrawal' && intent.resourceId === verdict.id;
  return agrees || told.exit !== 'ok' ? asRecorded(told) : known;
}

async function is(dependencies: Dependencies, intent: Intent, id: string): Promise<Outcome> {
  const { service, ledger } = dependencies;
  const found = await readNamed(service, id);
  if (found === null) return noSuchWithdrawal(intent, id);
  if (found.id !== undefined && found.id !== id)
    return refuse(intent, `asked for ${id}, the service answered with ${found.id}`);
  if (!(await mayBeNamed(ledger, intent, { ...found, id }))) {
    const { pixKey } = bodyOf(intent);
    return refuse(intent, `${id} is not ${formatCents(intent.amount)} to ${pixKey}`);
  }
  if ((await ledger.baseline(intent.scope, intent.fence ?? 0)).has(id))
    return refuse(intent, `${id} was there before this withdrawal was sent`);
  const other = await openThatCanBe(ledger, intent, { ...found, id });
  if (other !== null) return isMaybeAnothers(intent, other, id);
  const change = inferredAs(id, JSON.stringify(found));
  try {
    const resolved = await record(dependencies, intent, change, 'resolved', {
      withdrawalId: id,
      by: 'person',
    });
    const ended = resolved === null ? null : await endedAs(dependencies, resolved, found);
    return ended === null
      ? moved(intent)
      : asRecorded(say.settledOutcome(ended.intent, true, ended.unwritten));
  } catch (cause) {
    if (!(cause instanceof ConstraintError)) throw cause;
    return refuse(intent, `${id} belongs to another idempotency key`);
  }
}

/**
 * Another withdrawal whose outcome is not known yet, and which would find just this one: its answer, or the list, goes
 * before a word about a key of which nothing is known to have moved.
 */
async function openThatCanBe(ledger: Ledger, intent: Intent, found: Identified): Promise<Intent | null> {
  const open = await ledger.open(intent.scope);
  if (open === null || open.id === intent.id) return null;
  const isIts = open.request === intent.request || matches(found, bodyOf(open));
  return isIts && !(await ledger.baseline(open.scope, open.fence ?? 0)).has(found.id) ? open : null;
}

/**
 * Whether a person may say that it is this one, also where it reads otherwise: its key is not written out, its amount
 * is the one that was debited, or the answer to the send itself named it, and only its key is another one.
 */
async function mayBeNamed(ledger: Ledger, intent: Intent, found: Withdrawal): Promise<boolean> {
  const body = bodyOf(intent);
  return (
    canBe(found, body) || (isButForItsKey(found, body) && (await answeredIdOf(ledger, intent)) === found.id)
  );
}

const isButForItsKey = (found: Withdrawal, body: CreateWithdrawalBody): boolean =>
  found.amount === body.amount && found.pixKeyType === body.pixKeyType;

/** Null: the service has no such withdrawal. Whatever else keeps it from being read is for later. */
async function readNamed(service: Dependencies['service'], id: string): Promise<Withdrawal | null> {
  try {
    return await service.withdrawal(id);
  } catch (cause) {
    if (cause instanceof PixctlError && cause.kind === 'notFound') return null;
    throw cause;
  }
}

async function notSent(
  dependencies: Dependencies,
  intent: Intent,
  { shortList = false }: NotSentWord,
): Promise<Outcome> {
  const waitMs = await settlesIn(dependencies, intent);
  if (waitMs > 0) return notSettled(dependencies, intent, waitMs);
  const found = await searchFor(dependencies, intent, { shortList });
  if (found.kind === 'unreadable') throw found.error;
  const listed = await withoutAnothers(dependencies, intent, found.candidates);
  const candidates = listed.length > 0 ? listed : await answered(dependencies, intent);
  if (candidates.length > 0)
    return say.outcome(
      'duplicate',
      'CANDIDATES',
      `the service lists ${candidates.length > 1 ? 'several withdrawals' : 'a withdrawal'} that can be this one; nothing was changed`,
      { intent, candidates, hint: oneOrNone(intent, candidates) },
    );
  const change = { state: 'NOT_SENT', reason: 'RESOLVED' } as const;
  const resolved = await record(dependencies, intent, change, 'resolved', { by: 'person', as: 'not-sent' });
  return resolved === null
    ? moved(intent)
    : say.outcome('ok', 'NOT_SENT', 'it is recorded as never sent. The same key may be sent again.', {
        intent: resolved,
      });
}

async function notSettled(dependencies: Dependencies, intent: Intent, waitMs: number): Promise<Outcome> {
  const nothing = 'nothing was changed';
  if (!(await isUntimed(dependencies, intent)))
    return say.outcome(
      'later',
      'NOT_SETTLED',
      `it was sent too recently to say that it never arrived; ${nothing}`,
      { intent, hint: `Ask again in ${Math.ceil(waitMs / 1000)} s.` },
    );
  const from = isoTime(dependencies.clock.now() + waitMs);
  const named = keyLine(['pixctl', 'withdrawal', 'resolve'], intent.idempotencyKey, '--withdrawal', '<id>');
  return say.outcome('later', 'NOT_SETTLED', `${clockWords(intent)}; ${nothing}`, {
    intent,
    hint: `If the clock is behind now, set it right and ask again. If it was ahead then, this can be said from ${from} on. Sooner, if neither the dashboard nor the bank statement shows it: pay it in the dashboard, and name that withdrawal: ${named}`,
  });
}

function oneOrNone({ idempotencyKey }: Intent, [only, ...more]: readonly Identified[]): string {
  const [none, one] = more.length > 0 ? ['none of them', 'one of them'] : ['not', ''];
  const id = (more.length === 0 && only?.id) || '<id>';
  const resolve = keyLine(['pixctl', 'withdrawal', 'resolve'], idempotencyKey, '--withdrawal', id);
  return `If it is ${none}, and the dashboard and the bank statement do not show this one either: pay it in the dashboard, and name that withdrawal instead. If it is${one === '' ? '' : ` ${one}`}: ${resolve}`;
}

/** Those of `listed` whose key the list does not write out may be read by their ids to be of another key. */
async function withoutAnothers(
  { ledger, service }: Dependencies,
  intent: Intent,
  listed: readonly Identified[],
): Promise<readonly Identified[]> {
  const body = bodyOf(intent);
  const named = await answeredIdOf(ledger, intent);
  const left: Identified[] = [];
  for (const one of listed) {
    const read = matches(one, body) || one.id === named ? null : await readNamed(service, one.id);
    const { pixKey, pixKeyType } = read !== null && (read.id ?? one.id) === one.id ? read : one;
    if (canBe({ ...one, pixKey, pixKeyType }, body)) left.push(one);
  }
  return left;
}

/** What the answer to the send named, where the service has it and it can be this one: listed or not. */
async function answered({ ledger, service }: Dependencies, intent: Intent): Promise<readonly Identified[]> {
  const id = await answeredIdOf(ledger, intent);
  if (id === null || (await ledger.baseline(intent.scope, intent.fence ?? 0)).has(id)) return [];
  if ((await ledger.claimed(intent.scope, 'withdrawal', [id])).size > 0) return [];
  const found = await readNamed(service, id);
  return found !== null && canBe(found, bodyOf(intent)) ? [{ ...found, id }] : [];
}

const refuse = (intent: Intent, why: string): Outcome =>
  say.outcome('usage', 'NOT_THIS_ONE', `${why}; nothing was changed`, { intent });

const isMaybeAnothers = (intent: Intent, { idempotencyKey }: Intent, id: string): Outcome =>
  say.outcome(
    'blocked',
    'BLOCKED',
    `${id} can be that of the key ${idempotencyKey}, whose outcome is not known yet; nothing was changed`,
    {
      intent,
      hint: `Settle that one first: ${keyLine(['pixctl', 'withdrawal', 'reconcile'], idempotencyKey)}`,
    },
  );

const noSuchWithdrawal = (intent: Intent, id: string): Outcome =>
  say.outcome('notFound', 'NO_SUCH_WITHDRAWAL', `the service has no withdrawal ${id}; nothing was changed`, {
    intent,
    hint: 'pixctl withdrawal list shows what the service has.',
  });

const moved = (intent: Intent): Outcome =>
  say.busy(intent, 'another process has changed this withdrawal in the meantime');
