/** What a run that npx started proposes can be pasted into the same shell, where `pixctl` alone is not found. */
import { spawnSync } from 'node:child_process';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { expect, it } from 'vitest';
import { noNpm, skipped } from '../support/platform.ts';
import { cleanEnvironment, emptyHome, node, programPath } from '../support/run.ts';

it.skipIf(noNpm !== null).each([
  ['npx', ['npx', 'pixctl', 'charge', 'list'], 'Run npx pixctl login for the service'],
  ['a script of npm', ['npm', 'run', 'charges'], 'npx pixctl login --profile shop creates it.'],
  ['another program that npm started', ['npm', 'run', 'other'], 'Run pixctl login for the service'],
])(skipped('a hint after %s', noNpm), (_, [program = '', ...words], hint) => {
  const home = emptyHome();
  const commands = join(home, 'node_modules/.bin');
  mkdirSync(commands, { recursive: true });
  symlinkSync(programPath(), join(commands, 'pixctl'));
  const scripts = { charges: 'pixctl charge list --profile shop', other: 'sh other.sh' };
  writeFileSync(join(home, 'package.json'), JSON.stringify({ name: 'shop', version: '1.0.0', scripts }));
  writeFileSync(join(home, 'other.sh'), 'pixctl charge list');
  const env = cleanEnvironment(home, {
    PATH: [dirname(node), process.env.PATH].join(delimiter),
    npm_config_update_notifier: 'false',
    npm_config_offline: 'true',
  });
  const { status, stderr } = spawnSync(program, words, { cwd: home, env, stdio: 'pipe', encoding: 'utf8' });
  expect(stderr).toContain(hint);
  expect(status).toBe(78);
});
