/**
 * Events without a public address: watches charges and withdrawals through the API and makes the events
 * that their changes mean. What was seen is remembered after its events are stored, and an event's id
 * depends on the change alone, so that neither a crash nor a restart loses or doubles one.
 */
import type { Clock } from '../../clock.ts';
import { momentOf } from '../../contract/moment.ts';
import { PixctlError } from '../../errors.ts';
import { eventsOfChange, type ResourceKind } from './changes.ts';
import { createdSecond, type Synthetic, synthesize } from './synthesize.ts';

export interface Resource {
  readonly id: string;
  readonly status: string;
  readonly createdAt?: unknown;
}

export interface Mark {
  readonly status: string;
  readonly createdAt: string | null;
}

export interface PollOptions {
  readonly clock: Clock;
  readonly everyMs: number;
  /** Whose marks these are: the service's address and the merchant. */
  readonly scope: string;
  /** Events of what was created since then are made even if it changed before now; null: go on from last time. */
  readonly since: number | null;
  /** When somebody began to expect events, milliseconds since the epoch: from when a first run counts. */
  readonly startedAt: number;
  readonly pages: Readonly<Record<ResourceKind, () => AsyncIterable<readonly Resource[]>>>;
  readonly marks: {
    read(scope: string): Promise<Map<string, Mark>>;
    /** All or nothing; `forgotten` are the ids of marks to be removed first. */
    write(scope: string, marks: ReadonlyMap<string, Mark>, forgotten: readonly string[]): Promise<void>;
  };
  /** Stores an event durably. */
  readonly take: (synthetic: Synthetic) => Promise<unknown>;
  readonly secret: string;
  readonly signatureHeader: string;
  /** A round could not be read; the next one tries again, after so many milliseconds. */
  readonly onTrouble: (cause: PixctlError, againInMs: number) => void;
}

/** When the last complete round began; kept among the marks. */
const lastRound = '@round';
/** When a round last wrote marks; known to this run only. */
const lastKept = '@kept';
/** How far back every round looks, for changes of what is not new. */
const windowMs = 86_400_000;
/** How far the service's clock may be behind ours. */
const clockSlackMs = 10_000;
/** Marks removed in one transaction. */
const forgottenAtOnce = 1_000;
/** No charge stays payable for longer (document: "Limits"). */
const longestPendingMs = 31 * 86_400_000;
/** By how much an item of a list from new to old may be younger than one before it, because both were made at once. */
const disorderMs = 60_000;
/** Even a service that asks for a longer pause is asked again after this one. */
const longestPauseMs = 3_600_000;

/** Polls until the signal aborts. Rejects with an error of the family when the key is refused. */
export async function poll(options: PollOptions, signal: AbortSignal): Promise<void> {
  const { clock } = options;
  const seen = await options.marks.read(options.scope);
  const first = seen.get(lastRound);
  const startedFrom =
    options.since ?? (first === undefined ? options.startedAt : Number(first.status)) - clockSlackMs;
  let explicit = options.since !== null;
  while (!signal.aborted) {
    let pauseMs = options.everyMs;
    try {
      await round(options, seen, { newSince: startedFrom, afresh: explicit });
      explicit = false;
    } catch (cause) {
      if (signal.aborted) return;
      if (!(cause instanceof PixctlError) || cause.kind === 'auth') throw cause;
      pauseMs = Math.max(pauseMs, Math.min(cause.retryAfterMs ?? 0, longestPauseMs));
      options.onTrouble(cause, pauseMs);
    }
    await clock.sleep(pauseMs, signal);
  }
}

interface Round {
  /** What was created since then, and was never seen, is news. */
  readonly newSince: number;
  /** Also what was seen: its events are made again, and known by their ids. */
  readonly afresh: boolean;
}

