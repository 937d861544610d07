/**
 * What a test needs of the system that Windows does not have: null where it is there, else the words for the
 * skip. `describe.skipIf(noShell !== null)(skipped('a pipe', noShell), ...)` shows them in the report.
 */
const onWindows = process.platform === 'win32';

export const noShell = onWindows ? 'there is no /bin/sh' : null;
/** `kill` ends a process there, whatever the signal: it hears nothing of it. */
export const noSignals = onWindows ? 'no signals between processes' : null;
/** Its pseudo-terminal redraws the screen in a way of its own, so that what was written cannot be compared. */
export const noPty = onWindows ? 'no pseudo-terminal that passes on what is written' : null;

export const skipped = (title: string, why: string | null): string =>
  why === null ? title : `${title} (skipped: ${why})`;
