/**
 * The world of one sandbox: its store, its clock, its settings, and how things happen in it. There is no state outside
 * a world, so several live in one process without knowing of each other.
 */
import type { AssumptionId } from '../../contract/assumptions.ts';
import { getOrCreateMeta } from '../store/get-or-create-meta.ts';
import type { Store } from '../store/store.ts';
import { type Choices, chooseBehaviours } from './choices.ts';
import type { SandboxClock } from './clock.ts';
import { createIds, type Ids } from './ids.ts';
import { randomBytes } from './randomness.ts';
import type { Settings } from './settings.ts';

/** Something that happened: its row in `events`, with `data` parsed. */
export interface EmittedEvent {
  readonly id: string;
  readonly merchantId: string;
  readonly event: string;
  readonly data: Readonly<Record<string, unknown>>;
  /** Milliseconds on the sandbox's clock. */
  readonly occurredAt: number;
}

/** A row of `jobs`, with its payload parsed. */
export interface Job {
  readonly id: number;
  readonly kind: string;
  readonly dueAt: number;
  readonly payload: unknown;
  /** Jobs of one lane share its width (an endpoint's deliveries); null for jobs that need none. */
  readonly lane: string | null;
}

/**
 * What a kind of job does when it is due. `run` happens inside the transaction that removes the job, so that it happens
 * exactly once. `begin` takes its time: it removes the job itself (`unschedule`) in the transaction of its effect, and
 * `advance` waits for its end.
 */
export type JobHandler =
  | { readonly run: (world: World, job: Job) => void }
  | { readonly begin: (world: World, job: Job) => Promise<void> };

export interface World {
  readonly store: Store;
  readonly clock: SandboxClock;
  readonly settings: Settings;
  readonly ids: Ids;
  /** Draws API keys. */
  readonly keyIds: Ids;
  readonly choices: Choices;
  /** Signs cursors. Stored in the state, so that a cursor outlives a restart. */
  readonly cursorSecret: string;
  /** Returns the behaviour chosen for an open point of the document. */
  assume(id: AssumptionId): string;
  /** Writes an event that occurs now, in the current transaction, and calls `onEvent`. */
  emit(merchantId: string, event: string, data: Record<string, unknown>): EmittedEvent;
  /** Called with each event and the number of its row, in its transaction. The deliveries set it. */
  onEvent: (event: EmittedEvent, seq: number) => void;
  /** Writes a durable job in the current transaction. Wakes the runner after the commit. */
  schedule(kind: string, dueAt: number, payload: unknown, lane?: string): void;
  /** Removes a job in the current transaction. */
  unschedule(job: Job): void;
  /** Makes a waiting job due at `dueAt`, if that is earlier. */
  rescheduleEarlier(kind: string, payload: unknown, dueAt: number): void;
  /** What each kind of job does. Filled when the world is put together. */
  readonly handlers: Map<string, JobHandler>;
  /** Called after a commit that scheduled something. The runner sets it. */
  onSchedule: () => void;
}

interface WorldParts {
  readonly store: Store;
  readonly clock: SandboxClock;
  readonly settings: Settings;
  /** Whether keys are drawn at random even with a seed. */
  readonly hasSecretKeys?: boolean | undefined;
}

export function createWorld({ store, clock, settings, hasSecretKeys = false }: WorldParts): World {
  const ids = createIds(seedOfThisRun(store, settings.seed));
  const keyIds = hasSecretKeys ? createIds(null) : ids;
  const choices = chooseBehaviours(settings);

  const world: World = {
    store,
    clock,
    settings,
    ids,
    keyIds,
    choices,
    cursorSecret: getOrCreateMeta(store, 'cursor-secret', () =>
      settings.seed === null ? randomBytes(16).toString('hex') : ids.characters(32),
    ),
    assume: (id) => choices[id].value,
    emit(merchantId, event, data) {
      const emitted: EmittedEvent = { id: ids.next('evt'), merchantId, event, data, occurredAt: clock.now() };
      world.onEvent(emitted, insertEvent(store, { ...emitted, data: JSON.stringify(data) }));
      return emitted;
    },
    onEvent: () => {},
    schedule(kind, dueAt, payload, lane) {
      store.run(
        'INSERT INTO jobs (kind, due_at, payload, lane) VALUES (?, ?, ?, ?)',
        kind,
        dueAt,
        JSON.stringify(payload),
        lane ?? null,
      );
      store.afterCommit(() => world.onSchedule());
    },
    unschedule(job) {
      store.run('DELETE FROM jobs WHERE id = ?', job.id);
    },
    rescheduleEarlier(kind, payload, dueAt) {
      const waiting = 'kind = ? AND payload = ? AND due_at > ?';
      store.run(`UPDATE jobs SET due_at = ? WHERE ${waiting}`, dueAt, kind, JSON.stringify(payload), dueAt);
      store.afterCommit(() => world.onSchedule());
    },
    handlers: new Map(),
    onSchedule: () => {},
  };
  return world;
}

/** Writes the row of an event, its data in JSON, in the current transaction, and tells nobody. Returns its number. */
export const insertEvent = (
  store: Store,
  { id, merchantId, event, data, occurredAt }: Omit<EmittedEvent, 'data'> & { readonly data: string },
): number =>
  store.run(
    'INSERT INTO events (id, merchant_id, event, data, occurred_at) VALUES (?, ?, ?, ?, ?)',
    ...[id, merchantId, event, data, occurredAt],
  ).rowid;

/** Makes a seed for this run, because a restarted state must not draw the ids of its first run again. */
function seedOfThisRun(store: Store, seed: string | null): string | null {
  if (seed === null) return null;
  const run = Number(store.readMeta('runs') ?? '0') + 1;
  store.writeMeta('runs', String(run));
  return `${seed}/${run}`;
}
