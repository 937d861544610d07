/** Files in memory, for what the tests have a server flush to the disk again and again. */
import { statfsSync } from 'node:fs';

export const memory = '/dev/shm/';

/** In bytes. The servers of two workers hold 1.3 GB at most, a hundred databases each. */
const enough = 4 * 2 ** 30;

/** Whether there are such files on this system, and room for them. */
export function hasMemory(): boolean {
  try {
    const { type, bavail, bsize } = statfsSync(memory);
    const isTmpfs = type === 0x01021994;
    return isTmpfs && bavail * bsize > enough && process.availableMemory() > enough;
  } catch {
    return false;
  }
}
