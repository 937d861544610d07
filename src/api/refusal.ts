/** Replies with which the service refuses (document, "Errors"): what they say, and the error that each amounts to. */
import { isErrorCode, refusedField } from '../contract/error-codes.ts';
import { type ErrorDetails, type ExitName, PixctlError } from '../errors.ts';
import { addDetails, type Envelope } from './describe-reply.ts';
import type { Reply } from './exchange.ts';
import { isPermanentFailure } from './permanent-failure.ts';
import type { RequestContext } from './request-context.ts';
import { retryAfter } from './retry.ts';

/** The error of a refused request. `why` continues a sentence, and does not say whether money moved. */
export class RefusedError extends PixctlError {
  readonly why: string;
  constructor(
    kind: ExitName,
    { method, host }: Pick<RequestContext, 'method' | 'host'>,
    refusal: Refusal,
    details: ErrorDetails,
  ) {
    const why = `${host} says ${refusal.code}: ${refusal.message.replace(/\.$/, '')}`;
    const isDoubtful = mayHaveTakenEffect({ httpStatus: details.httpStatus, serviceCode: refusal.code });
    super(kind, refusal.code, `${why}.${method === 'GET' || isDoubtful ? '' : ' Nothing moved.'}`, details);
    this.why = why;
  }
}

/**
 * Whether a refused request may still have had an effect: "duplicate detected" may answer a second copy, made by a
 * proxy, of a request that was accepted; and a code that the document does not show may come from another server
 * than the service.
 */
export const mayHaveTakenEffect = ({
  httpStatus,
  serviceCode,
}: Pick<PixctlError, 'httpStatus' | 'serviceCode'>): boolean =>
  httpStatus === 409 || (serviceCode !== undefined && !isErrorCode(serviceCode));

/** The error of a reply that refuses (document, "Errors"), with the hint that belongs to its status. */
export function refusalError(context: RequestContext, reply: Reply, refusal: Refusal): RefusedError {
  const refused = (kind: ExitName, hint?: string, retryAfterMs?: number) =>
    new RefusedError(kind, context, refusal, {
      httpStatus: reply.status,
      serviceCode: refusal.code,
      field: refusedField(refusal.code, refusal.message, context.fields ?? []),
      isPermanent: context.method === 'GET' && isPermanentFailure(context, reply),
      hint,
      retryAfterMs,
    });
  switch (reply.status) {
    case 401:
      return refused('auth', context.remedies.refusedKey);
    case 403:
      return refused('auth', 'This merchant, or this key, is not allowed to do that.');
    case 404:
      return refused('notFound', notFoundHint(context));
    case 429: {
      const wait = retryAfter(reply, context.now);
      return refused('later', runAgainHint(wait, 'Run'), wait ?? undefined);
    }
    default:
      return refused('refused');
  }
}

function notFoundHint({ isRaw, refersTo, path, sentPath, remedies }: RequestContext): string {
  if (refersTo !== undefined) return noSuchPath;
  const other = wrongIdHint(path, sentPath);
  if (other !== null) return other;
  const what = isRaw === true ? 'the path, any id in it' : 'the id';
  return `Check ${what}, and whether it belongs to this profile (pixctl whoami). ${remedies.forgotten}`.trimEnd();
}

/** By its form, an id shows what it is the id of (document: "Resources and their fields"). */
const idForms = [
  ['chg_', "a charge's", 'pixctl charge get'],
  ['cust_', "a customer's", 'pixctl customer get'],
  ['evt_', "an event's", 'pixctl webhook show'],
] as const;

/** The form of the ids that a path accepts; null if the document does not show it. */
const acceptedForms: Readonly<Record<string, string | null>> = {
  '/transparents/check': 'chg_',
  '/transparents/refund': 'chg_',
  '/customers/{id}': 'cust_',
  '/withdrawals/{id}': null,
};

/** What kind of id it is that `path` did not find, and the command for it; null if its form says nothing. */
function wrongIdHint(path: string, asSent = ''): string | null {
  const [, id = ''] = /[=/](\w+)$/.exec(asSent) ?? [];
  const [form, whose, command] = idForms.find(([begin]) => id.startsWith(begin)) ?? [];
  if (form === undefined || !Object.hasOwn(acceptedForms, path) || acceptedForms[path] === form) return null;
  return `${id} has the form of ${whose} id: ${command} ${id}`;
}

/** For a call that names no record: what was not found is the call itself. */
export const noSuchPath =
  'Check the base URL with pixctl whoami: it may lack a path, such as the /v1 of https://api.example.com/v1.';

/** What a failure envelope says about itself. */
export interface Refusal {
  readonly code: string;
  readonly message: string;
}

/** The failure envelope of the document, "Errors": `error` a code, `message` a text. */
export function refusalOf(envelope: Envelope): Refusal | null {
  const { error, message } = envelope;
  if (typeof error !== 'string' || !/^[A-Z][A-Z0-9_]{0,63}$/.test(error)) return null;
  if (typeof message !== 'string') return null;
  return { code: error, message: addDetails(message.slice(0, 500), envelope) };
}

/** `later`, or when the answer asks for it. */
export const runAgainHint = (waitMs: number | null, run: 'run' | 'Run'): string =>
  `${run} it again ${waitMs ? `in ${Math.ceil(waitMs / 1000)} s` : 'later'}.`;
