/** PostgreSQL: a constraint keeps each event only once, and its index finds it. */
import { placeholders } from '../../database/placeholders.ts';
import type { Queries } from '../../database/port.ts';
import { columns, type Deduplicator, type NewRow } from './deduplicator.ts';

export const constraintDeduplicator: Deduplicator = {
  insert: insertTogether,
  matchIdentity: async (_, { eventId, source }) => ({
    text: (first) => `event_id = $${first} AND source = $${first + 1} AND copy = ''`,
    values: [eventId, source],
  }),
  onRollback() {},
  matchIdOrKey: async (_, idOrKey) => ({
    text: (first) => `(event_id = $${first} OR key = $${first})`,
    values: [idOrKey],
  }),
  async beforeRemoval() {},
};

/** Rows per statement: few different texts, so that each is prepared once. */
const portions = [64, 16, 4, 1] as const;

/**
 * Stores many rows per statement, because over a network each statement is a round trip. Sorts by event id, so that two
 * processes storing the same events cannot deadlock.
 */
async function insertTogether(tx: Queries, rows: readonly NewRow[]): Promise<Set<string>> {
  const sorted = rows.toSorted((a, b) => (a.identity.eventId < b.identity.eventId ? -1 : 1));
  const inserted = new Set<string>();
  let start = 0;
  while (start < sorted.length) {
    const size = portions.find((portion) => portion <= sorted.length - start) ?? 1;
    const portion = sorted.slice(start, start + size);
    const stored = await tx.query<{ key: string }>(
      insertText(size),
      portion.flatMap((row) => row.values),
    );
    for (const { key } of stored) inserted.add(key);
    start += size;
  }
  return inserted;
}

const texts = new Map<number, string>();

function insertText(rows: number): string {
  let text = texts.get(rows);
  if (text === undefined) {
    const tuple = (row: number) => `(${placeholders(columns.length, row * columns.length + 1)})`;
    text = `INSERT INTO inbox_event (${columns.join(', ')}) VALUES ${Array.from({ length: rows }, (_, row) => tuple(row)).join(',')} ON CONFLICT (event_id, source, copy) DO NOTHING RETURNING key`;
    texts.set(rows, text);
  }
  return text;
}
