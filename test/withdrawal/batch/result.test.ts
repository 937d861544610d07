import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { open } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { createOwners } from '../../../src/owner/create-owners.ts';
import { draftOf, sweepDrafts } from '../../../src/withdrawal/batch/drafts.ts';
import {
  assertBatchIsFile,
  checkResultPath,
  resultPathOf,
  writeResult,
} from '../../../src/withdrawal/batch/result.ts';
import { noModes, onWindows } from '../../support/platform.ts';
import { syncs } from '../../support/syncs.ts';

const { self } = await createOwners();
const folder = () => mkdtempSync(join(tmpdir(), 'pixctl-result-'));
const row = {
  idempotencyKey: 'k-1',
  state: 'COMPLETED',
  withdrawalId: 'wd_1',
  reason: null,
  amount: 1050,
  line: 2,
};
const header = 'idempotency_key,state,withdrawal_id,reason,amount,line';

describe('the result file of a batch', () => {
  it('lies beside the batch file', () => {
    expect(resultPathOf(join('/data', 'march.csv'))).toBe(join('/data', 'march.result.csv'));
    expect(resultPathOf('march')).toBe('march.result.csv');
  });

  it.skipIf(onWindows).each([
    ['-', 'stdin'],
    ['/dev/fd/0', '/dev/fd/0'],
  ])('has no place beside %s', async (path, name) => {
    await expect(assertBatchIsFile(path)).rejects.toMatchObject({
      kind: 'usage',
      message: `The batch comes from ${name}, which is not a file, so its result cannot be stored beside it. Nothing was sent.`,
      hint: 'Name it with --result <file>: the same one in each run.',
    });
  });

  it.skipIf(!existsSync('/dev/shm'))(
    'lies beside a batch file in memory too, although that is below /dev',
    async () => {
      const dir = mkdtempSync('/dev/shm/pixctl-result-');
      const path = join(dir, 'march.csv');
      writeFileSync(path, '');
      await assertBatchIsFile(path);
      rmSync(dir, { recursive: true });
    },
  );

  it.skipIf(onWindows)('is flushed to disk before it is renamed, and so is its new name', async () => {
    const dir = folder();
    const path = join(dir, 'm.result.csv');
    writeFileSync(path, 'old');
    const now = () => (readFileSync(path, 'utf8') === 'old' ? 'old' : 'new');
    const probe = await open(dir);
    const file = vi.spyOn(Object.getPrototypeOf(probe) as typeof probe, 'sync');
    await probe.close();
    const synced: unknown[] = [];
    file.mockImplementation(async () => void synced.push(['the file', now()]));
    const folders = syncs(({ ino }) => {
      synced.push([ino, now()]);
      return null;
    });
    await writeResult(path, [row], self);
    folders.restore();
    file.mockRestore();
    expect(synced).toEqual([
      ['the file', 'old'],
      [statSync(dir).ino, 'new'],
    ]);
  });

  it('is replaced whole and leaves no draft behind', async () => {
    const dir = folder();
    const path = join(dir, 'm.result.csv');
    await writeResult(path, [{ ...row, state: 'SENDING', withdrawalId: null }], self);
    await writeResult(path, [row], self);
    expect(readFileSync(path, 'utf8')).toBe(`${header}\nk-1,COMPLETED,wd_1,,1050,2\n`);
    expect(readdirSync(dir)).toEqual(['m.result.csv']);
  });

  it('is written under the longest name that a file can have, and its draft is swept', async () => {
    const dir = folder();
    const name = `${'ã'.repeat(122)}.result.csv`;
    const path = join(dir, name);
    await writeResult(path, [row], self);
    const owners = await createOwners();
    writeFileSync(draftOf(path, { ...self, pid: 2 ** 30 }), '');
    await sweepDrafts(path, owners);
    expect(readdirSync(dir)).toEqual([name]);
  });

  it('leaves no draft behind if it cannot be renamed into place', async () => {
    const dir = folder();
    const path = join(dir, 'm.result.csv');
    mkdirSync(path);
    await expect(writeResult(path, [row], self)).rejects.toMatchObject({ exit: 74 });
    expect(readdirSync(dir)).toEqual(['m.result.csv']);
  });

  it('removes the drafts of a killed run, and none that may be in use', async () => {
    const dir = folder();
    const path = join(dir, 'm.result.csv');
    const owners = await createOwners();
    // Where no start times are told, one whose pid is in use may be in use.
    const gone =
      self.started === ''
        ? { pid: spawnSync(process.execPath, ['--version']).pid }
        : { started: `${self.started}0` };
    const left = draftOf(path, { ...self, ...gone });
    const inUse = draftOf(path, self);
    const others = draftOf(path, { ...self, host: 'elsewhere', started: '1' });
    const restarted = draftOf(path, { ...self, boot: 'before', started: '1' });
    const ofAnother = draftOf(join(dir, 'n.result.csv'), { ...self, ...gone });
    // Begins as a draft does, and is none.
    const backup = `${inUse}.old`;
    for (const draft of [left, inUse, others, restarted, ofAnother, backup]) writeFileSync(draft, '');
    await sweepDrafts(path, owners);
    expect(readdirSync(dir).sort()).toEqual(
      [inUse, others, restarted, ofAnother, backup].map((draft) => basename(draft)).sort(),
    );
    await sweepDrafts(join(dir, 'no', 'm.csv'), owners);
  });

  it('holds no formula and no control character from the service, and the keys as they are', async () => {
    const path = join(folder(), 'm.result.csv');
    await writeResult(
      path,
      [
        { ...row, idempotencyKey: '-k', withdrawalId: '=1+1', reason: '@SUM(A1)\u001b[2J\n, "x"' },
        { ...row, withdrawalId: 'wd-1', reason: 'a=b' },
        { ...row, withdrawalId: '＝1', reason: 'no;=1+1' },
      ],
      self,
    );
    expect(readFileSync(path, 'utf8')).toBe(
      `${header}\n-k,COMPLETED,'=1+1,"'@SUM(A1) [2J , ""x""",1050,2\nk-1,COMPLETED,wd-1,a=b,1050,2\nk-1,COMPLETED,'＝1,no;'=1+1,1050,2\n`,
    );
  });

  it('does not overwrite a file that is not a result', async () => {
    const path = join(folder(), 'accounts.csv');
    writeFileSync(path, 'name,balance\n');
    await expect(checkResultPath(path, '/x.csv')).rejects.toMatchObject({ exit: 64 });
    await expect(checkResultPath(path, path)).rejects.toMatchObject({ exit: 64 });
    await writeResult(`${path}.new`, [row], self);
    await checkResultPath(`${path}.new`, path);
    await checkResultPath(`${path}.absent`, path);
  });

  it.skipIf(process.platform === 'win32')('is written where a link leads, and leaves the link', async () => {
    const [dir, elsewhere] = [folder(), folder()];
    const [link, real] = [join(dir, 'm.result.csv'), join(elsewhere, 'published.csv')];
    const inner = join(elsewhere, 'latest.csv');
    symlinkSync('published.csv', inner);
    symlinkSync(inner, link);
    for (const _ of ['absent yet', 'there'])
      await writeResult(await checkResultPath(link, '/x.csv'), [row], self);
    expect(readFileSync(real, 'utf8')).toBe(`${header}\nk-1,COMPLETED,wd_1,,1050,2\n`);
    expect(realpathSync(link)).toBe(realpathSync(real));
  });

  it.skipIf(process.platform === 'win32')(
    'resolves a link inside a linked directory as the system does',
    async () => {
      const [dir, elsewhere] = [folder(), folder()];
      mkdirSync(join(elsewhere, 'in'));
      symlinkSync(join(elsewhere, 'in'), join(dir, 'by-link'));
      symlinkSync('../m.csv', join(elsewhere, 'in', 'latest.csv'));
      writeFileSync(join(dir, 'm.csv'), 'of somebody else');
      await writeResult(await checkResultPath(join(dir, 'by-link', 'latest.csv'), '/x.csv'), [row], self);
      expect(readFileSync(join(dir, 'm.csv'), 'utf8')).toBe('of somebody else');
      expect(existsSync(join(elsewhere, 'm.csv'))).toBe(true);
    },
  );

  it('never replaces a directory or a device', async () => {
    const dir = folder();
    for (const path of [dir, '/dev/null'].filter((it) => existsSync(it)))
      await expect(checkResultPath(path, '/x.csv')).rejects.toMatchObject({
        exit: 64,
        message: expect.stringContaining('is not a regular file'),
      });
    for (const name of ['NUL', 'nul.csv']) {
      const path = join(dir, name);
      await expect(checkResultPath(path, '/x.csv', 'win32')).rejects.toMatchObject({ exit: 64 });
      expect(await checkResultPath(path, '/x.csv', 'linux')).toBe(path);
    }
  });

  it('is a storage failure if it cannot be written', async () => {
    const dir = folder();
    await expect(writeResult(join(dir, 'no', 'm.csv'), [row], self)).rejects.toMatchObject({ exit: 74 });
    chmodSync(dir, 0o500);
    if (noModes === null && process.getuid?.() !== 0)
      await expect(writeResult(join(dir, 'm.csv'), [row], self)).rejects.toMatchObject({ exit: 74 });
  });
});
