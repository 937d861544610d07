/** Loads `node:sqlite`, without the warning that Node 22 prints about it (24 prints none). */
import process from 'node:process';
import { configError } from '../../errors.ts';

type Sqlite = typeof import('node:sqlite');

/** Throws `configError` (78) if Node was built without SQLite, or told to do without it. */
export function loadSqlite(): Sqlite {
  const sqlite = process.versions.node.startsWith('22.') ? loadQuietly() : load();
  if (sqlite !== undefined) return sqlite;
  throw configError(
    'NO_SQLITE',
    'this Node has no SQLite (node:sqlite), in which pixctl stores what it must not forget; nothing was sent',
    'Take --no-experimental-sqlite out of NODE_OPTIONS, or use the Node of nodejs.org.',
  );
}

const load = (): Sqlite | undefined => process.getBuiltinModule('node:sqlite');

function loadQuietly(): Sqlite | undefined {
  const emitWarning = process.emitWarning;
  process.emitWarning = ((warning: string | Error, ...rest: never[]) => {
    if (/SQLite is an experimental feature/.test(String(warning))) return;
    emitWarning.call(process, warning, ...rest);
  }) as typeof process.emitWarning;
  try {
    return load();
  } finally {
    process.emitWarning = emitWarning;
  }
}
