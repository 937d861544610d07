/** What files of tests that share a process (vitest.config.ts) may not do, because the others would notice. */
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, it } from 'vitest';
import { together } from '../vitest.config.ts';

const files = together.flatMap((room) =>
  readdirSync(room, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.test.ts'))
    .map((name) => join(room, name)),
);

/** With all that it loads of test/. */
function loadedBy(file: string, before: ReadonlySet<string> = new Set()): ReadonlySet<string> {
  if (before.has(file)) return before;
  const imports = [...readFileSync(file, 'utf8').matchAll(/(?:from|import) '(\.[^']+\.ts)'/g)];
  return imports
    .map(([, path = '']) => join(dirname(file), path))
    .filter((path) => path.startsWith('test'))
    .reduce<ReadonlySet<string>>((all, path) => loadedBy(path, all), new Set([...before, file]));
}

it('finds them', () => {
  expect(files.length).toBeGreaterThan(50);
});

it('they load no module with hooks: it is loaded once, and has them for the first file only', () => {
  const withHooks = (path: string) =>
    !path.endsWith('.test.ts') && /^(before|after)(Each|All)\(/m.test(readFileSync(path, 'utf8'));
  const wrong = files.flatMap((file) => [...loadedBy(file)].filter(withHooks).map((path) => [file, path]));
  expect(wrong).toEqual([]);
});

it('they replace nothing of Node for all, and mock no module', () => {
  const replaces = (path: string) =>
    /\b(syncBuiltinESMExports|vi\.(mock|doMock|stubGlobal))\b/.test(readFileSync(path, 'utf8'));
  const wrong = files.flatMap((file) => [...loadedBy(file)].filter(replaces).map((path) => [file, path]));
  expect(wrong).toEqual([]);
});
