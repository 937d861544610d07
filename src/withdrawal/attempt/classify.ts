/**
 * Decides what became of one POST /withdrawals (docs/withdrawal-promise.md, "States"). Pure. It goes by facts, never by
 * error codes.
 */
import { addDetails, failureTextOf, jsonOf } from '../../api/describe-reply.ts';
import type { Exchange, Reply } from '../../api/exchange.ts';
import { failureEnvelope, itemEnvelope } from '../../contract/envelope.ts';
import { isErrorCode } from '../../contract/error-codes.ts';
import { isObject } from '../../contract/json-object.ts';
import { type CreateWithdrawalBody, isUsableId, withdrawal, withTextId } from '../../contract/withdrawal.ts';
import { type Identified, matches } from '../matching/body.ts';

export type Verdict =
  /** The service says that it created this withdrawal. */
  | { readonly kind: 'accepted'; readonly withdrawal: Identified }
  /** The service says no. Believed once the list agrees. */
  | { readonly kind: 'refused'; readonly status: number; readonly code: string; readonly message: string }
  /** No byte left this machine. */
  | { readonly kind: 'not-sent'; readonly cause: unknown }
  /** It may have happened. */
  | {
      readonly kind: 'unknown';
      readonly reason: string;
      readonly status?: number;
      /** What the answer says of itself, kept because nobody can ask for that answer again. */
      readonly said?: string;
      /** The withdrawal that a success names although it is not this order's. A person may say that it is. */
      readonly answeredId?: string;
    };

type Unknown = Extract<Verdict, { kind: 'unknown' }>;

/**
 * Judges the exchange. `hasDeparted`: our own last check before the first byte let the send go, whatever the exchange
 * says.
 */
export function classify(exchange: Exchange, body: CreateWithdrawalBody, hasDeparted: boolean): Verdict {
  switch (exchange.kind) {
    case 'not-sent':
      return hasDeparted ? { kind: 'unknown', reason: 'LOST' } : { kind: 'not-sent', cause: exchange.cause };
    case 'lost':
      return { kind: 'unknown', reason: 'LOST' };
    case 'reply':
      return classifyReply(exchange.reply, body);
  }
}

function classifyReply(reply: Reply, body: CreateWithdrawalBody): Verdict {
  const { status } = reply;
  const envelope = jsonOf(reply);
  const accepted = itemEnvelope().safeParse(envelope);
  const data = accepted.success ? withTextId(accepted.data.data) : null;
  if (status === 201) {
    const created = accepted.success ? withdrawal().safeParse(data) : null;
    // An answer to somebody else (from a cache, or a proxy that mixed two up) is no evidence about our request.
    return created?.success && isUsableId(created.data.id) && matches(created.data, body)
      ? { kind: 'accepted', withdrawal: created.data as Identified }
      : { kind: 'unknown', reason: 'MALFORMED', status, ...answerDetails(data) };
  }
  if (status < 300) return { ...unknownFromReply(reply), ...answerDetails(data) };
  if (status < 400 || status > 499) return unknownFromReply(reply);
  const refusal = failureEnvelope().safeParse(envelope);
  if (!refusal.success || !isErrorCode(refusal.data.error) || refusal.data.error === 'INTERNAL_ERROR')
    return unknownFromReply(reply);
  const message = addDetails(refusal.data.message, refusal.data);
  return { kind: 'refused', status, code: refusal.data.error, message };
}

/** Keeps what a success that is no evidence says, except the PIX key, which may be somebody else's. */
function answerDetails(data: unknown): Pick<Unknown, 'said' | 'answeredId'> {
  if (!isObject(data)) return {};
  const { id, amount, fee, status, pixKeyType } = data;
  const said = JSON.stringify({ id, amount, fee, status, pixKeyType }).slice(0, 300).toWellFormed();
  return isUsableId(id) ? { said, answeredId: id } : { said };
}

function unknownFromReply(reply: Reply): Unknown {
  const said = failureTextOf(reply);
  const reason = `HTTP_${reply.status}`;
  return { kind: 'unknown', reason, status: reply.status, ...(said === null ? {} : { said }) };
}
