/** How many files a process may have open, and what to do where they are too few. A connection is one, too. */
import { readFileSync } from 'node:fs';

/** Undefined for any other error of the system. */
export const openFilesRemedy = (code: string | undefined): string | undefined =>
  code === 'EMFILE' || code === 'ENFILE' ? 'Allow it to open more files (ulimit -n).' : undefined;

/**
 * How many this process may have open (Node has raised it to the hard limit); null where the system does not say: only
 * Linux does. Who connects when none is left is turned away by Node without a word to anybody.
 */
export function openFilesLimit(): number | null {
  try {
    const [, soft] = /^Max open files\s+(\d+)/m.exec(readFileSync('/proc/self/limits', 'latin1')) ?? [];
    return soft === undefined ? null : Number(soft);
  } catch {
    return null;
  }
}
