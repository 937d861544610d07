/**
 * Runs the built program under every Node that it supports, from start to withdrawal to webhooks.
 *
 *   node scripts/nodes.ts [22.22.2 24.15 26 ...]      the latest of each line by default
 *
 * The Nodes come from npm, as packages that hold nothing but the program. They are kept below node_modules.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const platform = process.platform === 'win32' ? 'win' : process.platform;
const program = process.platform === 'win32' ? 'node.exe' : 'node';

/** Returns the path of a Node of this version or range. */
function installNode(version: string): string {
  const folder = join(root, 'node_modules/.cache/nodes', version);
  const name = `node-${platform}-${process.arch}`;
  const path = join(folder, 'node_modules', name, 'bin', program);
  if (existsSync(path)) return path;
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'package.json'), '{"private":true}');
  execFileSync('npm', ['install', '--no-audit', '--no-fund', '--ignore-scripts', `${name}@${version}`], {
    cwd: folder,
    stdio: ['ignore', 'ignore', 'inherit'],
    shell: process.platform === 'win32',
  });
  return path;
}

const wanted = process.argv.slice(2);
let failed = 0;
for (const version of wanted.length > 0 ? wanted : ['22', '24', '26']) {
  const node = installNode(version);
  process.stdout.write(`\n== Node ${execFileSync(node, ['--version'], { encoding: 'utf8' })}`);
  const { status } = spawnSync(
    process.execPath,
    [join(root, 'node_modules/vitest/vitest.mjs'), 'run', 'test/e2e/smoke.test.ts'],
    { cwd: root, stdio: 'inherit', env: { ...process.env, PIXCTL_TEST_NODE: node } },
  );
  if (status !== 0) failed++;
}
process.exitCode = failed === 0 ? 0 : 1;
