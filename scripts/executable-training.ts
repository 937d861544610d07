/**
 * Runs one command line from the chunks in a directory, and writes beside each chunk the compiled code of what the run
 * needed, added to that of earlier runs. `node training.cjs <directory> <words...>`; without words it compiles every
 * chunk and runs none.
 */
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Script } from 'node:vm';
import { compile, createChunkLoader } from './executable-chunks.ts';

const [directory = '', ...argv] = process.argv.slice(2);
const scripts = new Map<string, Script>();

const asset = (name: string): Buffer | undefined =>
  existsSync(join(directory, name)) ? readFileSync(join(directory, name)) : undefined;
const keep = (name: string, script: Script) => {
  if (script.cachedDataRejected !== true) scripts.set(name, script);
};

process.on('exit', () => {
  for (const [name, script] of scripts)
    writeFileSync(join(directory, `${name}.compiled`), script.createCachedData());
});

if (argv.length === 0) {
  for (const name of readdirSync(directory)) if (name.endsWith('.cjs')) keep(name, compile(name, asset));
} else {
  const { main } = createChunkLoader(asset, keep)('main.cjs') as typeof import('../src/main.ts');
  void main(argv, null).then((code) => {
    process.exitCode = code;
  });
}
