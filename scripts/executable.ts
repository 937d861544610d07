/**
 * Builds one file that needs no Node: `npm run executable` writes dist-executable/pixctl by Node's own support for
 * single executables. The program's chunks are assets in it, each with its compiled code. docs/executable.md says what
 * differs from the npm package.
 */
import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { inject } from 'postject';
import { bundleInto } from './build.ts';
import { wrapModule } from './bundle-plugins.ts';
import { train } from './executable-lessons.ts';
import { collectNotices } from './notices.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
/** Where Node looks for the mark that a program has been injected (its documentation, "Single executable"). */
const fuse = 'NODE_SEA_FUSE_fce680ab2cc467b6e072b8b5df1996b2';

/** Why none can be built here, or null. On other systems Node's file is built differently, and nobody has tried it. */
export const cannotBuild: string | null =
  process.platform === 'linux' ? null : 'the executable is built on Linux only, so far';

/** Writes `<into>/pixctl` from the running Node, with its licences beside it. Returns its path. */
export async function buildExecutable(into: string): Promise<string> {
  if (cannotBuild !== null) throw new Error(cannotBuild);
  const work = mkdtempSync(join(tmpdir(), 'pixctl-executable-'));
  try {
    const path = join(into, 'pixctl');
    mkdirSync(into, { recursive: true });
    const { main, modules, assets } = await prepare(work);
    const blob = join(work, 'blob');
    writeFileSync(
      join(work, 'sea.json'),
      JSON.stringify({ main, output: blob, assets, disableExperimentalSEAWarning: true }),
    );
    execFileSync(process.execPath, ['--experimental-sea-config', join(work, 'sea.json')], {
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    copyFileSync(process.execPath, path);
    chmodSync(path, 0o755);
    await inject(path, 'NODE_SEA_BLOB', readFileSync(blob), { sentinelFuse: fuse });
    writeFileSync(join(into, 'THIRD-PARTY-NOTICES.txt'), `${await collectNotices(modules)}\n${ofNode}`);
    return path;
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}

const ofNode = `${'-'.repeat(80)}
Node.js ${process.version} is the rest of the file. Its licence, and those of what it contains:
https://github.com/nodejs/node/blob/${process.version}/LICENSE
`;

/** Returns the entry point, and the assets by name: the version, every chunk, and its compiled code. */
async function prepare(work: string) {
  const { files: program, assets: others, modules } = await bundleInto({ facade: 'src/main.ts' });
  const chunks = join(work, 'chunks');
  mkdirSync(chunks);
  for (const name of ['main', 'training']) {
    const { files } = await bundleInto({ [name]: `scripts/executable-${name}.ts` });
    for (const [file, text] of files) writeFileSync(join(work, file), text);
  }
  for (const [name, text] of program) writeFileSync(join(chunks, name), wrapModule(text));
  for (const [name, bytes] of others) writeFileSync(join(chunks, name), bytes);
  const assets: Record<string, string> = { version: join(work, 'version') };
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string };
  writeFileSync(join(work, 'version'), `${version}\n`);
  await train(join(work, 'training.cjs'), chunks);
  for (const name of readdirSync(chunks)) assets[name] = join(chunks, name);
  return { main: join(work, 'main.cjs'), modules, assets };
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  process.stdout.write(`${await buildExecutable(join(root, 'dist-executable'))}\n`);
}
