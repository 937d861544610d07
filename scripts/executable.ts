/**
 * One file that needs no Node: `npm run executable` writes dist-executable/pixctl by Node's own support for
 * single executables. The program is bundled whole, its compiled code beside it; `pg` and the keychain's
 * library are not in it, so that a shared ledger and the keychain need the npm package.
 */
import { execFileSync } from 'node:child_process';
import { chmodSync, copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { inject } from 'postject';
import { bundleWhole } from './build.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
/** Where Node looks for the mark that a program has been put in (its documentation, "Single executable"). */
const fuse = 'NODE_SEA_FUSE_fce680ab2cc467b6e072b8b5df1996b2';

/** Writes `<into>/pixctl` from the Node that runs this, and returns its path. */
export async function executable(into: string): Promise<string> {
  mkdirSync(into, { recursive: true });
  const main = join(into, 'pixctl.cjs');
  const config = join(into, 'sea.json');
  const blob = join(into, 'pixctl.blob');
  const path = join(into, 'pixctl');
  await bundleWhole(main);
  writeFileSync(
    config,
    JSON.stringify({ main, output: blob, disableExperimentalSEAWarning: true, useCodeCache: true }),
  );
  execFileSync(process.execPath, ['--experimental-sea-config', config], {
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  copyFileSync(process.execPath, path);
  chmodSync(path, 0o755);
  await inject(path, 'NODE_SEA_BLOB', readFileSync(blob), { sentinelFuse: fuse });
  return path;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  process.stdout.write(`${await executable(join(root, 'dist-executable'))}\n`);
}
