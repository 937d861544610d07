/**
 * Before the tests: builds the program into a folder of its own, so that end-to-end tests run what users get
 * and never disturb (nor are disturbed by) the checkout's own dist/; and makes one folder for all that the
 * tests put into temporary folders, and one for their PostgreSQL servers. All are gone afterwards.
 */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { chmod, mkdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from '../../scripts/build.ts';
import { hasMemory, memory } from './memory.ts';

const into = fileURLToPath(new URL(`../../node_modules/.cache/pixctl-test-${process.pid}/`, import.meta.url));

const program = fileURLToPath(new URL('../../bin/pixctl.js', import.meta.url));

/**
 * Where `npm ci` may run no scripts (`ignore-scripts`), the tree has no Node of its own, and the machine's runs the
 * tests: on one that is too old for the program, half of them fail, each for a reason that looks like its own.
 */
export function refuseOldNode(...more: string[]): void {
  const { status, stderr } = spawnSync(process.execPath, [...more, program, '--version'], {
    encoding: 'utf8',
  });
  if (status === 0) return;
  const remedy = 'npm rebuild --ignore-scripts=false node brings the one of this tree.';
  throw new Error(`${stderr.trim()} ${remedy}`);
}

/** A socket's path has at most 103 bytes, on macOS, and the names that tests put below this folder take 52 of them. */
function roomForSockets(): string {
  return process.platform !== 'win32' && Buffer.byteLength(tmpdir()) > 51 ? '/tmp' : tmpdir();
}

export default async function setup(): Promise<() => Promise<void>> {
  refuseOldNode();
  // Of whoever works with a PostgreSQL elsewhere: its clients would take from them what the tests do not name.
  for (const name of Object.keys(process.env)) if (/^PG[A-Z]/.test(name)) delete process.env[name];
  await mkdir(into, { recursive: true });
  await build({ into });
  process.env.PIXCTL_TEST_BIN = `${into}bin/pixctl.js`;

  const scratch = mkdtempSync(join(roomForSockets(), 'pixctl-test-'));
  // PostgreSQL runs as another user, who must be able to pass through.
  await chmod(scratch, 0o711);
  process.env[process.platform === 'win32' ? 'TEMP' : 'TMPDIR'] = scratch;
  // A server flushes the three hundred files of each new database: half a second and more of a busy disk, where the
  // tests ask for hundreds. That it may lie in memory changes nothing for them: none of them cuts the power of a disk.
  const clusters = mkdtempSync(join(hasMemory() ? memory : scratch, 'pixctl-test-'));
  await chmod(clusters, 0o711);
  process.env.PIXCTL_TEST_CLUSTERS = clusters;
  const made = [clusters, scratch, into];
  const all = { recursive: true, force: true, maxRetries: 3 };
  // After Ctrl-C, vitest ends without the function below. A server without files ends by itself.
  process.once('exit', () => {
    for (const folder of made) rmSync(folder, all);
  });
  return async () => {
    for (const folder of made) await rm(folder, all);
  };
}
