/**
 * Makes events without a public address: watches charges and withdrawals through the API and makes the events that
 * their changes mean. What was seen is remembered only after its events are stored, and an event's id depends on the
 * change alone, so that neither a crash nor a restart loses or doubles one.
 */
import type { Clock } from '../../clock.ts';
import { parseIsoTime } from '../../contract/iso-time.ts';
import { isInFlight, mayBePaid } from '../../contract/statuses.ts';
import { PixctlError } from '../../errors.ts';
import type { PollMark } from '../../forward/forward.ts';
import { eventsOfChange, type ResourceKind } from './changes.ts';
import { createdSecond, type SyntheticEvent, synthesizeEvent } from './synthesize.ts';

export interface Resource {
  readonly id: string;
  readonly status: string;
  readonly createdAt?: unknown;
}

export interface PollOptions {
  readonly clock: Clock;
  readonly everyMs: number;
  /** Whose marks these are: the service's address and the merchant. */
  readonly scope: string;
  /**
   * Makes events for whatever was created since then, even if it has changed already. Null: go on from the last run.
   */
  readonly since: number | null;
  /** When somebody began to expect events; a first run counts from here. Milliseconds since the epoch. */
  readonly startedAt: number;
  readonly pages: Readonly<Record<ResourceKind, () => AsyncIterable<readonly Resource[]>>>;
  readonly marks: {
    read(scope: string): Promise<Map<string, PollMark>>;
    /** Writes all or nothing. `forgotten`: the ids of marks to remove first. */
    write(scope: string, marks: ReadonlyMap<string, PollMark>, forgotten: readonly string[]): Promise<void>;
  };
  /** Stores an event durably. */
  readonly storeEvent: (synthetic: SyntheticEvent) => Promise<unknown>;
  readonly secret: string;
  readonly signatureHeader: string;
  /** Called when a round could not be read. The next one tries again after that many milliseconds. */
  readonly onTrouble: (cause: PixctlError, againInMs: number) => void;
}

/** When the last complete round began; kept among the marks. */
const lastRoundKey = '@round';
/** When a round last wrote marks. Known to this run only. */
const lastWriteKey = '@kept';
/** How far back, from the round before it, every round looks for changes to what is not new. */
const windowMs = 86_400_000;
/** How far the service's clock may be behind ours. */
const clockSlackMs = 10_000;
/** How many marks are removed in one transaction. */
const forgetBatchSize = 1_000;
/** No charge can be paid for longer (document: "Limits"). */
const longestPendingMs = 31 * 86_400_000;
/**
 * How much younger than its predecessor an item of a newest-first list may be, for two created at nearly the same time.
 */
const disorderMs = 60_000;
/** Longest pause between rounds, even if the service asks for a longer one. */
const longestPauseMs = 3_600_000;

