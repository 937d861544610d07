/**
 * Says which tests of a test runner's report failed, and why. Its last line is `passed failed skipped`.
 *
 *   node scripts/test-report.ts report.json
 */
import { readFileSync } from 'node:fs';
import { relative } from 'node:path';
import { stripVTControlCharacters } from 'node:util';

interface Report {
  readonly numPassedTests: number;
  readonly numFailedTests: number;
  readonly numPendingTests: number;
  readonly numTodoTests: number;
  readonly testResults: readonly {
    readonly name: string;
    readonly status: string;
    readonly message: string;
    readonly assertionResults: readonly {
      readonly status: string;
      readonly fullName: string;
      readonly failureMessages?: readonly string[] | null;
    }[];
  }[];
}

const linesOfEach = 20;
const firstLines = (text: string) =>
  stripVTControlCharacters(text)
    .split('\n')
    .slice(0, linesOfEach)
    .map((line) => `    ${line.slice(0, 300)}`)
    .join('\n');

const report: Report = JSON.parse(readFileSync(process.argv[2] as string, 'utf8'));
let broken = 0;
for (const { name, status, message, assertionResults } of report.testResults) {
  const file = relative(process.cwd(), name);
  const failed = assertionResults.filter((one) => one.status === 'failed');
  for (const { fullName, failureMessages } of failed)
    process.stdout.write(`FAILED ${file} > ${fullName}\n${firstLines(failureMessages?.join('\n') ?? '')}\n`);
  if (status === 'failed' && failed.length === 0) {
    // The file itself did not load, or a hook failed. No test of its own says so.
    broken++;
    process.stdout.write(`FAILED ${file}\n${firstLines(message)}\n`);
  }
}
const counts = [
  report.numPassedTests,
  report.numFailedTests + broken,
  report.numPendingTests + report.numTodoTests,
];
process.stdout.write(`${counts.join(' ')}\n`);
