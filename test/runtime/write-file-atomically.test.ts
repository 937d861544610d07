import {
  chmodSync,
  linkSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { open } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { writeFileAtomically } from '../../src/runtime/write-file-atomically.ts';
import { noLinks, noModes, onWindows, skipped } from '../support/platform.ts';
import { syncs } from '../support/syncs.ts';

const bytes = Buffer.from('new');
const folder = () => mkdtempSync(join(tmpdir(), 'pixctl-whole-'));

describe('a file that is written whole', () => {
  it.skipIf(noModes !== null)(
    skipped('keeps the permissions of the one before it, unless others are named', noModes),
    async () => {
      const file = join(folder(), 'x');
      writeFileSync(file, 'old');
      chmodSync(file, 0o666);
      await writeFileAtomically(file, bytes, { overwrite: true });
      expect([readFileSync(file, 'utf8'), statSync(file).mode & 0o777]).toEqual(['new', 0o666]);
      await writeFileAtomically(file, bytes, { overwrite: true, mode: 0o600 });
      expect(statSync(file).mode & 0o777).toBe(0o600);
    },
  );

  it('takes the place of the one before it, rather than going through it', async () => {
    const at = folder();
    writeFileSync(join(at, 'x'), 'old');
    linkSync(join(at, 'x'), join(at, 'other'));
    await writeFileAtomically(join(at, 'x'), bytes, { overwrite: true });
    expect(readFileSync(join(at, 'other'), 'utf8')).toBe('old');
    expect(readdirSync(at).sort()).toEqual(['other', 'x']);
  });

  it.skipIf(noLinks !== null)(skipped('is what a link leads to, and the link stays', noLinks), async () => {
    const at = folder();
    writeFileSync(join(at, 'x'), 'old');
    symlinkSync(join(at, 'x'), join(at, 'link'));
    await writeFileAtomically(join(at, 'link'), bytes, { overwrite: true });
    expect(readFileSync(join(at, 'x'), 'utf8')).toBe('new');
  });

  it.skipIf((noLinks ?? noModes) !== null)(
    skipped('has the permissions that are named where a link leads to nothing yet', noLinks ?? noModes),
    async () => {
      const at = folder();
      symlinkSync(join(at, 'x'), join(at, 'link'));
      await writeFileAtomically(join(at, 'link'), bytes, { overwrite: true, mode: 0o600 });
      expect(statSync(join(at, 'x')).mode & 0o777).toBe(0o600);
    },
  );

  it.skipIf((noLinks ?? noModes) !== null)(
    skipped(
      'narrows what a link leads to before it holds what only its owner should read',
      noLinks ?? noModes,
    ),
    async () => {
      const at = folder();
      writeFileSync(join(at, 'x'), 'old');
      chmodSync(join(at, 'x'), 0o644);
      symlinkSync(join(at, 'x'), join(at, 'link'));
      await writeFileAtomically(join(at, 'link'), bytes, { overwrite: true, mode: 0o600 });
      expect([readFileSync(join(at, 'x'), 'utf8'), statSync(join(at, 'x')).mode & 0o777]).toEqual([
        'new',
        0o600,
      ]);
    },
  );

  it.skipIf(onWindows)('is on the disk before it has its name, and then the name too', async () => {
    const at = folder();
    writeFileSync(join(at, 'x'), 'old');
    const probe = await open(at);
    const sync = vi.spyOn(Object.getPrototypeOf(probe) as typeof probe, 'sync');
    await probe.close();
    const synced: unknown[] = [];
    sync.mockImplementation(async () => {
      synced.push(['the file', readFileSync(join(at, 'x'), 'utf8')]);
    });
    const folders = syncs(({ ino }) => {
      synced.push([ino, readFileSync(join(at, 'x'), 'utf8')]);
      return null;
    });
    await writeFileAtomically(join(at, 'x'), bytes, { overwrite: true });
    folders.restore();
    sync.mockRestore();
    expect(synced).toEqual([
      ['the file', 'old'],
      [statSync(at).ino, 'new'],
    ]);
  });

  it('may have as long a name as the system allows', async () => {
    const file = join(folder(), 'x'.repeat(255));
    await writeFileAtomically(file, bytes, { overwrite: false });
    expect(readFileSync(file, 'utf8')).toBe('new');
  });

  it('stays where it may not go', async () => {
    const file = join(folder(), 'x');
    writeFileSync(file, 'old');
    await expect(writeFileAtomically(file, bytes, { overwrite: false })).rejects.toMatchObject({
      code: 'EEXIST',
    });
    expect(readFileSync(file, 'utf8')).toBe('old');
  });
});
