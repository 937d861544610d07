/** Loads `node:sqlite`, without the warning that Node 22 prints about it (24 prints none). */
import process from 'node:process';
import { configError } from '../../errors.ts';

/** Throws `configError` (78) where Node was built without SQLite, or told to do without. */
export async function loadSqlite(): Promise<typeof import('node:sqlite')> {
  try {
    return await loadQuietly();
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code !== 'ERR_UNKNOWN_BUILTIN_MODULE') throw cause;
    throw configError(
      'NO_SQLITE',
      'this Node has no SQLite (node:sqlite), in which pixctl stores what it must not forget; nothing was sent',
      'Take --no-experimental-sqlite out of NODE_OPTIONS, or use the Node of nodejs.org.',
      { cause },
    );
  }
}

async function loadQuietly(): Promise<typeof import('node:sqlite')> {
  if (!process.versions.node.startsWith('22.')) return await import('node:sqlite');
  const emitWarning = process.emitWarning;
  process.emitWarning = ((warning: string | Error, ...rest: never[]) => {
    if (/SQLite is an experimental feature/.test(String(warning))) return;
    emitWarning.call(process, warning, ...rest);
  }) as typeof process.emitWarning;
  try {
    return await import('node:sqlite');
  } finally {
    process.emitWarning = emitWarning;
  }
}
