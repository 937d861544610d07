import { existsSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { rename } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, it } from 'vitest';
import { type Clock, systemClock } from '../../src/clock.ts';
import { replaceFile } from '../../src/database/replace-file.ts';

function files() {
  const folder = mkdtempSync(join(tmpdir(), 'pixctl-place-'));
  const [draft, path] = [join(folder, 'draft'), join(folder, 'it')];
  writeFileSync(draft, 'new');
  writeFileSync(path, 'old');
  return { draft, path };
}

/** Time passes only where it is slept through. */
function fastClock(): Clock & { slept: number } {
  const clock = {
    ...systemClock,
    slept: 0,
    monotonic: () => clock.slept,
    sleep: async (ms: number) => {
      clock.slept += ms;
    },
  };
  return clock;
}

/** A rename that the system refuses so often. */
function refusing(code: string, times: number): typeof rename {
  let left = times;
  return async (from, to) => {
    if (left-- > 0) throw Object.assign(new Error(`${code}: rename`), { code });
    await rename(from, to);
  };
}

describe('the place of a file', () => {
  it('is taken in one step', async () => {
    const { draft, path } = files();
    await replaceFile(draft, path);
    expect([readFileSync(path, 'utf8'), existsSync(draft)]).toEqual(['new', false]);
  });

  it.each(['EPERM', 'EACCES', 'EBUSY'])(
    'is waited for on Windows while the file is open: %s',
    async (code) => {
      const { draft, path } = files();
      const clock = fastClock();
      await replaceFile(draft, path, clock, 'win32', refusing(code, 3));
      expect([readFileSync(path, 'utf8'), clock.slept]).toEqual(['new', 150]);
    },
  );

  it('is not waited for longer than two seconds', async () => {
    const { draft, path } = files();
    const clock = fastClock();
    const taken = replaceFile(draft, path, clock, 'win32', refusing('EBUSY', 1_000));
    await expect(taken).rejects.toMatchObject({ code: 'EBUSY' });
    expect([readFileSync(path, 'utf8'), clock.slept]).toEqual(['old', 2_000]);
  });

  it.each([
    ['elsewhere, where such an answer stays what it is', 'linux', 'EPERM'],
    ['where there is no room', 'win32', 'ENOSPC'],
  ] as const)('is not waited for %s', async (_, system, code) => {
    const { draft, path } = files();
    const clock = fastClock();
    const taken = replaceFile(draft, path, clock, system, refusing(code, 1));
    await expect(taken).rejects.toMatchObject({ code });
    expect(clock.slept).toBe(0);
  });

  it.skipIf(process.platform !== 'win32')('is taken once another program has closed the file', async () => {
    const { draft, path } = files();
    writeFileSync(path, '');
    const open = new DatabaseSync(path);
    open.exec('BEGIN IMMEDIATE');
    let tries = 0;
    await replaceFile(draft, path, systemClock, process.platform, async (from, to) => {
      if (++tries > 2 && open.isOpen) open.close();
      await rename(from, to);
    });
    expect([readFileSync(path, 'utf8'), tries]).toEqual(['new', 3]);
  });
});
