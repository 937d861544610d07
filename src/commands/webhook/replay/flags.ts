/** Combines what the flags of `webhook replay` ask for. Pure. */
import { usageError } from '../../../errors.ts';
import { parsePositiveDuration } from '../../../flags/duration.ts';
import { MissingInputError } from '../../../flags/mistakes/missing-input-error.ts';
import { parsePeriod, type TimeReference } from '../../../flags/moment.ts';
import { parseWholeNumber } from '../../../flags/whole-number.ts';
import { defaultRetryPolicy, type RetryPolicy } from '../../../listener/forwarding/backoff.ts';
import { parseHeaders } from '../../../listener/posting/extra-headers.ts';
import { parseSeveralTargets } from '../../../listener/posting/targets.ts';
import type { Headers } from '../../../listener/store.ts';
import type { ReplayChoice } from './choice.ts';

export interface ReplayFlags {
  readonly forwardTo?: readonly string[];
  readonly last?: string;
  readonly failed?: boolean;
  readonly since?: string;
  readonly until?: string;
  readonly contains?: string;
  readonly event?: string;
  readonly identical?: boolean;
  readonly set?: readonly string[];
  readonly secretFile?: string;
  readonly signatureHeader: string;
  readonly header?: readonly string[];
  readonly retries: string;
  readonly concurrency?: string;
  readonly forwardTimeout: string;
  readonly allowRemote?: boolean;
}

/** What the flags ask for. */
export interface ReplayRequest {
  readonly choice: ReplayChoice;
  /** Each event goes to all of these. Null: where each was forwarded before. */
  readonly forwardTo: readonly string[] | null;
  readonly allowRemote: boolean;
  readonly identical: boolean;
  /** What the copies are to change; null if the events themselves are forwarded. */
  readonly edits: readonly string[] | null;
  readonly headers: Headers;
  readonly signatureHeader: string;
  readonly policy: RetryPolicy;
  readonly timeoutMs: number;
  /** How many may be under way to one address. */
  readonly concurrency: number;
}

/** Reads the flags. Throws usage errors (64). */
export function parseReplayRequest(
  ids: readonly string[],
  flags: ReplayFlags,
  reference: TimeReference,
): ReplayRequest {
  const { signatureHeader, identical = false, allowRemote = false } = flags;
  const choice = readChoice(ids, flags, reference);
  const request = {
    choice,
    forwardTo: flags.forwardTo === undefined ? null : parseSeveralTargets(flags.forwardTo, { allowRemote }),
    allowRemote,
    identical,
    edits: flags.set ?? null,
    policy: {
      ...defaultRetryPolicy,
      attempts: 1 + parseWholeNumber('--retries', flags.retries, { min: 0, max: 100 }),
    },
    timeoutMs: parsePositiveDuration(flags.forwardTimeout, '--forward-timeout'),
    concurrency: parseWholeNumber('--concurrency', flags.concurrency ?? usualConcurrency(choice), {
      min: 1,
      max: 256,
    }),
    headers: parseHeaders(flags.header ?? [], signatureHeader),
    signatureHeader,
  };
  if (identical && request.edits !== null)
    throw usageError(
      '--identical and --set contradict each other: an edited copy is signed again. Nothing was sent.',
    );
  if (identical && flags.secretFile !== undefined)
    throw usageError(
      '--identical and --secret-file contradict each other: the original signature is sent, and nothing is signed. Nothing was sent.',
    );
  return request;
}

/** Few events that belong together are replayed to see what happens: their order counts, and stays. */
const usualConcurrency = ({ ids, contains }: ReplayChoice): string =>
  ids.length > 0 || contains !== null ? '1' : '10';

function readChoice(ids: readonly string[], flags: ReplayFlags, reference: TimeReference): ReplayChoice {
  const { last, failed = false, since, until, contains, event } = flags;
  const among = [last !== undefined, failed, since !== undefined, contains !== undefined].filter(Boolean);
  // Before anybody is asked for ids, with which it does not go.
  for (const [flag, value] of Object.entries({ '--event': event, '--until': until })) {
    if (value !== undefined && among.length === 0)
      throw usageError(
        `${flag} chooses among --last, --failed, --since or --contains, not among ids: give one of them. Nothing was sent.`,
      );
  }
  if (ids.length === 0 && among.length === 0)
    throw new MissingInputError(
      'event ids',
      'Which events? Give ids, --last, --failed, --since or --contains. Nothing was sent.',
      { hint: 'pixctl webhook inbox lists the events.' },
    );
  if (ids.length > 0 && among.length > 0)
    throw usageError(
      'Ids contradict --last, --failed, --since and --contains. Nothing was sent.',
      'Give either ids or one of these flags.',
    );
  return {
    ids,
    failed,
    event: event ?? null,
    contains: contains ?? null,
    last: last === undefined ? null : parseWholeNumber('--last', last, { min: 1, max: 1_000_000 }),
    ...parsePeriod({ since, until }, reference),
  };
}
