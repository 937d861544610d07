/**
 * Turns the facts of an exchange into the service's `data`, or into the error that a script can rely on.
 * The one question behind every branch: may the request have had an effect?
 */
import { type ErrorDetails, isReplaced, PixctlError } from '../errors.ts';
import { commandLine } from '../flags/command-line.ts';
import {
  contradictsItself,
  describeReply,
  type Envelope,
  envelopeOf,
  failureTextOf,
  idOf,
} from './describe-reply.ts';
import type { Exchange, Reply } from './exchange.ts';
import { describeFailure, interruptionKind, remedyFor } from './failure.ts';
import { isPermanentFailure } from './permanent-failure.ts';
import { noSuchPath, type Refusal, refusalError, refusalOf, runAgainHint } from './refusal.ts';
import type { RequestContext } from './request-context.ts';
import { isHtml, retryAfter } from './retry.ts';

/** The parts of a successful envelope, as they came. */
export interface Answer {
  readonly data: unknown;
  readonly pagination: unknown;
}

/** Returns the envelope of a success. Otherwise throws the `PixctlError` that the exchange amounts to. */
export function answerOf(context: RequestContext, exchange: Exchange): Answer {
  const reply = replyOf(context, exchange);
  const envelope = envelopeOf(reply);
  const hasData = envelope?.success === true && 'data' in envelope;
  if (reply.status !== context.success || !hasData || contradictsItself(envelope)) {
    throw failureOf(context, reply, envelope);
  }
  return { data: envelope.data, pagination: envelope.pagination };
}

/** Returns the complete reply, whatever its status. Throws if there is none. */
export function replyOf(
  context: Pick<RequestContext, 'method' | 'path' | 'host' | 'remedies'>,
  exchange: Exchange,
): Reply {
  if (exchange.kind === 'reply') return exchange.reply;
  const { cause } = exchange;
  if (exchange.kind === 'not-sent' && (cause instanceof PixctlError || isReplaced(cause))) throw cause;
  const interrupted = interruptionKind(cause);
  const words = describeFailure(cause);
  if (exchange.kind === 'lost' && context.method !== 'GET') {
    throw new OutcomeUnknownError(context, `the answer of ${context.host} was lost (${words})`, { cause });
  }
  const isSent = exchange.kind !== 'not-sent';
  const sent = isSent ? '' : ' Nothing was sent.';
  if (interrupted) {
    throw new PixctlError(interrupted, 'INTERRUPTED', `Stopped while asking ${context.host}.${sent}`, {
      cause,
    });
  }
  if ((cause as { code?: string } | null)?.code === 'TOO_LARGE') {
    const hint = 'This is too large for pixctl api as well; check the base URL with pixctl whoami.';
    throw contractError(context, 'is larger than any answer should be', { cause, hint });
  }
  if (isSent) {
    throw new PixctlError('later', 'NOT_REACHED', `${context.host} gave no complete answer: ${words}.`, {
      hint: 'It is a read, so nothing changed: run it again; --timeout gives it more time.',
      cause,
    });
  }
  throw new PixctlError('later', 'NOT_REACHED', `${context.host} could not be reached: ${words}.${sent}`, {
    hint: remedyFor(cause) ?? context.remedies.notReached,
    cause,
  });
}

/** The error that a complete but unsuccessful reply amounts to. */
export function failureOf(context: RequestContext, reply: Reply, envelope: Envelope | null): PixctlError {
  const { status } = reply;
  const refusal = envelope?.success === false ? refusalOf(envelope) : null;
  // "Unexpected server error" is no refusal, whatever its status: what it interrupted may have taken effect.
  const isRefusal = context.method === 'GET' || refusal?.code !== 'INTERNAL_ERROR';
  if (status >= 400 && status < 500 && refusal !== null && isRefusal)
    return refusalError(context, reply, refusal);
  const details = {
    httpStatus: status,
    isPermanent: isPermanentFailure(context, reply),
    ...(refusal === null ? {} : { serviceCode: refusal.code }),
  };
  const answered = describeReply(reply, context.isRaw === true ? undefined : context.success);
  const saying = sayingOf(context, reply, refusal);
  if (context.method !== 'GET') {
    const id =
      context.isRaw !== true && status < 300 && envelope?.success === true ? idOf(envelope.data) : null;
    const names = id === null ? '' : `names ${id}, but `;
    const proof = isRedirect(status) ? mayBeWrong : `which ${names}proves nothing`;
    return new OutcomeUnknownError(
      context,
      `${context.host} answered ${answered}, ${proof}${saying}`,
      details,
    );
  }
  return readFailureOf(context, reply, { answered, saying, details });
}

