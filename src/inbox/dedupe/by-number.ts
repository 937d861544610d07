/**
 * SQLite: each row has a number, assigned in order and never reused, and this process knows the ids of all rows. Other
 * processes write too: each transaction begins by reading whatever was stored since the last one, at a point where
 * nobody else writes.
 */
import { placeholders } from '../../database/placeholders.ts';
import type { Queries, Transaction } from '../../database/port.ts';
import { columns, type Deduplicator, type Identity, type NewRow } from './deduplicator.ts';
import {
  countPagedIds,
  type IdEntry,
  idsOfRows,
  numbersWith,
  readLastPagedNumber,
  readPages,
  rebuildPages,
  removeEmptyPages,
  idsInPage as usualIdsInPage,
  writePage,
} from './id-pages.ts';
import { createIdTable, hashOf, type IdTable } from './id-table.ts';

const insertText = `INSERT INTO inbox_event (number, ${columns.join(', ')}) VALUES (${placeholders(columns.length + 1)})`;

/** No number up to this one is assigned again: after removals, `inbox_numbers` holds that of the last event. */
const lastNumber = `SELECT max((SELECT coalesce(max(number), 0) FROM inbox_event), (SELECT coalesce(max(last), 0) FROM inbox_ids), (SELECT coalesce(max(last), 0) FROM inbox_numbers)) AS last`;

interface NumberDeduplicatorOptions {
  readonly idsInPage?: number;
  /** Called once, if damaged or missing pages were found and are being rebuilt. */
  readonly onMended?: () => void;
}

export function createNumberDeduplicator({
  idsInPage = usualIdsInPage,
  onMended,
}: NumberDeduplicatorOptions = {}): Deduplicator {
  let known: IdTable | null = null;
  /** The last number in `known`. */
  let seen = 0;
  /** The part of `known` that is in no page yet, in order. */
  let inNoPage: IdEntry[] = [];
  let tellMended = onMended;
  /** What the running transaction has found, by source and id, because storing asks twice for a repeated one. */
  const found = new Map<string, number>();

  /**
   * Starts over, so that what has been removed takes no more memory. `more` ids are to come. Afterwards, less than a
   * page lies behind the pages; how much did before, the numbers do not tell.
   */
  async function load(tx: Queries, more: number): Promise<IdTable> {
    inNoPage = [];
    const { table, covered } = (await fromPages(tx, more)) ?? (await fromPagesMadeAnew(tx, more));
    await readRows(tx, table, covered);
    return table;
  }

  /** Null if the pages are not what was written. */
  async function fromPages(tx: Queries, more: number): Promise<{ table: IdTable; covered: number } | null> {
    const table = createIdTable((await countPagedIds(tx)) + idsInPage + more);
    const covered = await readPages(tx, (hash, number) => table.add(hash, number));
    return covered === null ? null : { table, covered };
  }

  async function fromPagesMadeAnew(tx: Queries, more: number) {
    await rebuildPages(tx, idsInPage);
    const made = await fromPages(tx, more);
    if (made === null) throw new Error('the numbers of the events are none that were given');
    tellMended?.();
    tellMended = undefined;
    return made;
  }

  async function readRows(tx: Queries, table: IdTable, after: number): Promise<void> {
    for await (const ids of idsOfRows(tx, after)) {
      for (const id of ids) put(table, id);
      await writePages(tx);
    }
  }

  function put(table: IdTable, id: IdEntry): void {
    table.add(id.hash, id.number);
    inNoPage.push(id);
  }

  /** Makes all events known, with room for `more`; returns the last number assigned. */
  async function catchUp(tx: Queries, more: number): Promise<{ table: IdTable; last: number }> {
    let last = await lastIn(tx);
    // An older version, which knew nothing of numbers, has removed the newest events, so their numbers are assigned
    // again.
    if (last < seen || !known?.hasRoomFor(last - seen + more)) {
      known = await load(tx, more);
      // A damaged page may have given a wrong one.
      last = await lastIn(tx);
    } else if (last > seen) await readRows(tx, known, seen);
    seen = last;
    return { table: known, last };
  }

  async function lastIn(tx: Queries): Promise<number> {
    const [row] = await tx.query<{ last: number }>(lastNumber);
    return row?.last ?? 0;
  }

  async function find(tx: Queries, { eventId, source }: Identity): Promise<number | undefined> {
    for (const number of known?.find(hashOf(eventId)) ?? []) {
      const name = `${source}\n${eventId}`;
      if (found.get(name) === number) return number;
      const [row] = await tx.query(
        "SELECT 1 FROM inbox_event WHERE number = $1 AND event_id = $2 AND source = $3 AND copy = ''",
        [number, eventId, source],
      );
      if (row === undefined) continue;
      found.set(name, number);
      return number;
    }
    return undefined;
  }

  async function writePages(tx: Queries): Promise<void> {
    if (inNoPage.length < idsInPage) return;
    // Another process may have written them.
    const covered = await readLastPagedNumber(tx);
    inNoPage = inNoPage.filter(({ number }) => number > covered);
    let at = 0;
    for (; at + idsInPage <= inNoPage.length; at += idsInPage)
      await writePage(tx, inNoPage.slice(at, at + idsInPage));
    inNoPage = inNoPage.slice(at);
  }

  return {
    async insert(tx: Transaction, rows: readonly NewRow[]) {
      found.clear();
      const { table, last } = await catchUp(tx, rows.length);
      const fresh: NewRow[] = [];
      for (const row of rows) {
        if (row.identity.copy !== '' || (await find(tx, row.identity)) === undefined) fresh.push(row);
      }
      await tx.executeEach(
        insertText,
        fresh.map(({ values }, at) => [last + 1 + at, ...values]),
      );
      for (const { identity } of fresh) put(table, { hash: hashOf(identity.eventId), number: ++seen });
      await writePages(tx);
      return new Set(fresh.map(({ key }) => key));
    },
    async matchIdentity(tx, identity) {
      return { text: (first) => `number = $${first}`, values: [(await find(tx, identity)) ?? null] };
    },
    onRollback() {
      known = null;
    },
    async matchIdOrKey(database, idOrKey) {
      // Whoever goes through many events has their keys, and must not read the ids of all for each.
      const [keyed] = await database.query('SELECT 1 FROM inbox_event WHERE key = $1', [idOrKey]);
      if (keyed !== undefined) return { text: (first) => `key = $${first}`, values: [idOrKey] };
      const numbers = JSON.stringify(await numbersWith(database, idOrKey));
      return {
        text: (first) => `event_id = $${first} AND number IN (SELECT value FROM json_each($${first + 1}))`,
        values: [idOrKey, numbers],
      };
    },
    async beforeRemoval(tx) {
      await tx.query(`UPDATE inbox_numbers SET last = (${lastNumber})`);
      await removeEmptyPages(tx);
    },
  };
}
