/**
 * The ids of an embedded inbox as they are stored. A unique index would be changed at another page for every random
 * id, and all of those pages copied to the disk again and again; so there is none. The hashes of each 8,192 events,
 * in order of arrival, are one row of `inbox_ids`; those of the events since the last of them are read from their rows.
 */
import type { Queries } from '../../database/port.ts';
import { hashOf } from './id-table.ts';

/** An event's id, hashed, and the number of its row. */
export interface IdAt {
  readonly hash: number;
  readonly number: number;
}

export const idsInPage = 8_192;
const bytesOfOne = 8;

/** Pages, and events, read at once. */
const pagesAtOnce = 16;
const eventsAtOnce = 8_192;

/** Stores the next page: all ids since the last one, in their order. */
export async function writePage(tx: Queries, ids: readonly IdAt[]): Promise<void> {
  const bytes = new DataView(new ArrayBuffer(ids.length * bytesOfOne));
  ids.forEach(({ hash, number }, at) => {
    bytes.setUint32(at * bytesOfOne, hash, true);
    bytes.setUint32(at * bytesOfOne + 4, number, true);
  });
  await tx.query('INSERT INTO inbox_ids (last, ids) VALUES ($1, $2)', [
    ids.at(-1)?.number ?? 0,
    new Uint8Array(bytes.buffer),
  ]);
}

/** Calls `each` for every id of every page; answers the last number that they cover. */
export async function readPages(
  database: Queries,
  each: (hash: number, number: number) => void,
): Promise<number> {
  let covered = 0;
  for (;;) {
    const pages = await database.query<{ last: number; ids: Uint8Array }>(
      'SELECT last, ids FROM inbox_ids WHERE last > $1 ORDER BY last LIMIT $2',
      [covered, pagesAtOnce],
    );
    for (const { last, ids } of pages) {
      const view = new DataView(ids.buffer, ids.byteOffset, ids.byteLength);
      for (let at = 0; at + bytesOfOne <= ids.byteLength; at += bytesOfOne)
        each(view.getUint32(at, true), view.getUint32(at + 4, true));
      covered = last;
    }
    if (pages.length < pagesAtOnce) return covered;
  }
}

/** Up to which number the pages cover all events. */
export async function coveredBy(database: Queries): Promise<number> {
  const [row] = await database.query<{ last: number | null }>('SELECT max(last) AS last FROM inbox_ids');
  return row?.last ?? 0;
}

/** Pages of which no event is left: also between others, because one event may stay for ever. */
export async function removeEmptyPages(tx: Queries): Promise<void> {
  const before = 'SELECT coalesce(max(page.last), 0) FROM inbox_ids AS page WHERE page.last < inbox_ids.last';
  await tx.query(
    `DELETE FROM inbox_ids WHERE NOT EXISTS (SELECT 1 FROM inbox_event WHERE number > (${before}) AND number <= inbox_ids.last)`,
  );
}

/** How many ids are in pages; some of these events may have been removed. */
export async function idsInPages(database: Queries): Promise<number> {
  const [row] = await database.query<{ ids: number }>(
    `SELECT coalesce(sum(length(ids)), 0) / ${bytesOfOne} AS ids FROM inbox_ids`,
  );
  return row?.ids ?? 0;
}

/** The ids of all events with a number above `after`, in order, some at a time. */
export async function* idsOfRows(database: Queries, after: number): AsyncGenerator<IdAt[], void, undefined> {
  let last = after;
  for (;;) {
    const rows = await database.query<{ number: number; event_id: string }>(
      'SELECT number, event_id FROM inbox_event WHERE number > $1 ORDER BY number LIMIT $2',
      [last, eventsAtOnce],
    );
    yield rows.map(({ number, event_id }) => ({ hash: hashOf(event_id), number }));
    last = rows.at(-1)?.number ?? last;
    if (rows.length < eventsAtOnce) return;
  }
}

/** The numbers of the rows that may have this id, without anything kept in memory. */
export async function numbersWith(database: Queries, id: string): Promise<number[]> {
  const wanted = hashOf(id);
  const found: number[] = [];
  const covered = await readPages(database, (hash, number) => {
    if (hash === wanted) found.push(number);
  });
  const later = await database.query<{ number: number }>(
    'SELECT number FROM inbox_event WHERE number > $1 AND event_id = $2',
    [covered, id],
  );
  return [...found, ...later.map(({ number }) => number)];
}
