/**
 * Finds and claims what is due in the forward queue. To find the oldest event, everything that waits has to be read:
 * any of it may be waiting for its next attempt, be held by another process, or go where there is no room. So one look
 * remembers more keys than one claim takes, and the next claims use those, together with what has become due since.
 * Otherwise the cost of a backlog would grow with its square, on the thread that answers.
 */
import type { Clock } from '../clock.ts';
import type { Queries } from '../database/port.ts';
import {
  byKey,
  type ClaimRequest,
  claimInOrder,
  type DueKeys,
  findDue,
  plannedBetween,
  plannedFor,
  releaseGoneOwners,
} from './due-queries.ts';
import type { ClaimFilter, InboxEvent } from './inbox.ts';

interface ClaimResult {
  /** Oldest first; fewer than wanted only if a look has found no more. */
  readonly events: InboxEvent[];
  readonly readAhead: ReadAhead;
}

/** Everything due and free up to a key, and not yet claimed. */
interface ReadAhead extends DueKeys {
  /** The time up to which what is due is known, in milliseconds since the epoch. */
  readonly dueBy: number;
  /** Monotonic clock, milliseconds. */
  readonly goodUntil: number;
}

interface DueClaimer {
  /** Runs within a transaction, which may run again. */
  claim(tx: Queries, request: ClaimRequest): Promise<ClaimResult>;
  /** Call it once that transaction is committed. */
  onCommitted(request: ClaimRequest, claimed: ClaimResult): void;
}

interface DueClaimerOptions {
  readonly ownerId: string;
  readonly clock: Pick<Clock, 'now' | 'monotonic'>;
  /** Of these owners of claims, returns those whose claims may be taken over in this transaction. */
  readonly retireGoneOwners: (tx: Queries, holders: readonly string[]) => Promise<string[]>;
}

export const anyEvent: ClaimFilter = { names: { except: [] }, excludedTargets: [] };

/** How many keys to remember for each event wanted: that many claims need no look of their own. */
const claimsAhead = 32;

/**
 * How long remembered keys are used, in milliseconds: an event that another process gives back may wait that long.
 * Looks take at most one part in `lookShare` of the time, however many events wait.
 */
const goodForMs = 1_000;
const lookShare = 20;

/** How much later than its planned moment an attempt's plan may be committed, in milliseconds. */
const lateMs = 250;

export function createDueClaimer({ ownerId, clock, retireGoneOwners }: DueClaimerOptions): DueClaimer {
  const known = new Map<string, ReadAhead>();
  const nameOf = ({ source, choice }: ClaimRequest) => JSON.stringify([source, choice]);
  const forget = (now: number) => {
    for (const [name, { goodUntil }] of known) if (goodUntil <= now) known.delete(name);
  };

  async function look(tx: Queries, request: ClaimRequest): Promise<ReadAhead> {
    const from = clock.monotonic();
    await releaseGoneOwners(tx, request.source, (holders) => retireGoneOwners(tx, holders));
    const dueBy = clock.now();
    const { keys, upTo } = await findDue(tx, request, plannedFor(dueBy), request.limit * claimsAhead);
    const to = clock.monotonic();
    return { keys, upTo, dueBy, goodUntil: to + Math.max(goodForMs, (to - from) * lookShare) };
  }

  /** Adds what has become due since. */
  async function addNewlyDue(tx: Queries, request: ClaimRequest, ahead: ReadAhead): Promise<ReadAhead> {
    const dueBy = clock.now();
    const since = await findDue(
      tx,
      request,
      plannedBetween(ahead.dueBy - lateMs, dueBy),
      request.limit * claimsAhead,
    );
    if (since.keys.length === 0) return { ...ahead, dueBy };
    const upTo = older(ahead.upTo, since.upTo);
    const keys = [...new Set([...ahead.keys, ...since.keys])].sort();
    return { ...ahead, keys: upTo === null ? keys : keys.filter((key) => key <= upTo), upTo, dueBy };
  }

  return {
    async claim(tx, request) {
      const { limit } = request;
      const take = async (ahead: ReadAhead, most: number): Promise<ClaimResult> => {
        const { events, left } = await claimInOrder(tx, request, ahead.keys, most, ownerId, clock.now());
        return { events, readAhead: { ...ahead, keys: left } };
      };
      forget(clock.monotonic());
      const remembered = known.get(nameOf(request));
      if (remembered === undefined || remembered.keys.length < limit)
        return take(await look(tx, request), limit);
      const claimed = await take(await addNewlyDue(tx, request, remembered), limit);
      const left = limit - claimed.events.length;
      if (left === 0) return claimed;
      const more = await take(await look(tx, request), left);
      return { ...more, events: [...claimed.events, ...more.events].sort(byKey) };
    },
    onCommitted(request, { readAhead }) {
      known.set(nameOf(request), readAhead);
    },
  };
}

const older = (one: string | null, other: string | null): string | null =>
  one === null || (other !== null && other < one) ? other : one;
