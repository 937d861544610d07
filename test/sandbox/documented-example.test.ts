/** The example of docs/testing-with-the-sandbox.md runs as it is printed, against what is built. */
import { spawn } from 'node:child_process';
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { programPath } from '../support/run.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));

it('passes in a project that has pixctl and vitest installed', async () => {
  const built = dirname(dirname(programPath()));
  const project = join(built, 'example');
  mkdirSync(join(project, 'node_modules'), { recursive: true });
  symlinkSync(built, join(project, 'node_modules/pixctl'));
  symlinkSync(join(root, 'node_modules/vitest'), join(project, 'node_modules/vitest'));
  const page = readFileSync(join(root, 'docs/testing-with-the-sandbox.md'), 'utf8');
  const [, example] = /```js\n([\s\S]*?)```/.exec(page) ?? [];
  writeFileSync(join(project, 'package.json'), '{"type":"module"}');
  writeFileSync(join(project, 'shop.test.js'), String(example));
  const vitest = join(root, 'node_modules/vitest/vitest.mjs');
  const child = spawn(process.execPath, [vitest, 'run', '--root', project, '--maxWorkers', '1'], {
    cwd: project,
    env: { PATH: process.env.PATH, HOME: project, NO_COLOR: '1' },
  });
  let text = '';
  child.stdout.on('data', (chunk) => {
    text += String(chunk);
  });
  child.stderr.on('data', (chunk) => {
    text += String(chunk);
  });
  const code = await new Promise((resolve) => child.on('close', resolve));
  expect(text).toMatch(/Tests +3 passed \(3\)/);
  expect(code).toBe(0);
});
