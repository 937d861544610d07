/** Folders that the program flushes to the disk, seen as it does so. */
import fs, { fstatSync, type Stats } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { vi } from 'vitest';

/** Calls `seen` in place of each flush, which fails with the error that it returns. `restore` ends that. */
export function syncs(seen: (folder: Stats) => Error | null): { restore(): void } {
  const spy = vi.spyOn(fs, 'fsync').mockImplementation((fd, done) => done(seen(fstatSync(fd))));
  syncBuiltinESMExports();
  return {
    restore() {
      spy.mockRestore();
      syncBuiltinESMExports();
    },
  };
}
