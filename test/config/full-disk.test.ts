/** Settings on a full disk: what was there stays whole, and nothing is said to be changed. */
import { execFile } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { noShell, skipped } from '../support/platform.ts';
import { cleanEnvironment, emptyHome, node, programPath } from '../support/run.ts';

/** Where no file may be longer than a block or two: the system takes the bytes that fit, and says how many those were. */
const runWithBlocks = (home: string, blocks: number, ...args: string[]) =>
  new Promise<{ code: unknown; stderr: string }>((resolve) => {
    const command = [node, programPath(), ...args];
    execFile(
      '/bin/sh',
      ['-c', `ulimit -f ${blocks}; exec "$0" "$@"`, ...command],
      { env: cleanEnvironment(home) },
      (error, _, stderr) => resolve({ code: error === null ? 0 : error.code, stderr }),
    );
  });

const destinations = Object.fromEntries(
  Array.from({ length: 60 }, (_, at) => [
    `supplier-${at}`,
    { pixKey: `supplier${at}@example.com`, pixKeyType: 'EMAIL' },
  ]),
);

it.skipIf(noShell !== null)(
  skipped('settings of which only a part had room do not take the place of the old ones', noShell),
  async () => {
    const home = emptyHome();
    const config = join(home, '.config/pixctl');
    mkdirSync(config, { recursive: true, mode: 0o700 });
    const path = join(config, 'config.json');
    const before = JSON.stringify({ settings: { destinations } });
    writeFileSync(path, before, { mode: 0o600 });
    const { code, stderr } = await runWithBlocks(home, 2, 'policy', 'set', '--max-day', '20000,00');
    expect(readFileSync(path, 'utf8')).toBe(before);
    expect(stderr).toContain(`The settings cannot be written: ${path}: not all of it could be written.`);
    expect(stderr).toContain('Check that the directory is yours and has space');
    expect(code).toBe(78);
    expect(readdirSync(config)).toEqual(['config.json']);
  },
);
