/** What Windows denies for moments: a file that a virus scanner or a preview reads, or that is being removed. */
import type { Clock } from '../clock.ts';

const patienceMs = 2_000;
const pauseMs = 50;

/**
 * Runs `act`, which does something to a file. On Windows, where nothing that is open can be replaced or removed, it
 * tries again for two seconds while the system denies it (`EPERM`, `EACCES`, `EBUSY`). Rejects with the error of `act`
 * after that; elsewhere, at once.
 */
export async function retryWhileInUse<T>(
  act: () => T | Promise<T>,
  clock: Pick<Clock, 'monotonic' | 'sleep'>,
  system: NodeJS.Platform,
): Promise<T> {
  const deadline = clock.monotonic() + patienceMs;
  for (;;) {
    try {
      return await act();
    } catch (cause) {
      const { code = '' } = cause as NodeJS.ErrnoException;
      const isInUse = system === 'win32' && /^(EPERM|EACCES|EBUSY)$/.test(code);
      if (!isInUse || clock.monotonic() >= deadline) throw cause;
    }
    await clock.sleep(pauseMs);
  }
}
