/** Damages a SQLite file in the way that no statement tells. */
import { closeSync, openSync, writeSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';

/** Leaves the index without a row, as a copy made in the middle of a write can. */
export function emptyIndex(file: string, name: string): void {
  const database = new DatabaseSync(file);
  database.exec('PRAGMA wal_checkpoint(TRUNCATE)');
  const { rootpage } = database.prepare('SELECT rootpage FROM sqlite_schema WHERE name = ?').get(name) as {
    rootpage: number;
  };
  const { page_size } = database.prepare('PRAGMA page_size').get() as { page_size: number };
  database.close();
  const page = Buffer.alloc(page_size);
  page[0] = 0x0a;
  page.writeUInt16BE(page_size, 5);
  const descriptor = openSync(file, 'r+');
  writeSync(descriptor, page, 0, page_size, (rootpage - 1) * page_size);
  closeSync(descriptor);
}
