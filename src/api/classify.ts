/**
 * Turns the facts of an exchange into the service's `data`, or into the error that a script can rely on.
 * The one question behind every branch: may the request have had an effect?
 */
import { type ErrorDetails, isReplaced, PixctlError } from '../errors.ts';
import { commandLine } from '../flags/command-line.ts';
import type { Asked } from './asked.ts';
import { describe, type Envelope, envelopeOf, saidIn } from './describe.ts';
import type { Exchange, Reply } from './exchange.ts';
import { lostWords, remedyFor, wasInterrupted } from './failure.ts';
import { isLasting } from './lasting.ts';
import { again, noSuchPath, type Refusal, refusalOf, refused } from './refusal.ts';
import { isHtml, retryAfter } from './retry.ts';

/** The parts of a successful envelope, as they came. */
export interface Answer {
  readonly data: unknown;
  readonly pagination: unknown;
}

/** The envelope of a success. Throws the `PixctlError` that the exchange amounts to. */
export function answerOf(asked: Asked, exchange: Exchange): Answer {
  const reply = replyOf(asked, exchange);
  const envelope = envelopeOf(reply);
  if (reply.status !== asked.success || envelope?.success !== true || !('data' in envelope)) {
    throw failureOf(asked, reply, envelope);
  }
  return { data: envelope.data, pagination: envelope.pagination };
}

/** The complete reply, whatever its status. Throws when there is none. */
export function replyOf(
  asked: Pick<Asked, 'method' | 'path' | 'host' | 'remedies'>,
  exchange: Exchange,
): Reply {
  if (exchange.kind === 'reply') return exchange.reply;
  const { cause } = exchange;
  if (exchange.kind === 'not-sent' && (cause instanceof PixctlError || isReplaced(cause))) throw cause;
  const interrupted = wasInterrupted(cause);
  const words = lostWords(cause);
  if (exchange.kind === 'lost' && asked.method !== 'GET') {
    throw new OutcomeUnknown(asked, `the answer of ${asked.host} was lost (${words})`, { cause });
  }
  const isSent = exchange.kind !== 'not-sent';
  const sent = isSent ? '' : ' Nothing was sent.';
  if (interrupted) {
    throw new PixctlError(interrupted, 'INTERRUPTED', `Stopped while asking ${asked.host}.${sent}`, {
      cause,
    });
  }
  if ((cause as { code?: string } | null)?.code === 'TOO_LARGE') {
    const hint = 'This is too large for pixctl api as well; check the base URL with pixctl whoami.';
    throw breach(asked, 'is larger than any answer should be', { cause, hint });
  }
  if (isSent) {
    throw new PixctlError('later', 'NOT_REACHED', `${asked.host} gave no complete answer: ${words}.`, {
      hint: 'It is a read, so nothing changed: run it again; --timeout gives it more time.',
      cause,
    });
  }
  throw new PixctlError('later', 'NOT_REACHED', `${asked.host} could not be reached: ${words}.${sent}`, {
    hint: remedyFor(cause) ?? asked.remedies.notReached,
    cause,
  });
}

/** The error that a complete but unsuccessful reply amounts to. */
export function failureOf(asked: Asked, reply: Reply, envelope: Envelope | null): PixctlError {
  const { status } = reply;
  const told = envelope?.success === false ? refusalOf(envelope) : null;
  // "Unexpected server error" is no refusal, whatever status it comes with: what it interrupted may have happened.
  const isRefusal = asked.method === 'GET' || told?.code !== 'INTERNAL_ERROR';
  if (status >= 400 && status < 500 && told !== null && isRefusal) return refused(asked, reply, told);
  const lasting = isLasting(asked, reply);
  const details = { httpStatus: status, lasting, ...(told === null ? {} : { serviceCode: told.code }) };
  const answered = describe(reply, asked.isShown === true ? undefined : asked.success);
  const saying = sayingOf(asked, reply, told);
  const isRedirect = status >= 300 && status < 400;
  if (asked.method !== 'GET') {
    const proof = isRedirect ? mayBeWrong : 'which proves nothing';
    return new OutcomeUnknown(asked, `${asked.host} answered ${answered}, ${proof}${saying}`, details);
  }
  if (status === 401)
    return refused(asked, reply, { code: 'UNAUTHORIZED', message: `the key was not accepted${saying}` });
  if (status === 429) return refused(asked, reply, { code: 'RATE_LIMITED', message: 'too many requests' });
  if (status >= 500 || (status < 300 && isHtml(reply))) {
    const wait = retryAfter(reply, asked.now);
    const address = status < 300 ? ' If this persists, check the base URL with pixctl whoami.' : '';
    return new PixctlError('later', 'SERVER_ERROR', `${asked.host} answered ${answered}${saying}.`, {
      ...details,
      retryAfterMs: wait ?? undefined,
      hint: `It is a read, so nothing changed: ${again(wait, 'run')}${address}`,
    });
  }
  if (isRedirect) return breach(asked, `is ${answered}, ${mayBeWrong}`, details);
  const hint = status === 404 ? { hint: noSuchPath } : {};
  return breach(asked, `is ${answered}, which the service's document does not show${saying}`, {
    ...details,
    ...hint,
  });
}

const mayBeWrong = 'which is never followed: the base URL may be wrong';

/** What an unsuccessful answer says itself, to end a sentence; nothing where the caller shows the whole of it. */
function sayingOf({ isShown }: Asked, reply: Reply, told: Refusal | null): string {
  const said = isShown === true ? null : saidIn(reply);
  if (told !== null) return `; it says ${told.code}: ${told.message.replace(/\.$/, '')}`;
  return said === null ? '' : `; it says: ${said}`;
}

/** A reply that the service's document does not allow (1); for anything but a read the outcome is unknown (81). */
export function breach(
  asked: Pick<Asked, 'method' | 'path' | 'asSent' | 'host' | 'isShown'>,
  what: string,
  details: ErrorDetails = {},
): PixctlError {
  if (asked.method !== 'GET') return new OutcomeUnknown(asked, `the answer ${what}`, details);
  const whole = commandLine(['pixctl', 'api', 'GET', asked.asSent ?? asked.path]);
  return new PixctlError('unexpected', 'CONTRACT', `The answer to GET ${asked.path} ${what}.`, {
    hint:
      asked.isShown === true
        ? 'Check the base URL with pixctl whoami.'
        : `See the whole answer with ${whole}; check the base URL with pixctl whoami.`,
    ...details,
  });
}

/** The error (81) of a request that was sent and may have had an effect. `why` it is not known continues a sentence. */
export class OutcomeUnknown extends PixctlError {
  readonly why: string;
  constructor({ method, path }: Pick<Asked, 'method' | 'path'>, why: string, details: ErrorDetails) {
    const message = `${method} ${path} was sent and may have taken effect: ${why}. It was not sent again.`;
    super('unknown', 'OUTCOME_UNKNOWN', message, {
      hint: 'Check with the service what happened before you repeat it.',
      ...details,
    });
    this.why = why;
  }
}
