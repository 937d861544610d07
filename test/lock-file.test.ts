/** The lock file is whole: `npm ci` works on every platform, and nothing in it names where it was made. */
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';

interface Locked {
  readonly optionalDependencies?: Record<string, string>;
  readonly integrity?: string;
  readonly hasInstallScript?: boolean;
  readonly resolved?: string;
  readonly version?: string;
}

const text = readFileSync(new URL('../package-lock.json', import.meta.url), 'utf8');
const packages = (JSON.parse(text) as { packages: Record<string, Locked> }).packages;

it('locks the optional packages of every platform', () => {
  const missing = Object.entries(packages).flatMap(([path, { optionalDependencies = {} }]) =>
    Object.keys(optionalDependencies).filter(
      (name) => !packages[`node_modules/${name}`] && !packages[`${path}/node_modules/${name}`],
    ),
  );
  expect(missing).toEqual([]);
});

it('carries an integrity hash for each package', () => {
  const without = Object.entries(packages).filter(([path, entry]) => path !== '' && !entry.integrity);
  expect(without.map(([path]) => path)).toEqual([]);
});

it('has one install script, the approved one', () => {
  const scripts = Object.entries(packages).filter(([, { hasInstallScript }]) => hasInstallScript);
  expect(scripts.map(([path]) => path).filter((path) => path !== 'node_modules/fsevents')).toEqual([
    'node_modules/node',
  ]);
});

it('names no registry', () => {
  expect(text).not.toMatch(/"resolved"/);
});

/** What is called by name, in a script or by a configuration, and imported by nothing. */
const tools = ['@biomejs/biome', '@types/node', '@vitest/coverage-v8', 'node', 'typescript'];

it('locks no dependency of package.json that nothing imports', () => {
  const root = fileURLToPath(new URL('../', import.meta.url));
  const code = ['src', 'test', 'scripts', 'bench']
    .flatMap((room) =>
      readdirSync(`${root}${room}`, { recursive: true, encoding: 'utf8' }).map((it) => `${room}/${it}`),
    )
    .filter((name) => /\.tsx?$/.test(name) && !/lock-file\.test/.test(name))
    .map((name) => readFileSync(`${root}${name}`, 'utf8'))
    .join('\n');
  const names = Object.keys(JSON.parse(readFileSync(`${root}package.json`, 'utf8')).devDependencies);
  const isImported = (name: string): boolean =>
    name.startsWith('@types/')
      ? code.includes(`'${name.slice('@types/'.length)}'`)
      : code.includes(`'${name}'`) || code.includes(`'${name}/`);
  expect(names.filter((name) => !tools.includes(name) && !isImported(name))).toEqual([]);
});
