/** A file takes the name of another, which goes, in one step: whoever reads finds the one or the other, whole. */
import { rename } from 'node:fs/promises';
import { platform } from 'node:os';
import { type Clock, systemClock } from '../clock.ts';

const patienceMs = 2_000;
const pauseMs = 50;

/**
 * As `rename`. On Windows, where nothing that is open can be replaced, it is tried again for two seconds: what has
 * just read the file (a virus scanner, a search index, a preview) has it open for moments.
 */
export async function takePlace(
  draft: string,
  path: string,
  clock: Clock = systemClock,
  system: NodeJS.Platform = platform(),
  move = rename,
): Promise<void> {
  const deadline = clock.monotonic() + patienceMs;
  for (;;) {
    try {
      return await move(draft, path);
    } catch (cause) {
      const { code = '' } = cause as NodeJS.ErrnoException;
      const isInUse = system === 'win32' && /^(EPERM|EACCES|EBUSY)$/.test(code);
      if (!isInUse || clock.monotonic() >= deadline) throw cause;
    }
    await clock.sleep(pauseMs);
  }
}
