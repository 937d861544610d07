/** Node 22 calls its SQLite experimental each time: that warning, and no other, is kept from the user. */
import { afterEach, expect, it, vi } from 'vitest';
import { loadSqlite } from '../../../src/database/sqlite/module.ts';

afterEach(() => {
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

function nodeWarning(version: string, warnings: readonly string[]) {
  const told: string[] = [];
  vi.spyOn(process, 'versions', 'get').mockReturnValue({ ...process.versions, node: version });
  const emitWarning = vi.spyOn(process, 'emitWarning').mockImplementation((warning) => {
    told.push(String(warning));
  });
  vi.spyOn(process, 'getBuiltinModule').mockImplementation((() => {
    for (const warning of warnings) process.emitWarning(warning);
    return {};
  }) as typeof process.getBuiltinModule);
  return { told, emitWarning };
}

it.each([
  ['22.22.2', ['another']],
  ['24.15.0', ['SQLite is an experimental feature and might change at any time', 'another']],
])('on Node %s it lets through %j', (version, expected) => {
  const warnings = ['SQLite is an experimental feature and might change at any time', 'another'];
  const { told } = nodeWarning(version, warnings);
  loadSqlite();
  expect(told).toEqual(expected);
});

it('warns as before once it is loaded', () => {
  const { told, emitWarning } = nodeWarning('22.22.2', []);
  loadSqlite();
  expect(process.emitWarning).toBe(emitWarning);
  process.emitWarning('SQLite is an experimental feature, said by another');
  expect(told).toHaveLength(1);
});
