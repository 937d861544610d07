/** Reads events, and waits for ones that have not happened yet. */
import { isoTime, timerDelay, timers } from '../../clock.ts';
import type { Store } from '../store/store.ts';

export interface SandboxEvent {
  /** Place in the log, from 1. This is what `after` takes. */
  readonly seq: number;
  readonly id: string;
  readonly event: string;
  readonly merchantId: string;
  /** ISO time on the sandbox clock. */
  readonly createdAt: string;
  readonly data: Readonly<Record<string, unknown>>;
}

export interface EventFilter {
  readonly event?: string | undefined;
  readonly merchantId?: string | undefined;
  /** Only events whose `data.id` (or that of the record nested in it) is this. */
  readonly about?: string | undefined;
  /** Only events later in the log than this. */
  readonly after?: number | undefined;
  /** At most this many. Default 100. */
  readonly limit?: number | undefined;
  readonly order?: 'oldest-first' | 'newest-first' | undefined;
}

export interface EventLog {
  list(filter?: EventFilter): SandboxEvent[];
  /**
   * Returns the first event that matches, including past ones; null if none came within `ms` of real time.
   * @param passed ids of events to skip
   */
  wait(
    filter: EventFilter,
    ms: number,
    signal?: AbortSignal,
    passed?: ReadonlySet<string>,
  ): Promise<SandboxEvent | null>;
  /** Call it after a commit that may have brought an event. */
  wake(): void;
  /** Call it when another log may have taken the place of this one. */
  notifyReplaced(): void;
  /** How often the log was replaced. Places in it stay valid as long as this does not change. */
  readonly replacements: number;
}

export function createEventLog(store: Store): EventLog {
  const waiting = new Set<() => void>();
  const list = (filter: EventFilter = {}) => listEvents(store, filter);
  let replacements = 0;
  const wake = () => {
    for (const look of waiting) look();
  };
  return {
    list,
    wake,
    notifyReplaced() {
      replacements += 1;
      wake();
    },
    get replacements() {
      return replacements;
    },
    wait(filter, ms, signal, passed = nothing) {
      const { promise, resolve, reject } = Promise.withResolvers<SandboxEvent | null>();
      const end = (tell: () => void) => {
        timers.clearTimeout(timer);
        waiting.delete(look);
        signal?.removeEventListener('abort', gone);
        tell();
      };
      const look = () => {
        try {
          const found = list({ ...filter, limit: passed.size + 1 }).find(({ id }) => !passed.has(id));
          if (found) end(() => resolve(found));
        } catch (error) {
          // Only whoever waits is told. The caller that brought the event has committed it, and must not fail.
          end(() => reject(error));
        }
      };
      const gone = () => end(() => resolve(null));
      const timer = timers.setTimeout(gone, timerDelay(ms));
      signal?.addEventListener('abort', gone, { once: true });
      waiting.add(look);
      look();
      return promise;
    },
  };
}

const nothing: ReadonlySet<string> = new Set();

interface Row {
  seq: number;
  id: string;
  event: string;
  merchantId: string;
  occurredAt: number;
  data: string;
}

/** In JSON that SQLite cannot read (nested more than 1000 deep), the id is searched for as text. */
const isAbout = `CASE json_valid(data) WHEN 1 THEN EXISTS (SELECT 1 FROM json_tree(data) WHERE key = 'id' AND value = ?)
  ELSE instr(data, ?) END`;

function listEvents(store: Store, filter: EventFilter): SandboxEvent[] {
  const { event, merchantId, about, after } = filter;
  const wanted: readonly (readonly [condition: string, ...values: (string | number | undefined)[]])[] = [
    ['event = ?', event],
    ['merchant_id = ?', merchantId],
    [isAbout, about, about === undefined ? undefined : `"id":${JSON.stringify(about)}`],
    ['seq > ?', after],
  ];
  const given = wanted.filter(([, value]) => value !== undefined);
  return store
    .all<Row>(
      `SELECT seq, id, event, merchant_id AS merchantId, occurred_at AS occurredAt, data FROM events
       WHERE ${given.map(([condition]) => condition).join(' AND ') || '1'}
       ORDER BY seq ${filter.order === 'newest-first' ? 'DESC' : 'ASC'} LIMIT ?`,
      ...given.flatMap(([, ...values]) => values.filter((value) => value !== undefined)),
      filter.limit ?? 100,
    )
    .map((row) => ({
      seq: row.seq,
      id: row.id,
      event: row.event,
      merchantId: row.merchantId,
      createdAt: isoTime(row.occurredAt),
      data: JSON.parse(row.data),
    }));
}
