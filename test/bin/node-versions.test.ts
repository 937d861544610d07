/**
 * Which versions of Node pixctl runs on is said three times: to npm, by `bin/` before anything is loaded, by `doctor`.
 */
import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { nodeFinding } from '../../src/commands/doctor/machine.ts';
import { cleanEnvironment, emptyHome, programPath } from '../support/run.ts';

const { engines } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as {
  engines: { node: string };
};

/** As npm reads a range of `^1.2.3` and `>=1`, the only kinds that ours has. */
function isInRange(range: string, version: string): boolean {
  const [major = 0, minor = 0, patch = 0] = version.split('.').map(Number);
  return range.split(' || ').some((part) => {
    const found = /^(\^|>=)(\d+)(?:\.(\d+)\.(\d+))?$/.exec(part);
    if (found === null) throw new Error(`${part} is a kind of range that this test cannot read`);
    const [least = 0, leastMinor = 0, leastPatch = 0] = found.slice(2).map((text) => Number(text ?? 0));
    if (major !== least) return found[1] === '>=' && major > least;
    return minor > leastMinor || (minor === leastMinor && patch >= leastPatch);
  });
}

/** By its exit code, in a Node that says it is another one. */
function startsOn(version: string): boolean {
  const home = emptyHome();
  const preload = join(home, 'another-node.cjs');
  const versions = `{ ...process.versions, node: ${JSON.stringify(version)} }`;
  writeFileSync(preload, `Object.defineProperty(process, 'versions', { value: ${versions} });`);
  const { status, stderr } = spawnSync(process.execPath, ['-r', preload, programPath(), '--version'], {
    env: cleanEnvironment(home, {}),
    encoding: 'utf8',
  });
  if (status === 0) return true;
  expect({ status, stderr }).toMatchObject({ status: 78, stderr: expect.stringContaining(version) });
  return false;
}

it.each([
  ['18.20.8', false],
  ['20.19.0', false],
  ['21.99.9', false],
  ['22.0.0', false],
  ['22.21.9', false],
  ['22.22.1', false],
  ['22.22.2', true],
  ['22.22.10', true],
  ['22.23.0', true],
  ['23.0.0', false],
  ['23.99.9', false],
  ['24.0.0', false],
  ['24.14.9', false],
  ['24.15.0', true],
  ['24.15.1', true],
  ['24.16.0', true],
  ['25.0.0', false],
  ['25.99.9', false],
  ['26.0.0', true],
  ['26.3.1', true],
  ['27.0.0', true],
  ['100.1.0', true],
])(
  'Node %s is one to run on for package.json, for bin/ and for doctor, or for none of them: %j',
  (version, runs) => {
    expect({
      package: isInRange(engines.node, version),
      bin: startsOn(version),
      doctor: nodeFinding(version).state === 'ok',
    }).toEqual({ package: runs, bin: runs, doctor: runs });
  },
);