/** Polls until the signal aborts. Rejects with a `PixctlError` when the key is refused. */
export async function poll(options: PollOptions, signal: AbortSignal): Promise<void> {
  const { clock } = options;
  const seen = await options.marks.read(options.scope);
  const first = seen.get(lastRoundKey);
  const startedFrom =
    options.since ?? (first === undefined ? options.startedAt : Number(first.status)) - clockSlackMs;
  let explicit = options.since !== null;
  while (!signal.aborted) {
    let pauseMs = options.everyMs;
    try {
      await runRound(options, seen, { newSince: startedFrom, includeSeen: explicit });
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

interface RoundOptions {
  /** Anything created since then and never seen is news. */
  readonly newSince: number;
  /** Includes what was seen already: its events are made again, and recognised by their ids. */
  readonly includeSeen: boolean;
}

async function runRound(
  options: PollOptions,
  seen: Map<string, PollMark>,
  { newSince, includeSeen }: RoundOptions,
) {
  const began = options.clock.now();
  const from = lookBackTo(seen, began, { newSince, includeSeen });
  const changed = new Map<string, PollMark>();
  // The document shows no time for a withdrawal. One without, found by the first round, is not new.
  const isUndatedNew = seen.has(lastRoundKey) || options.since !== null;
  const isNew = ({ createdAt }: Resource): boolean => {
    const created = parseIsoTime(createdAt);
    return Number.isNaN(created) ? isUndatedNew : created >= newSince;
  };
  for (const kind of ['charge', 'withdrawal'] as const) {
    for await (const resource of resourcesSince(options.pages[kind](), from)) {
      const mark = markOf(seen, resource);
      const isNews = isNew(resource) && (includeSeen || mark === undefined);
      await storeEventsOf(options, kind, isNews ? null : (mark ?? resource).status, resource);
      if (mark?.status !== resource.status) {
        changed.set(resource.id, { status: resource.status, createdAt: createdText(resource) });
      }
    }
  }
  changed.set(lastRoundKey, { status: String(began), createdAt: null });
  await writeMarks(options, seen, changed, { began, from });
  // Only once they are stored. Otherwise the next round would think them known, and no round would store them.
  for (const [id, mark] of changed) seen.set(id, mark);
}

/** Writes what has changed, and forgets what is over. If nothing has, writes once a minute how far the rounds came. */
async function writeMarks(
  options: PollOptions,
  seen: Map<string, PollMark>,
  changed: ReadonlyMap<string, PollMark>,
  { began, from }: { readonly began: number; readonly from: number },
): Promise<void> {
  const lastWrite = Number(seen.get(lastWriteKey)?.status) || 0;
  if (changed.size === 1 && began - lastWrite <= 60_000) return;
  const forgotten = expiredMarkIds(seen, from);
  await options.marks.write(options.scope, changed, forgotten);
  for (const id of forgotten) seen.delete(id);
  seen.set(lastWriteKey, { status: String(began), createdAt: null });
}

/** A seeded sandbox gives the same ids in each run, so a resource with another creation time is another resource. */
function markOf(seen: ReadonlyMap<string, PollMark>, resource: Resource): PollMark | undefined {
  const mark = seen.get(resource.id);
  const [before, now] = [createdSecond(mark?.createdAt), createdSecond(resource.createdAt)];
  return before === null || now === null || before === now ? mark : undefined;
}

async function storeEventsOf(
  options: PollOptions,
  kind: ResourceKind,
  before: string | null,
  resource: Resource,
) {
  const { scope, secret, signatureHeader, clock } = options;
  for (const event of eventsOfChange(kind, before, resource.status)) {
    await options.storeEvent(
      synthesizeEvent({ scope, event, resource, secret, signatureHeader, now: clock.now() }),
    );
  }
}

/**
 * Returns how far back a round that began at `began` looks: once one has been complete, no further than needed, because
 * a run may last for months. The window counts from that one, because days may lie between the two.
 */
function lookBackTo(
  seen: ReadonlyMap<string, PollMark>,
  began: number,
  { newSince, includeSeen }: RoundOptions,
): number {
  const last = seen.get(lastRoundKey);
  const news = includeSeen || last === undefined ? newSince : Number.POSITIVE_INFINITY;
  const previous = Math.min(began, Number(last?.status ?? began));
  return Math.min(news, previous - windowMs, oldestPending(seen, began));
}

/**
 * Yields what was created at or after `from`. The document does not show the order of lists, so each is read to its
 * end, unless everything so far came newest first and a whole page is older than `from`.
 */
async function* resourcesSince(
  pages: AsyncIterable<readonly Resource[]>,
  from: number,
): AsyncGenerator<Resource> {
  let newestFirst = true;
  let latest = Number.POSITIVE_INFINITY;
  for await (const page of pages) {
    for (const resource of page) if (!isBefore(resource, from)) yield resource;
    for (const { createdAt } of page) {
      const created = parseIsoTime(createdAt);
      newestFirst &&= created <= latest + disorderMs;
      latest = Math.min(latest, created);
    }
    const [first, last] = [page[0], page.at(-1)];
    const falls = parseIsoTime(first?.createdAt) > parseIsoTime(last?.createdAt);
    if (newestFirst && falls && page.every((resource) => isBefore(resource, from))) return;
  }
}

const isBefore = ({ createdAt }: Resource, from: number): boolean => parseIsoTime(createdAt) < from;

/**
 * Returns ids of what was created before `from`. No later round looks at those, except one that makes all events
 * afresh.
 */
function expiredMarkIds(seen: ReadonlyMap<string, PollMark>, from: number): string[] {
  const ids: string[] = [];
  for (const [id, { createdAt }] of seen) {
    if (parseIsoTime(createdAt) < from && ids.push(id) === forgetBatchSize) break;
  }
  return ids;
}

function oldestPending(seen: ReadonlyMap<string, PollMark>, now: number): number {
  let oldest = now;
  for (const { status, createdAt } of seen.values()) {
    const created = parseIsoTime(createdAt);
    const open = mayBePaid(status) || isInFlight(status);
    if (open && created < oldest && created > now - longestPendingMs) oldest = created;
  }
  return oldest;
}

/** Returns the time as it is stored. Anything but text is no time. */
const createdText = ({ createdAt }: Resource): string | null =>
  typeof createdAt === 'string' ? createdAt : null;
