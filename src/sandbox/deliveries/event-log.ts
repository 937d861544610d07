/** Events as they are read, and waiting for one that has not happened yet. */
import { isoTime, timerDelay } from '../../clock.ts';
import type { Store } from '../store/store.ts';

export interface SandboxEvent {
  /** Place in the log, from 1; what `after` takes. */
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
  /** At most this many; 100 by default. */
  readonly limit?: number | undefined;
  readonly order?: 'oldest-first' | 'newest-first' | undefined;
}

export interface EventLog {
  list(filter?: EventFilter): SandboxEvent[];
  /** The first event that matches, past ones included; null when none came within `ms` of real time. */
  wait(filter: EventFilter, ms: number, signal?: AbortSignal): Promise<SandboxEvent | null>;
  /** To be called after a commit that may have brought an event. */
  wake(): void;
  /** To be called when another log may stand in the place of this one. */
  exchanged(): void;
  /** How often it was exchanged; places in the log stay valid as long as this does not change. */
  readonly exchanges: number;
}

export function eventLog(store: Store): EventLog {
  const waiting = new Set<() => void>();
  const list = (filter: EventFilter = {}) => listEvents(store, filter);
  let exchanges = 0;
  const wake = () => {
    for (const look of waiting) look();
  };
  return {
    list,
    wake,
    exchanged() {
      exchanges += 1;
      wake();
    },
    get exchanges() {
      return exchanges;
    },
    wait(filter, ms, signal) {
      const { promise, resolve } = Promise.withResolvers<SandboxEvent | null>();
      const end = (found: SandboxEvent | null) => {
        clearTimeout(timer);
        waiting.delete(look);
        signal?.removeEventListener('abort', gone);
        resolve(found);
      };
      const look = () => {
        const [found] = list({ ...filter, limit: 1 });
        if (found) end(found);
      };
      const gone = () => end(null);
      const timer = setTimeout(gone, timerDelay(ms));
      signal?.addEventListener('abort', gone, { once: true });
      waiting.add(look);
      look();
      return promise;
    },
  };
}

interface Row {
  seq: number;
  id: string;
  event: string;
  merchantId: string;
  occurredAt: number;
  data: string;
}

function listEvents(store: Store, filter: EventFilter): SandboxEvent[] {
  const wanted: [string, string | number | undefined][] = [
    ['event = ?', filter.event],
    ['merchant_id = ?', filter.merchantId],
    [`EXISTS (SELECT 1 FROM json_tree(data) WHERE key = 'id' AND value = ?)`, filter.about],
    ['seq > ?', filter.after],
  ];
  const given = wanted.filter((pair): pair is [string, string | number] => pair[1] !== undefined);
  return store
    .all<Row>(
      `SELECT seq, id, event, merchant_id AS merchantId, occurred_at AS occurredAt, data FROM events
       WHERE ${given.map(([condition]) => condition).join(' AND ') || '1'}
       ORDER BY seq ${filter.order === 'newest-first' ? 'DESC' : 'ASC'} LIMIT ?`,
      ...given.map(([, value]) => value),
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
