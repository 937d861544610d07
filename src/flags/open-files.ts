/** What to do where a process, or its machine, has as many files open as it may. */

/** Undefined for any other error of the system. */
export const openFilesRemedy = (code: string | undefined): string | undefined =>
  code === 'EMFILE' || code === 'ENFILE' ? 'Allow it to open more files (ulimit -n).' : undefined;
