/** Replies by which the service refuses (document, "Errors"): what they say, and the error that each amounts to. */
import { isErrorCode } from '../contract/error-codes.ts';
import { type ErrorDetails, type ExitName, PixctlError } from '../errors.ts';
import type { Asked } from './asked.ts';
import { detailed, type Envelope } from './describe.ts';
import type { Reply } from './exchange.ts';
import { isLasting } from './lasting.ts';
import { otherForm } from './other-form.ts';
import { retryAfter } from './retry.ts';

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

/** The error of a reply that refuses (document, "Errors"), with the hint that belongs to its status. */
export function refused(asked: Asked, reply: Reply, told: Refusal): Refused {
  const details = {
    httpStatus: reply.status,
    serviceCode: told.code,
    lasting: asked.method === 'GET' && isLasting(asked, reply),
  };
  switch (reply.status) {
    case 401:
      return new Refused('auth', asked, told, {
        ...details,
        hint: asked.remedies.refusedKey,
      });
    case 403:
      return new Refused('auth', asked, told, {
        ...details,
        hint: 'This merchant, or this key, is not allowed to do that.',
      });
    case 404:
      return new Refused('notFound', asked, told, {
        ...details,
        hint: notFoundHint(asked),
      });
    case 429: {
      const wait = retryAfter(reply, asked.now);
      const hint = again(wait, 'Run');
      return new Refused('later', asked, told, { ...details, retryAfterMs: wait ?? undefined, hint });
    }
    default:
      return new Refused('refused', asked, told, details);
  }
}

function notFoundHint({ isShown, names, path, asSent }: Asked): string {
  if (names !== undefined) return noSuchPath;
  const other = otherForm(path, asSent);
  if (other !== null) return other;
  const what = isShown === true ? 'the path, any id in it' : 'the id';
  return `Check ${what}, and whether it belongs to this profile (pixctl whoami).`;
}

/** Of a call that names no record: what is not found is the call itself. */
export const noSuchPath =
  'Check the base URL with pixctl whoami: it may lack a path, such as the /v1 of https://api.example.com/v1.';

/** What a failure envelope says of itself. */
export interface Refusal {
  readonly code: string;
  readonly message: string;
}

/** The failure envelope of the document, "Errors": `error` a code, `message` a text. */
export function refusalOf(envelope: Envelope): Refusal | null {
  const { error, message } = envelope;
  if (typeof error !== 'string' || !/^[A-Z][A-Z0-9_]{0,63}$/.test(error)) return null;
  if (typeof message !== 'string') return null;
  return { code: error, message: detailed(message.slice(0, 500), envelope) };
}

/** `now` or later, as the answer asks for. */
export const again = (waitMs: number | null, run: 'run' | 'Run'): string =>
  `${run} it again ${waitMs ? `in ${Math.ceil(waitMs / 1000)} s` : 'later'}.`;
