/** Comparable programs from npm, fetched into a temporary folder for one run of the bench: never dependencies. */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const folders: string[] = [];
process.on('exit', () => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});

/** The path of `bin` of the newest `pkg`, or null, said on stderr, where it cannot be had. */
export async function fetchPeer(pkg: string, bin: string): Promise<string | null> {
  const folder = mkdtempSync(join(tmpdir(), 'pixctl-peer-'));
  folders.push(folder);
  try {
    execFileSync('npm', ['install', '--prefix', folder, '--ignore-scripts', '--no-audit', '--no-fund', pkg], {
      stdio: ['ignore', 'ignore', 'pipe'],
      timeout: 240_000,
    });
    // The Stripe CLI is a native program behind a starter in Node: the program alone is the harder rival.
    const native = join(folder, `node_modules/@stripe/cli-${process.platform}-${process.arch}/bin/stripe`);
    const path = existsSync(native) ? native : join(folder, 'node_modules/.bin', bin);
    return existsSync(path) ? path : null;
  } catch (error) {
    process.stderr.write(`${pkg} is left out: ${String(error).split('\n')[0]}\n`);
    return null;
  }
}