async function round(options: PollOptions, seen: Map<string, Mark>, { newSince, afresh }: Round) {
  const began = options.clock.now();
  const from = Math.min(newSince, began - windowMs, oldestPending(seen, began));
  const changed = new Map<string, Mark>();
  // The document shows no time of a withdrawal: one without, found by the first look, is not new.
  const isUndatedNew = seen.has(lastRound) || options.since !== null;
  for (const kind of ['charge', 'withdrawal'] as const) {
    for await (const resource of watched(options.pages[kind](), from)) {
      const mark = markOf(seen, resource);
      const created = momentOf(resource.createdAt);
      const isNew = Number.isNaN(created) ? isUndatedNew : created >= newSince;
      const before = isNew && (afresh || mark === undefined) ? null : (mark ?? resource).status;
      await tell(options, kind, before, resource);
      if (mark?.status !== resource.status) {
        changed.set(resource.id, { status: resource.status, createdAt: createdText(resource) });
      }
    }
  }
  changed.set(lastRound, { status: String(began), createdAt: null });
  if (changed.size > 1 || began - (Number(seen.get(lastKept)?.status) || 0) > 60_000) {
    const forgotten = outlived(seen, from);
    await options.marks.write(options.scope, changed, forgotten);
    for (const id of forgotten) seen.delete(id);
    seen.set(lastKept, { status: String(began), createdAt: null });
  }
  // Only once they are kept: otherwise the next round would take them for known, and no round would keep them.
  for (const [id, mark] of changed) seen.set(id, mark);
}

/** A sandbox with a seed gives the same ids in each run: a resource with another creation time is another one. */
function markOf(seen: ReadonlyMap<string, Mark>, resource: Resource): Mark | undefined {
  const mark = seen.get(resource.id);
  const [before, now] = [createdSecond(mark?.createdAt), createdSecond(resource.createdAt)];
  return before === null || now === null || before === now ? mark : undefined;
}

async function tell(options: PollOptions, kind: ResourceKind, before: string | null, resource: Resource) {
  const { scope, secret, signatureHeader, clock } = options;
  for (const event of eventsOfChange(kind, before, resource.status)) {
    await options.take(synthesize({ scope, event, resource, secret, signatureHeader, now: clock.now() }));
  }
}

/**
 * What was created at or after `from`. Lists are read to their end unless all that came goes from new to old, each
 * after younger ones, and a whole page is older; their order is not shown in the document.
 */
async function* watched(pages: AsyncIterable<readonly Resource[]>, from: number): AsyncGenerator<Resource> {
  let newestFirst = true;
  let latest = Number.POSITIVE_INFINITY;
  for await (const page of pages) {
    for (const resource of page) if (!isBefore(resource, from)) yield resource;
    for (const { createdAt } of page) {
      const created = momentOf(createdAt);
      newestFirst &&= created <= latest + disorderMs;
      latest = Math.min(latest, created);
    }
    const [first, last] = [page[0], page.at(-1)];
    const falls = momentOf(first?.createdAt) > momentOf(last?.createdAt);
    if (newestFirst && falls && page.every((resource) => isBefore(resource, from))) return;
  }
}

const isBefore = ({ createdAt }: Resource, from: number): boolean => momentOf(createdAt) < from;

/** Ids of what was created before `from`: no later round looks at it, except one that makes all events anew. */
function outlived(seen: ReadonlyMap<string, Mark>, from: number): string[] {
  const ids: string[] = [];
  for (const [id, { createdAt }] of seen) {
    if (momentOf(createdAt) < from && ids.push(id) === forgottenAtOnce) break;
  }
  return ids;
}

function oldestPending(seen: ReadonlyMap<string, Mark>, now: number): number {
  let oldest = now;
  for (const { status, createdAt } of seen.values()) {
    const created = momentOf(createdAt);
    const open = status === 'PENDING' || status === 'PROCESSING';
    if (open && created < oldest && created > now - longestPendingMs) oldest = created;
  }
  return oldest;
}

/** As it is kept; what is no text tells no time. */
const createdText = ({ createdAt }: Resource): string | null =>
  typeof createdAt === 'string' ? createdAt : null;
