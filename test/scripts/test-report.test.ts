/** What a run says at its end of the tests that failed, and how many it counts. */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';

const script = fileURLToPath(new URL('../../scripts/test-report.ts', import.meta.url));

/** The lines for these files of tests. */
function told(files: object[], counts: object): string[] {
  const path = join(mkdtempSync(join(tmpdir(), 'pixctl-report-')), 'report.json');
  const none = { numPassedTests: 0, numFailedTests: 0, numPendingTests: 0, numTodoTests: 0 };
  writeFileSync(path, JSON.stringify({ ...none, ...counts, testResults: files }));
  return execFileSync(process.execPath, [script, path], { encoding: 'utf8' }).trimEnd().split('\n');
}

const file = { name: resolve('test/money.test.ts'), status: 'passed', message: '', assertionResults: [] };
const one = {
  status: 'failed',
  fullName: 'pays once',
  failureMessages: ['\u001b[31mexpected 2 to be 1\u001b[39m\nat x'],
};

it('names each test that failed, and the first lines of why', () => {
  const passed = { status: 'passed', fullName: 'pays', failureMessages: [] };
  const failed = { ...file, status: 'failed', assertionResults: [passed, one] };
  expect(
    told([failed], { numPassedTests: 1, numFailedTests: 1, numPendingTests: 2, numTodoTests: 1 }),
  ).toEqual(['FAILED test/money.test.ts > pays once', '    expected 2 to be 1', '    at x', '1 1 3']);
});

it('counts a file that did not load as a failure: none of its tests says so', () => {
  const broken = { ...file, status: 'failed', message: 'Cannot find module' };
  expect(told([file, broken], { numPassedTests: 4 })).toEqual([
    'FAILED test/money.test.ts',
    '    Cannot find module',
    '4 1 0',
  ]);
});
