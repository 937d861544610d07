/** The places of settings and state on Windows, on whichever system this runs. */
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { directoriesOf } from '../../src/config/directories.ts';
import type { Environment } from '../../src/flags/environment.ts';

const onWindows = (environment: Environment) => directoriesOf(environment, 'win32');

it('are on Windows those of the user, below the home where no variable names them', () => {
  const named = onWindows({ APPDATA: 'C:\\roaming', LOCALAPPDATA: '\\\\server\\local', HOME: 'D:\\me' });
  expect([named.config, named.state]).toEqual([
    join('C:\\roaming', 'pixctl/config'),
    join('\\\\server\\local', 'pixctl/state'),
  ]);
  const { config, state } = onWindows({ HOME: 'd:/me' });
  expect([config, state]).toEqual([
    join('d:/me', 'AppData/Roaming/pixctl/config'),
    join('d:/me', 'AppData/Local/pixctl/state'),
  ]);
});

it.each([
  ['LOCALAPPDATA', '%USERPROFILE%\\AppData\\Local'],
  ['LOCALAPPDATA', '\\state'],
  ['LOCALAPPDATA', 'C:state'],
  ['HOME', '\\me'],
  ['HOME', '/c/me'],
])('do not depend on the working directory or its drive: %s=%s', (variable, value) => {
  expect(() => onWindows({ [variable]: value }).state).toThrow(
    expect.objectContaining({
      code: 'RELATIVE_HOME',
      message: `${variable} is ${JSON.stringify(value)}, not an absolute path: the place of the state would depend on the working directory. Nothing was sent.`,
      hint: `Set ${variable}, or PIXCTL_STATE_DIR to a directory of your own.`,
    }),
  );
});

it('do not for the settings either', () => {
  expect(() => onWindows({ APPDATA: 'AppData' }).config).toThrow(
    'APPDATA is "AppData", not an absolute path: the place of the settings',
  );
});
