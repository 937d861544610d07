/** The build, in a folder whose name keeps the bundler's own search from finding `tsconfig.json`. */
import { execFileSync } from 'node:child_process';
import {
  cpSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, expect, it } from 'vitest';
import { refuseOldNode } from '../support/build.ts';
import { noLinks, skipped } from '../support/platform.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
let folder: string;
afterEach(() => rmSync(folder, { recursive: true }));

it('is not tested on a Node that the program refuses, and the next step is told', () => {
  folder = mkdtempSync(join(tmpdir(), 'pixctl-build-'));
  const old = join(folder, 'old.cjs');
  writeFileSync(old, "Object.defineProperty(process.versions, 'node', { value: '20.20.2' });");
  expect(() => refuseOldNode('--require', old)).toThrow(
    /this is Node 20\.20\.2\. npm rebuild --ignore-scripts=false node brings/,
  );
});

it.skipIf(noLinks !== null)(
  skipped('makes the pages with the JSX of this program in a folder with # in its name', noLinks),
  () => {
    folder = mkdtempSync(join(tmpdir(), 'pixctl-build-'));
    const tree = join(folder, 'issue #1');
    mkdirSync(tree);
    for (const name of ['src', 'scripts', 'bin', 'package.json', 'tsconfig.json', 'LICENSE'])
      cpSync(join(root, name), join(tree, name), { recursive: true });
    symlinkSync(join(root, 'node_modules'), join(tree, 'node_modules'));
    const into = join(tree, 'built');
    const program = "await (await import('./scripts/build.ts')).build({ into: process.argv[1] })";
    execFileSync(process.execPath, ['--input-type=module', '-e', program, into], {
      cwd: tree,
      stdio: 'pipe',
    });
    const chunks = globSync(join(into, 'dist/chunks/*'));
    expect(chunks.length).toBeGreaterThan(100);
    expect(chunks.filter((path) => readFileSync(path, 'utf8').includes('react/'))).toEqual([]);
  },
);
