/** Whether a read that told nothing would tell as little later: then running it again, as 75 says, helps nobody. */
import { envelopeOf, jsonOf } from './describe.ts';
import type { Reply } from './exchange.ts';
import { isHtml, retryAfter } from './retry.ts';

/** Moved for good, forbidden, not there, or not to be asked for in this way. */
const unserved: readonly number[] = [301, 308, 400, 403, 404, 405, 410, 422];

/** What the judgement of an answer needs of the question. */
export interface Read {
  /** The one status that means success. */
  readonly success: number;
  /** Milliseconds since the epoch, to read a Retry-After that is a date. */
  readonly now: number;
  /** `nothing`: the request names no record that might not exist; `page`: only a cursor, which may have expired. */
  readonly names?: 'nothing' | 'page';
}

/**
 * Only where it is sure: not of a record that may come to exist, nor of a cursor that may have expired, nor of an answer
 * that asks to come again or whose code says the same.
 */
export function isLasting({ names, success, now }: Read, reply: Reply): boolean {
  const envelope = envelopeOf(reply);
  if (reply.status === success)
    return !isHtml(reply) && jsonOf(reply) !== undefined && envelope?.success !== false;
  const isPassing = envelope?.error === 'INTERNAL_ERROR' || envelope?.error === 'RATE_LIMITED';
  return (
    names === 'nothing' && unserved.includes(reply.status) && !isPassing && retryAfter(reply, now) === null
  );
}