/** The same for a read, which the service has not refused in its own form. */
function readFailureOf(
  context: RequestContext,
  reply: Reply,
  { answered, saying, details }: Record<'answered' | 'saying', string> & { readonly details: ErrorDetails },
): PixctlError {
  const { status } = reply;
  if (status === 401)
    return refusalError(context, reply, {
      code: 'UNAUTHORIZED',
      message: `the key was not accepted${saying}`,
    });
  if (status === 429)
    return refusalError(context, reply, { code: 'RATE_LIMITED', message: 'too many requests' });
  if (status >= 500 || (status < 300 && isHtml(reply))) {
    const wait = retryAfter(reply, context.now);
    const address = status < 300 ? ' If this persists, check the base URL with pixctl whoami.' : '';
    return new PixctlError('later', 'SERVER_ERROR', `${context.host} answered ${answered}${saying}.`, {
      ...details,
      retryAfterMs: wait ?? undefined,
      hint: `It is a read, so nothing changed: ${runAgainHint(wait, 'run')}${address}`,
    });
  }
  if (isRedirect(status)) return contractError(context, `is ${answered}, ${mayBeWrong}`, details);
  const hint = status === 404 ? { hint: noSuchPath } : {};
  return contractError(context, `is ${answered}, which the service's document does not show${saying}`, {
    ...details,
    ...hint,
  });
}

const isRedirect = (status: number): boolean => status >= 300 && status < 400;

const mayBeWrong = 'which is never followed: the base URL may be wrong';

/** What an unsuccessful answer says about itself, to end a sentence; empty if the caller shows all of it. */
function sayingOf({ isRaw }: RequestContext, reply: Reply, refusal: Refusal | null): string {
  const said = isRaw === true ? null : failureTextOf(reply);
  if (refusal !== null) return `; it says ${refusal.code}: ${refusal.message.replace(/\.$/, '')}`;
  return said === null ? '' : `; it says: ${said}`;
}

/**
 * The error for a reply that the service's document does not allow (1); for anything but a read, the outcome is unknown
 * (81).
 */
export function contractError(
  context: Pick<RequestContext, 'method' | 'path' | 'sentPath' | 'isRaw'>,
  what: string,
  details: ErrorDetails = {},
): PixctlError {
  if (context.method !== 'GET') return new OutcomeUnknownError(context, `the answer ${what}`, details);
  const whole = commandLine(['pixctl', 'api', 'GET', context.sentPath ?? context.path]);
  return new PixctlError('unexpected', 'CONTRACT', `The answer to GET ${context.path} ${what}.`, {
    hint:
      context.isRaw === true
        ? 'Check the base URL with pixctl whoami.'
        : `See the whole answer with ${whole}; check the base URL with pixctl whoami.`,
    ...details,
  });
}

/**
 * The error (81) of a request that was sent and may have had an effect. `why` the outcome is unknown continues a
 * sentence.
 */
export class OutcomeUnknownError extends PixctlError {
  readonly why: string;
  constructor({ method, path }: Pick<RequestContext, 'method' | 'path'>, why: string, details: ErrorDetails) {
    const message = `${method} ${path} was sent and may have taken effect: ${why}. It was not sent again.`;
    super('unknown', 'OUTCOME_UNKNOWN', message, {
      hint: 'Check with the service what happened before you repeat it.',
      ...details,
    });
    this.why = why;
  }
}
