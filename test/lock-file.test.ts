/** The lock file is whole: `npm ci` works on every platform, and nothing in it names where it was made. */
import { readFileSync } from 'node:fs';
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
