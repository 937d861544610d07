import fs, { mkdtempSync, statSync, writeFileSync } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, expect, it, vi } from 'vitest';
import { syncFolderOf } from '../../src/database/sync-folder.ts';

const file = join(mkdtempSync(join(tmpdir(), 'pixctl-folder-')), 'x');
writeFileSync(file, '');

afterEach(() => {
  vi.restoreAllMocks();
  syncBuiltinESMExports();
});

it('resolves once the folder is on the disk and closed again, not before', async () => {
  const begun = Promise.withResolvers<() => void>();
  let folder = -1;
  vi.spyOn(fs, 'fsync').mockImplementation((descriptor, done) => {
    folder = descriptor;
    begun.resolve(() => done(null));
  });
  syncBuiltinESMExports();
  let told = false;
  const synced = syncFolderOf(file).then(() => {
    told = true;
  });
  const end = await begun.promise;
  await new Promise((resolve) => setImmediate(resolve));
  expect([told, fs.fstatSync(folder).ino]).toEqual([false, statSync(dirname(file)).ino]);
  end();
  await synced;
  expect(() => fs.fstatSync(folder)).toThrow('EBADF');
});

it('is no error where there is no such folder, and where it cannot be opened', async () => {
  await syncFolderOf(join(file, 'not-there'));
  vi.spyOn(fs, 'open').mockImplementation(((...given: unknown[]) => {
    (given.at(-1) as (cause: Error) => void)(new Error('EACCES'));
  }) as typeof fs.open);
  syncBuiltinESMExports();
  await syncFolderOf(file);
  expect(fs.open).toHaveBeenCalledOnce();
});
