/** Whether a failed read would fail in the same way later. Exit code 75 ("run again") would then mislead a script. */
import { contradictsItself, envelopeOf, jsonOf } from './describe-reply.ts';
import type { Reply } from './exchange.ts';
import type { RequestContext } from './request-context.ts';
import { isHtml, retryAfter } from './retry.ts';

/** Statuses of a path that will not be served later, either. */
const unserved: readonly number[] = [301, 308, 400, 403, 404, 405, 410, 422];

/**
 * Whether a later try would surely meet the same failure. That is not sure if a record may come to exist or a cursor
 * may have expired, nor if the answer itself asks to come again, by Retry-After or by its code.
 */
export function isPermanentFailure(
  { refersTo, success, now }: Pick<RequestContext, 'refersTo' | 'success' | 'now'>,
  reply: Reply,
): boolean {
  const envelope = envelopeOf(reply);
  if (reply.status === success)
    return (
      !isHtml(reply) &&
      jsonOf(reply) !== undefined &&
      envelope?.success !== false &&
      !contradictsItself(envelope)
    );
  const isPassing = envelope?.error === 'INTERNAL_ERROR' || envelope?.error === 'RATE_LIMITED';
  return (
    refersTo === 'nothing' && unserved.includes(reply.status) && !isPassing && retryAfter(reply, now) === null
  );
}
