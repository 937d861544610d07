/** Decides whether a receiver treated a case as a sound one would, and says why. Pure. */
import { isRedirect, isSuccessStatus } from '../../../forward/forward.ts';
import { refusalTextOf } from '../../../listener/forwarding/attempt.ts';
import type { PostResult } from '../../../listener/posting/post.ts';
import { type ReceiverCase, receiverCases } from './cases.ts';

export interface Score {
  readonly case: string;
  readonly title: string;
  readonly passed: boolean;
  /** HTTP statuses in the order of the requests; null for one without an answer. */
  readonly statuses: readonly (number | null)[];
  /** Time of the slowest answer. */
  readonly ms: number;
  readonly reason: string;
}

/** What the judgement of every case depends on. */
export interface Terms {
  readonly maxAnswerMs: number;
  /**
   * The status of the genuine delivery if it was not accepted. A similar answer to another case then has the same
   * cause.
   */
  readonly notTaken: number | null;
  /**
   * Whether a bad signature alone was answered with 4xx. Otherwise a failure says nothing of what comes before the
   * signature is checked.
   */
  readonly refusesForged: boolean;
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

/** Returns what is wrong with one answer, or null. */
function problemOf(tried: ReceiverCase, result: PostResult, terms: Terms): string | null {
  const wrong = misjudged(tried, result, terms);
  if (wrong !== null || result.ms <= terms.maxAnswerMs) return wrong;
  const because = tried.expect === 'quick' ? tried.because : 'longer than --max-answer allows';
  return `answered after ${(result.ms / 1000).toFixed(1)} s: ${because}`;
}

/** The same, regardless of time. */
function misjudged(
  tried: ReceiverCase,
  result: PostResult,
  { notTaken, refusesForged }: Terms,
): string | null {
  const { expect, because, breaksBecause } = tried;
  if (result.status === undefined) return `it ${result.error}`;
  const { status } = result;
  if (isAsExpected(expect, status)) return null;
  const answered = `answered ${status}${consequence(status)}`;
  if (tried === genuine) return withSaying(`${answered}: ${doubtOf(status)}`, refusalTextOf(result));
  const shared =
    notTaken !== null && hundreds(status) === hundreds(notTaken)
      ? `the genuine delivery failed too: ${doubtOf(notTaken)}`
      : null;
  switch (expect) {
    case 'refused':
      if (isSuccessStatus(status)) return `accepted it (${status}): ${because}`;
      return `${answered}: ${shared ?? refuseIt(status >= 500 && refusesForged ? breaksBecause : undefined)}`;
    case 'quick':
      return shared === null ? answered : `${answered}: ${shared}`;
    case 'taken':
    case 'survived':
      return `${answered}: ${shared ?? because}`;
  }
}

function isAsExpected(expect: ReceiverCase['expect'], status: number): boolean {
  if (expect === 'refused') return isRefusal(status);
  return isSuccessStatus(status) || (expect === 'survived' && isRefusal(status));
}

export const isRefusal = (status: number | null): boolean => status !== null && status >= 400 && status < 500;

const refuseIt = (because?: string): string =>
  because === undefined ? 'refuse it with 400' : `${because}; refuse it with 400`;

const [genuine] = receiverCases;
const hundreds = (status: number): number => Math.floor(status / 100);

/** Quotes the receiver in one line: its own words know best why it did not accept the genuine delivery. */
function withSaying(reason: string, words: string | null): string {
  const said = words?.replaceAll(/\s+/g, ' ').trim().slice(0, 200) ?? '';
  if (said === '') return reason;
  return `${reason}${reason.endsWith('?') ? '' : '.'} It said "${said}"`;
}

/** Says whose fault it may be that a genuine delivery is not accepted. */
function doubtOf(status: number): string {
  if (status >= 500) return 'it failed by itself; its own log says why';
  if (isRedirect(status))
    return 'give the address that it leads to, often the same one with a slash at its end';
  if (status === 404 || status === 405) return 'is this the path where it accepts a POST?';
  return genuine?.because ?? '';
}

/** Says what the service makes of an answer (document: "Retry policy"). */
function consequence(status: number): string {
  if (status >= 500) return ', which the service tries again, three times in all';
  if (status >= 400) return ', which is final: the service does not send it again';
  if (isRedirect(status)) return ', a redirect, which is not followed';
  return '';
}
