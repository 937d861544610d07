import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';

const program = `
import { Script } from 'node:vm';
import { keepHeapSteady } from ${JSON.stringify(import.meta.resolve('../src/steady-heap.ts'))};
const functions = Array.from({ length: 200 }, (_, at) => \`function once\${at}(much) { let text = ''; for (let i = 0; i < much; i++) text += i; return text; } once\${at}(3);\`);
const source = \`(function () { \${functions.join('\\n')} })\`;
const atStart = new Script(source);
atStart.runInThisContext()();
const letGrow = process.argv[1] === 'steady' ? await keepHeapSteady() : () => {};
// What a long list does, in little time: much memory beside the heap, so that all of it is collected again and again.
for (let turn = 0; turn < 40; turn++) {
  for (let at = 0; at < 8; at++) globalThis.last = Buffer.alloc(16 << 20);
  await new Promise((resolve) => setImmediate(resolve));
}
letGrow();
const code = atStart.createCachedData();
const later = new Script(source, { cachedData: code });
console.log(JSON.stringify({ size: code.length, taken: later.cachedDataRejected === false }));
`;

async function codeAfter(how: 'steady' | 'usual'): Promise<{ size: number; taken: boolean }> {
  const args = ['--input-type=module', '-e', program, how];
  const { stdout } = await promisify(execFile)(process.execPath, args);
  return JSON.parse(stdout);
}

it('keeps the compiled code of what was called once, at the start, over many collections, for a later run to take', async () => {
  const [steady, usual] = await Promise.all([codeAfter('steady'), codeAfter('usual')]);
  expect(steady.taken).toBe(true);
  expect(usual.taken).toBe(true);
  expect(steady.size).toBeGreaterThan(10 * usual.size);
});
