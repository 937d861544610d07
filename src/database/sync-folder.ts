/** A file that has taken its name is there after a power cut too. */
import { close, fsync, open, realpath } from 'node:fs';
import { dirname } from 'node:path';

/** Folders cannot be synced everywhere (Windows, among others), and that is no error. */
export const syncFolderOf = (file: string): Promise<void> =>
  new Promise((resolve) => {
    // Not by promises, which a sandbox that starts does not load.
    realpath(file, (isLost, path) => {
      if (isLost) return resolve();
      open(dirname(path), 'r', (isClosed, folder) => {
        if (isClosed) return resolve();
        fsync(folder, () => close(folder, () => resolve()));
      });
    });
  });
