/**
 * The ids of an embedded inbox as they are stored. A unique index would change a different page for every random id,
 * and all of those pages would be copied to the disk again and again, so there is none. Instead, one row of `inbox_ids`
 * holds the hashes of 8,192 events in order of arrival; the ids of later events are read from their own rows. SQLite
 * does not notice if such a row is missing or has other bytes, and its events would look new when they come again, so
 * each row is checked when it is read. The rows of the events are authoritative.
 */
import { getBuiltinModule } from 'node:process';
import type { Queries } from '../../database/port.ts';
import { hashOf } from './id-table.ts';

/** An event's id, hashed, and the number of its row. */
export interface IdEntry {
  readonly hash: number;
  readonly number: number;
}

export const idsInPage = 8_192;
const bytesOfOne = 8;
/**
 * A checksum that follows the ids. The first version with pages wrote none, and ignores what is shorter than an id, so
 * it can go on with the same file.
 */
const bytesOfSum = 4;

/** How many pages, and events, are read at once. */
const pagesAtOnce = 16;
const eventsAtOnce = 8_192;

/** Stores the next page: all ids since the last one, in order. */
export async function writePage(tx: Queries, ids: readonly IdEntry[]): Promise<void> {
  const bytes = new DataView(new ArrayBuffer(ids.length * bytesOfOne + bytesOfSum));
  ids.forEach(({ hash, number }, at) => {
    bytes.setUint32(at * bytesOfOne, hash, true);
    bytes.setUint32(at * bytesOfOne + 4, number, true);
  });
  const end = ids.length * bytesOfOne;
  bytes.setUint32(end, sumOf(new Uint8Array(bytes.buffer, 0, end)), true);
  await tx.query('INSERT INTO inbox_ids (last, ids) VALUES ($1, $2)', [
    ids.at(-1)?.number ?? 0,
    new Uint8Array(bytes.buffer),
  ]);
}

/** Loads the module on demand, because merely listing the inbox does not need it. */
const sumOf = (bytes: Uint8Array): number => getBuiltinModule('node:zlib').crc32(bytes);

interface Page {
  readonly last: number;
  readonly ids: Uint8Array;
}

/**
 * Calls `each` for every id of every page; returns the last number that they cover. Null if a page is damaged or
 * missing: then it was not called for every id, and perhaps for something that is none.
 */
export async function readPages(
  database: Queries,
  each: (hash: number, number: number) => void,
): Promise<number | null> {
  let covered = 0;
  for (;;) {
    const pages = await database.query<Page>(
      'SELECT last, ids FROM inbox_ids WHERE last > $1 ORDER BY last LIMIT $2',
      [covered, pagesAtOnce],
    );
    for (const { last, ids } of pages) {
      const view = wholeIds(ids);
      if (view === null || (await isGapBefore(database, covered, view))) return null;
      if (readIds(view, covered, each) !== last) return null;
      covered = last;
    }
    if (pages.length < pagesAtOnce) return covered;
  }
}

/** Returns the last number; null if the numbers do not rise from `after`. */
function readIds(view: DataView, after: number, each: (hash: number, number: number) => void): number | null {
  let last = after;
  for (let at = 0; at < view.byteLength; at += bytesOfOne) {
    const number = view.getUint32(at + 4, true);
    if (number <= last) return null;
    each(view.getUint32(at, true), number);
    last = number;
  }
  return last;
}

/** The ids without their checksum; null unless these are the bytes of at least one id, as they were written. */
function wholeIds(ids: unknown): DataView | null {
  if (!(ids instanceof Uint8Array)) return null;
  const rest = ids.byteLength % bytesOfOne;
  const end = ids.byteLength - rest;
  if (end === 0 || (rest !== 0 && rest !== bytesOfSum)) return null;
  const view = new DataView(ids.buffer, ids.byteOffset, ids.byteLength);
  if (rest === bytesOfSum && view.getUint32(end, true) !== sumOf(ids.subarray(0, end))) return null;
  return new DataView(ids.buffer, ids.byteOffset, end);
}

/** Numbers have no gaps: whatever lay between two pages was removed, or its page was. */
async function isGapBefore(database: Queries, covered: number, page: DataView): Promise<boolean> {
  const first = page.getUint32(4, true);
  if (first <= covered + 1) return false;
  const [event] = await database.query(
    'SELECT 1 FROM inbox_event WHERE number > $1 AND number < $2 LIMIT 1',
    [covered, first],
  );
  return event !== undefined;
}

/** Rebuilds all pages from the rows, as far as they went: another process writes only what came afterwards. */
export async function rebuildPages(tx: Queries, inPage: number): Promise<void> {
  const covered = await readLastPagedNumber(tx);
  await tx.query('DELETE FROM inbox_ids');
  for await (const ids of idsOfRows(tx, 0, covered)) {
    for (let at = 0; at < ids.length; at += inPage) await writePage(tx, ids.slice(at, at + inPage));
  }
}

/** The number up to which the pages cover all events. */
export async function readLastPagedNumber(database: Queries): Promise<number> {
  const [row] = await database.query<{ last: number | null }>('SELECT max(last) AS last FROM inbox_ids');
  return row?.last ?? 0;
}

/** Removes pages without any remaining event, even between others, because one event may stay for ever. */
export async function removeEmptyPages(tx: Queries): Promise<void> {
  const before = 'SELECT coalesce(max(page.last), 0) FROM inbox_ids AS page WHERE page.last < inbox_ids.last';
  await tx.query(
    `DELETE FROM inbox_ids WHERE NOT EXISTS (SELECT 1 FROM inbox_event WHERE number > (${before}) AND number <= inbox_ids.last)`,
  );
}

/** How many ids are in pages, including those of events removed since. */
export async function countPagedIds(database: Queries): Promise<number> {
  const [row] = await database.query<{ ids: number }>(
    `SELECT coalesce(sum(length(ids)), 0) / ${bytesOfOne} AS ids FROM inbox_ids`,
  );
  return row?.ids ?? 0;
}

/** Yields the ids of all events with a number above `after`, up to `upTo`, in order, some at a time. */
export async function* idsOfRows(
  database: Queries,
  after: number,
  upTo: number = Number.MAX_SAFE_INTEGER,
): AsyncGenerator<IdEntry[], void, undefined> {
  let last = after;
  for (;;) {
    const rows = await database.query<{ number: number; event_id: string }>(
      'SELECT number, event_id FROM inbox_event WHERE number > $1 AND number <= $2 ORDER BY number LIMIT $3',
      [last, upTo, eventsAtOnce],
    );
    yield rows.map(({ number, event_id }) => ({ hash: hashOf(event_id), number }));
    last = rows.at(-1)?.number ?? last;
    if (rows.length < eventsAtOnce) return;
  }
}

/** The numbers of the rows that may have this id, found without keeping anything in memory. */
export async function numbersWith(database: Queries, id: string): Promise<number[]> {
  const wanted = hashOf(id);
  const found: number[] = [];
  const covered = await readPages(database, (hash, number) => {
    if (hash === wanted) found.push(number);
  });
  // Looks at all rows if a page is damaged. Whoever stores next rebuilds it.
  const later = await database.query<{ number: number }>(
    'SELECT number FROM inbox_event WHERE number > $1 AND event_id = $2',
    [covered ?? 0, id],
  );
  return [...found, ...later.map(({ number }) => number)];
}
