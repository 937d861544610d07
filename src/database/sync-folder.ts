/** A file that has taken its name is there after a power cut too. */
import { open, realpath } from 'node:fs/promises';
import { dirname } from 'node:path';

/** The rename itself must survive a power cut; folders cannot be synced everywhere, and that is no error. */
export async function syncFolderOf(file: string): Promise<void> {
  try {
    const folder = await open(dirname(await realpath(file)), 'r');
    await folder.sync().finally(() => folder.close());
  } catch {
    // Windows, among others.
  }
}
