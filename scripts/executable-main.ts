/** The entry point of the executable: what bin/pixctl.js does, with the chunks inside the executable itself. */
import { writeSync } from 'node:fs';
import { getRawAsset } from 'node:sea';
import { createChunkLoader } from './executable-chunks.ts';

const asset = (name: string): Buffer => Buffer.from(getRawAsset(name) as ArrayBuffer);

/**
 * Prints the version and loads nothing more if the line is just `pixctl --version`. Problems with stdout are left to
 * the usual way.
 */
function tryPrintVersion([word, ...more]: readonly string[]): boolean {
  if ((word !== '--version' && word !== '-V') || more.length > 0) return false;
  try {
    writeSync(1, asset('version'));
    return true;
  } catch {
    return false;
  }
}

const argv = process.argv.slice(2);
if (!tryPrintVersion(argv)) {
  const { main } = createChunkLoader(asset)('main.cjs') as typeof import('../src/main.ts');
  // Started as a child, this file is again pixctl and not Node.
  void main(argv, null).then((code) => {
    process.exitCode = code;
  });
}
