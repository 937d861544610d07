/** Whether a receiver did with a case what a sound one does: a pure decision, with its reason in words. */
import { isTaken } from '../../../forward/forward.ts';
import type { PostResult } from '../../../listener/post.ts';
import type { ReceiverCase } from './cases.ts';

export interface Score {
  readonly case: string;
  readonly title: string;
  readonly passed: boolean;
  /** HTTP statuses in the order of the requests; null where there was no answer. */
  readonly statuses: readonly (number | null)[];
  /** Of the slowest answer. */
  readonly ms: number;
  readonly reason: string;
}

/** By what all cases are judged alike. */
export interface Terms {
  readonly maxAnswerMs: number;
  /** Why the genuine delivery was not taken, where it was refused with 4xx: so is then whatever must be taken. */
  readonly refusedAll: string | null;
}

export function scoreOf(tried: ReceiverCase, results: readonly PostResult[], terms: Terms): Score {
  const problem = results.map((result) => problemOf(tried, result, terms)).find((each) => each !== null);
  const statuses = results.map(({ status }) => status ?? null);
  return {
    case: tried.name,
    title: tried.title,
    passed: problem === undefined,
    statuses,
    ms: Math.max(0, ...results.map(({ ms }) => Math.round(ms))),
    reason: problem ?? `answered ${[...new Set(statuses)].join(' and ')}`,
  };
}

/** What is wrong with one answer, or null. */
function problemOf(tried: ReceiverCase, result: PostResult, terms: Terms): string | null {
  const wrong = misjudged(tried, result, terms);
  if (wrong !== null || result.ms <= terms.maxAnswerMs) return wrong;
  const because = tried.expect === 'quick' ? tried.because : 'longer than --max-answer allows';
  return `answered after ${(result.ms / 1000).toFixed(1)} s: ${because}`;
}

/** The same, however long it took. */
function misjudged({ expect, because }: ReceiverCase, result: PostResult, terms: Terms): string | null {
  if (result.status === undefined) return `it ${result.error}`;
  const { status } = result;
  const taken = isTaken(status);
  const refused = status >= 400 && status < 500;
  const why = refused && terms.refusedAll !== null ? terms.refusedAll : because;
  switch (expect) {
    case 'taken':
      return taken ? null : `answered ${status}${consequence(status)}: ${why}`;
    case 'refused':
      if (refused) return null;
      return taken
        ? `accepted it (${status}): ${because}`
        : `answered ${status}${consequence(status)}: refuse it with 400`;
    case 'survived':
      return taken || refused ? null : `answered ${status}${consequence(status)}: ${because}`;
    case 'quick':
      if (taken) return null;
      return `answered ${status}${consequence(status)}${why === because ? '' : `: ${why}`}`;
  }
}

/** What the service makes of an answer (document: "Retry policy"). */
function consequence(status: number): string {
  if (status >= 500) return ', which the service tries again, three times in all';
  if (status >= 400) return ', which is final: the service does not send it again';
  if (status >= 300) return ', a redirect, which is not followed';
  return '';
}
