/**
 * A process that may open no more files, and a disk that fails: settings and keychain say so, in errors like others.
 */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readJsonFile } from '../../src/config/json-file.ts';
import { noShell, skipped } from '../support/platform.ts';
import { node } from '../support/run.ts';

const source = (name: string) =>
  JSON.stringify(new URL(`../../src/config/${name}.ts`, import.meta.url).pathname);

/** What `program` writes once there is no descriptor left. */
function without(imports: string, program: string, ...given: string[]): string {
  const script = `import { openSync } from 'node:fs'; import 'node:child_process'; ${imports}
    try { for (;;) openSync('/dev/null'); } catch {}
    ${program}`;
  return execFileSync(
    '/bin/sh',
    ['-c', 'ulimit -n 64; exec "$0" "$@"', node, '--input-type=module', '-e', script, ...given],
    { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] },
  );
}

describe.skipIf(noShell !== null)(skipped('without a file that could be opened', noShell), () => {
  it('the keychain is an error, not the end of the process', () => {
    const told = without(
      `import { openKeychain } from ${source('keychain')};
       const keychain = openKeychain({ environment: {}, platform: 'darwin', node: process.execPath });`,
      `await keychain.read('a').catch((error) => process.stdout.write(error.code));`,
    );
    expect(told).toBe('EMFILE');
  });

  it('nobody is told to change the permissions of the settings', () => {
    const path = join(mkdtempSync(join(tmpdir(), 'pixctl-few-')), 'config.json');
    writeFileSync(path, '{}', { mode: 0o600 });
    const told = without(
      `import { readJsonFile } from ${source('json-file')};`,
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
