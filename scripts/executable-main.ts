/** The executable's beginning: what bin/pixctl.js does, with the chunks that lie in the executable itself. */
import { writeSync } from 'node:fs';
import { getRawAsset } from 'node:sea';
import { chunkLoader } from './executable-chunks.ts';

const asset = (name: string): Buffer => Buffer.from(getRawAsset(name) as ArrayBuffer);

/** `pixctl --version` alone loads nothing more. What goes wrong with stdout is left to the long way. */
function toldVersion([word, ...more]: readonly string[]): boolean {
  if ((word !== '--version' && word !== '-V') || more.length > 0) return false;
  try {
    writeSync(1, asset('version'));
    return true;
  } catch {
    return false;
  }
}

const argv = process.argv.slice(2);
if (!toldVersion(argv)) {
  const { main } = chunkLoader(asset)('main.cjs') as typeof import('../src/main.ts');
  // Started as a child, this file is pixctl again and no Node.
  void main(argv, null).then((code) => {
    process.exitCode = code;
  });
}
