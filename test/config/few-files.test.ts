/**
 * A process that may open no more files, and a disk that fails: settings and keychain say so, in errors like others.
 */
import { existsSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readJsonFile } from '../../src/config/json-file.ts';
import { source, withoutFiles } from '../support/few-files.ts';
import { noShell, skipped } from '../support/platform.ts';

describe.skipIf(noShell !== null)(skipped('without a file that could be opened', noShell), () => {
  it('the keychain is an error, not the end of the process', () => {
    const told = withoutFiles(
      `import { openKeychain } from ${source('config/keychain')};
       const keychain = openKeychain({ environment: {}, platform: 'darwin', node: process.execPath });`,
      `await keychain.read('a').catch((error) => process.stdout.write(error.code));`,
    );
    expect(told).toBe('EMFILE');
  });

  it('nobody is told to change the permissions of the settings', () => {
    const path = join(mkdtempSync(join(tmpdir(), 'pixctl-few-')), 'config.json');
    writeFileSync(path, '{}', { mode: 0o600 });
    const told = withoutFiles(
      `import { readJsonFile } from ${source('config/json-file')};`,
      `try { readJsonFile(process.argv[1], { platform: 'linux', uid: process.geteuid() }); }
       catch (error) { process.stdout.write(error.message + ' ' + error.hint); }`,
      path,
    );
    expect(told).toBe(
      `${path} cannot be read (EMFILE). Nothing was sent. Allow it to open more files (ulimit -n).`,
    );
  });
});

const noProc = existsSync('/proc/self/mem') ? null : 'there is no /proc';

it.skipIf(noProc !== null)(
  skipped('nobody is told to change them where the disk fails either', noProc),
  () => {
    // Ours, closed to others, and nothing can be read at its beginning.
    const path = `/proc/${process.pid}/mem`;
    const read = () => readJsonFile(path, { platform: 'linux', uid: process.geteuid?.() });
    expect(read).toThrow(
      expect.objectContaining({
        message: `${path} cannot be read (EIO). Nothing was sent.`,
        hint: 'Check the disk: it may be failing.',
      }),
    );
  },
);
