/** Settings on a full disk: what was there stays whole, and nothing is said to be changed. */
import { execFile } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { noShell, skipped } from '../support/platform.ts';
import { cleanEnvironment, emptyHome, node, programPath } from '../support/run.ts';

/**
 * Where no file may be longer than a block or two: the system takes the bytes that fit, and says how many those were.
 */
const runWithBlocks = (home: string, blocks: number, args: string[], env: Record<string, string> = {}) =>
  new Promise<{ code: unknown; stderr: string }>((resolve) => {
    const command = [node, programPath(), ...args];
    execFile(
      '/bin/sh',
      ['-c', `ulimit -f ${blocks}; exec "$0" "$@"`, ...command],
      { env: cleanEnvironment(home, env) },
      (error, _, stderr) => resolve({ code: error === null ? 0 : error.code, stderr }),
    );
  });

const destinations = Object.fromEntries(
  Array.from({ length: 60 }, (_, at) => [
    `supplier-${at}`,
    { pixKey: `supplier${at}@example.com`, pixKeyType: 'EMAIL' },
  ]),
);

function withSettings(settings: object) {
  const home = emptyHome();
  const config = join(home, '.config/pixctl');
  mkdirSync(config, { recursive: true, mode: 0o700 });
  const path = join(config, 'config.json');
  const before = JSON.stringify({ settings });
  writeFileSync(path, before, { mode: 0o600 });
  return { home, config, path, before };
}

it.skipIf(noShell !== null)(
  skipped('settings of which only a part had room do not take the place of the old ones', noShell),
  async () => {
    const { home, config, path, before } = withSettings({ destinations });
    const { code, stderr } = await runWithBlocks(home, 2, ['policy', 'set', '--max-day', '20000,00']);
    expect(readFileSync(path, 'utf8')).toBe(before);
    expect(stderr).toContain(`The settings cannot be written: ${path}: not all of it could be written.`);
    expect(stderr).toContain('Check that the directory is yours and has space');
    expect(code).toBe(78);
    expect(readdirSync(config)).toEqual(['config.json']);
  },
);

it.skipIf(noShell !== null)(
  skipped('a ledger whose id has no room in the settings sends nothing, and says why', noShell),
  async () => {
    const { home, path, before } = withSettings({ padding: 'x'.repeat(2_000_000) });
    const args = ['withdraw', '--amount', '10,00', '--to', 'owner@example.com', '--idempotency-key', 'k'];
    const env = { PIXCTL_BASE_URL: 'http://127.0.0.1:9', PIXCTL_API_KEY: 'svc_x' };
    const { code, stderr } = await runWithBlocks(home, 1_000, [...args, '--yes'], env);
    expect(stderr).toContain(
      'its id could not be stored in the settings (not all of it could be written); nothing was sent in this run.',
    );
    expect(stderr).toContain(`Make ${path} writable and make sure that its disk has room`);
    expect(code).toBe(78);
    expect(readFileSync(path, 'utf8')).toBe(before);
  },
);
