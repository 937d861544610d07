/** Makes sure that a file still has its new name after a power cut. */
import { close, fsync, open, realpath } from 'node:fs';
import { dirname } from 'node:path';

/** Some systems (Windows among them) cannot sync folders, and that is no error. */
export const syncFolderOf = (file: string): Promise<void> =>
  new Promise((resolve) => {
    // Not with promises, which a sandbox does not load when it starts.
    realpath(file, (isLost, path) => {
      if (isLost) return resolve();
      open(dirname(path), 'r', (isClosed, folder) => {
        if (isClosed) return resolve();
        fsync(folder, () => close(folder, () => resolve()));
      });
    });
  });
