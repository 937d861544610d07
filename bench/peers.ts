/**
 * Fetches comparable programs from npm into a temporary folder for one run of the bench. They are never dependencies.
 */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const folders: string[] = [];
process.on('exit', () => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});

/** Returns the path of `bin` in the newest `pkg`, or null, with a line on stderr, if it is not available. */
export async function fetchPeer(pkg: string, bin: string): Promise<string | null> {
  const folder = mkdtempSync(join(tmpdir(), 'pixctl-peer-'));
  folders.push(folder);
  try {
    execFileSync('npm', ['install', '--prefix', folder, '--ignore-scripts', '--no-audit', '--no-fund', pkg], {
      stdio: ['ignore', 'ignore', 'pipe'],
      timeout: 240_000,
    });
    // The Stripe CLI is a native program behind a launcher in Node. The program alone is the tougher rival.
    const native = join(folder, `node_modules/@stripe/cli-${process.platform}-${process.arch}/bin/stripe`);
    const path = existsSync(native) ? native : join(folder, 'node_modules/.bin', bin);
    return existsSync(path) ? path : null;
  } catch (error) {
    process.stderr.write(`${pkg} is left out: ${String(error).split('\n')[0]}\n`);
    return null;
  }
}
