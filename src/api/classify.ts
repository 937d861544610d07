/**
 * Turns the facts of an exchange into the service's `data`, or into the error that a script can rely on.
 * The one question behind every branch: may the request have had an effect?
 */
import { isErrorCode } from '../contract/error-codes.ts';
import { isObject } from '../contract/json-object.ts';
import { type ErrorDetails, type ExitName, PixctlError } from '../errors.ts';
import type { Exchange, OutgoingRequest, Reply } from './exchange.ts';
import { lostWords, remedyFor, wasInterrupted } from './failure.ts';
import { isTooDeep, parseJson } from './json.ts';
import type { Remedies } from './remedies.ts';
import { isHtml, retryAfter } from './retry.ts';

/** What was asked, as far as the verdict depends on it. */
export interface Asked {
  readonly method: OutgoingRequest['method'];
  /** Path as in the document, for messages. */
  readonly path: string;
  readonly host: string;
  /** The one status that means success. */
  readonly success: number;
  /** Milliseconds since the epoch, to read a Retry-After that is a date. */
  readonly now: number;
  readonly remedies: Remedies;
  /** The path is of the user's own choice, and the caller shows the whole answer itself (`pixctl api`). */
  readonly isShown?: boolean;
}

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
  if (cause instanceof PixctlError && exchange.kind === 'not-sent') throw cause;
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
export function failureOf(
  asked: Asked,
  reply: Reply,
  envelope: Envelope | null = envelopeOf(reply),
): PixctlError {
  const { status } = reply;
  const told = envelope?.success === false ? refusalOf(envelope) : null;
  // "Unexpected server error" is no refusal, whatever status it comes with: what it interrupted may have happened.
  const isRefusal = asked.method === 'GET' || told?.code !== 'INTERNAL_ERROR';
  if (status >= 400 && status < 500 && told !== null && isRefusal) return refused(asked, reply, told);
  const details = { httpStatus: status, ...(told === null ? {} : { serviceCode: told.code }) };
  if (asked.method !== 'GET') {
    return new OutcomeUnknown(
      asked,
      `${asked.host} answered ${describe(reply)}, which proves nothing`,
      details,
    );
  }
  if (status === 401)
    return refused(asked, reply, { code: 'UNAUTHORIZED', message: 'the key was not accepted' });
  if (status === 429) return refused(asked, reply, { code: 'RATE_LIMITED', message: 'too many requests' });
  if (status >= 500 || (status < 300 && isHtml(reply))) {
    const words = told === null ? '' : `: ${told.message}`;
    return new PixctlError('later', 'SERVER_ERROR', `${asked.host} answered ${describe(reply)}${words}.`, {
      ...details,
      retryAfterMs: retryAfter(reply, asked.now) ?? undefined,
      hint: 'It is a read, so nothing changed: run it again later.',
    });
  }
  if (status >= 300 && status < 400) {
    return breach(asked, 'is a redirect, which is never followed: the base URL may be wrong', details);
  }
  return breach(asked, `is ${describe(reply)}, which the service's document does not show`, details);
}

/** A reply that the service's document does not allow (1); for anything but a read the outcome is unknown (81). */
export function breach(
  asked: Pick<Asked, 'method' | 'path' | 'host' | 'isShown'>,
  what: string,
  details: ErrorDetails = {},
): PixctlError {
  if (asked.method !== 'GET') return new OutcomeUnknown(asked, `the answer ${what}`, details);
  return new PixctlError('unexpected', 'CONTRACT', `The answer to GET ${asked.path} ${what}.`, {
    hint:
      asked.isShown === true
        ? 'Check the base URL with pixctl whoami.'
        : 'See the whole answer with pixctl api; check the base URL with pixctl whoami.',
    ...details,
  });
}

/** The error (81) of a request that was sent and may have had an effect. `why` it is not known continues a sentence. */
export class OutcomeUnknown extends PixctlError {
  readonly why: string;
  constructor({ method, path }: Pick<Asked, 'method' | 'path'>, why: string, details: ErrorDetails) {
    const message = `${method} ${path} was sent, and it may have happened: ${why}. It was not sent again.`;
    super('unknown', 'OUTCOME_UNKNOWN', message, {
      hint: 'Check at the service what happened before you repeat it.',
      ...details,
    });
    this.why = why;
  }
}

/** The error of a refused request. `why` continues a sentence, and does not say whether money moved. */
export class Refused extends PixctlError {
  readonly why: string;
  constructor(
    kind: ExitName,
    { method, host }: Pick<Asked, 'method' | 'host'>,
    told: Refusal,
    details: ErrorDetails,
  ) {
    const why = `${host} says ${told.code}: ${told.message.replace(/\.$/, '')}`;
    const isDoubtful = provesNothing({ httpStatus: details.httpStatus, serviceCode: told.code });
    super(kind, told.code, `${why}.${method === 'GET' || isDoubtful ? '' : ' Nothing moved.'}`, details);
    this.why = why;
  }
}

/**
 * Whether a refused request may still have had an effect: "duplicate detected" may answer a second copy, made by a
 * proxy, of a request that was accepted; and a code that the document does not show may come from another server
 * than the service.
 */
export const provesNothing = ({
  httpStatus,
  serviceCode,
}: Pick<PixctlError, 'httpStatus' | 'serviceCode'>): boolean =>
  httpStatus === 409 || (serviceCode !== undefined && !isErrorCode(serviceCode));

function refused(asked: Asked, reply: Reply, told: Refusal): Refused {
  const details = { httpStatus: reply.status, serviceCode: told.code };
  switch (reply.status) {
    case 401:
      return new Refused('auth', asked, told, {
        ...details,
        hint: asked.remedies.refusedKey,
      });
    case 403:
      return new Refused('auth', asked, told, {
        ...details,
        hint: 'This merchant may not do that.',
      });
    case 404:
      return new Refused('notFound', asked, told, {
        ...details,
        hint: `Check ${asked.isShown === true ? 'the path, any id in it' : 'the id'}, and whether it belongs to this profile (pixctl whoami).`,
      });
    case 429: {
      const wait = retryAfter(reply, asked.now);
      const hint = wait ? `Run it again in ${Math.ceil(wait / 1000)} s.` : 'Run it again later.';
      return new Refused('later', asked, told, { ...details, retryAfterMs: wait ?? undefined, hint });
    }
    default:
      return new Refused('refused', asked, told, details);
  }
}

interface Refusal {
  readonly code: string;
  readonly message: string;
}

type Envelope = Readonly<Record<string, unknown>>;

/** The body as an envelope, or null when it is none (not JSON, not an object). */
export function envelopeOf(reply: Reply): Envelope | null {
  try {
    const body = parseJson(reply.body);
    return isObject(body) ? body : null;
  } catch {
    return null;
  }
}

/** The failure envelope of the document, "Errors": `error` a code, `message` a text. */
function refusalOf({ error, message }: Envelope): Refusal | null {
  if (typeof error !== 'string' || !/^[A-Z][A-Z0-9_]{0,63}$/.test(error)) return null;
  return typeof message === 'string' ? { code: error, message: message.slice(0, 500) } : null;
}

function describe(reply: Reply): string {
  if (isHtml(reply)) return `${reply.status} with a web page`;
  const { 'content-encoding': coding = 'identity' } = reply.headers;
  if (coding !== 'identity') return `${reply.status} in the encoding ${coding}, which was not asked for`;
  if (envelopeOf(reply) !== null) return `${reply.status}`;
  return `${reply.status} ${isTooDeep(reply.body) ? 'with JSON nested too deeply to be read' : 'without its envelope'}`;
}
