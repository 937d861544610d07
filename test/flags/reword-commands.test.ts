/** Command lines that a text names: they run where they are read, for the merchant that this command line meant. */
import { expect, it } from 'vitest';
import { commandLine } from '../../src/flags/command-line.ts';
import { createCommandReworder, programNameOf } from '../../src/flags/reword-commands.ts';
import { createProgram } from '../../src/program.ts';
import type { Runtime } from '../../src/runtime.ts';

const other = createCommandReworder('pixctl', { profile: 'other' });

it.each([
  ['Wait again: pixctl charge wait chg_1', 'Wait again: pixctl --profile other charge wait chg_1'],
  [
    'If it is there: pixctl withdrawal resolve k --withdrawal <id>. If not: pixctl withdrawal resolve k --not-sent.',
    'If it is there: pixctl --profile other withdrawal resolve k --withdrawal <id>. If not: pixctl --profile other withdrawal resolve k --not-sent.',
  ],
  ['  npx pixctl sandbox pay chg_1', '  npx pixctl --profile other sandbox pay chg_1'],
  ['pixctl withdraw --profile mine --to a', 'pixctl withdraw --profile mine --to a'],
  ['Run pixctl login, or set PIXCTL_API_KEY.', 'Run pixctl --profile other login, or set PIXCTL_API_KEY.'],
  ['pixctl login --profile shop with a new key', 'pixctl login --profile shop with a new key'],
  ['Log in with a valid key: pixctl login.', 'Log in with a valid key: pixctl --profile other login.'],
  [
    'pixctl sandbox start, then pixctl profile use sandbox',
    'pixctl sandbox start, then pixctl profile use sandbox',
  ],
  ['This pixctl reads version 3', 'This pixctl reads version 3'],
])('%s', (text, expected) => {
  expect(other(text)).toBe(expected);
});

it('says an address again, quoted', () => {
  const reword = createCommandReworder('pixctl', { profile: 'Café 2', baseUrl: 'http://127.0.0.1:4010' });
  expect(reword('pixctl charge list')).toBe(
    `pixctl ${commandLine(['--profile', 'Café 2'])} --base-url http://127.0.0.1:4010 charge list`,
  );
  expect(reword('pixctl withdraw --profile mine')).toBe(
    'pixctl --base-url http://127.0.0.1:4010 withdraw --profile mine',
  );
});

it('leaves all as it is where nothing was chosen', () => {
  expect(createCommandReworder('pixctl', {})('pixctl charge list')).toBe('pixctl charge list');
});

it.each([
  ['Run pixctl login, or set PIXCTL_API_KEY.', 'Run npx pixctl login, or set PIXCTL_API_KEY.'],
  ['pixctl sandbox start, then pixctl help', 'npx pixctl sandbox start, then npx pixctl help'],
  ['  npx pixctl sandbox pay chg_1', '  npx pixctl sandbox pay chg_1'],
  ['PIXCTL_PROFILE=shop pixctl withdraw --to rent', 'PIXCTL_PROFILE=shop npx pixctl withdraw --to rent'],
  ['pixctl --profile sandbox charge list', 'npx pixctl --profile sandbox charge list'],
  [
    'Use the newest version of pixctl that has used it.',
    'Use the newest version of pixctl that has used it.',
  ],
  [
    'Installed; in this shell: eval "$(pixctl completion bash 2>/dev/null)"',
    'Installed; in this shell: eval "$(pixctl completion bash 2>/dev/null)"',
  ],
  ['Settings: /home/ana/.config/pixctl config', 'Settings: /home/ana/.config/pixctl config'],
])('began with npx: %s', (text, expected) => {
  expect(createCommandReworder('npx pixctl', {})(text)).toBe(expected);
});

it('knows every command', async () => {
  const program = await createProgram({} as Runtime, []);
  const reword = createCommandReworder('npx pixctl', {});
  for (const name of program.commands.map((command) => command.name()).filter((name) => name !== 'complete'))
    expect(reword(`pixctl ${name}`)).toBe(`npx pixctl ${name}`);
});

it.each([
  ['npx', 'pixctl', 'npx pixctl'],
  ['npx in an own folder', '/home/ana/.npm/_npx/1a/node_modules/.bin/pixctl', 'npx pixctl'],
  ['npx -c', 'pixctl charge list --all', 'npx pixctl'],
  ['npm run demo', 'node bin/pixctl.js demo', 'npx pixctl'],
  ['a script of a package', 'build && "C:\\shop\\node_modules\\.bin\\pixctl.cmd" withdraw', 'npx pixctl'],
  ['npx vitest, which starts pixctl', 'vitest', 'pixctl'],
  ['a script of a package that is called alike', 'node pixctl-report.js', 'pixctl'],
])('%s', (_, npm_lifecycle_script, expected) => {
  expect(programNameOf({ npm_lifecycle_script }, process.execPath)).toBe(expected);
});

it('outside npm, and as a single executable, it is called pixctl', () => {
  expect(programNameOf({}, process.execPath)).toBe('pixctl');
  expect(programNameOf({ npm_lifecycle_script: 'pixctl' }, null)).toBe('pixctl');
});
