/** Loads `node:sqlite`, without the warning that Node 22 prints about it (24 prints none). */
import process from 'node:process';

export async function loadSqlite(): Promise<typeof import('node:sqlite')> {
  if (!process.versions.node.startsWith('22.')) return import('node:sqlite');
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
