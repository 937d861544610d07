/** The places of settings and state on Windows, on whichever system this runs. */
import { join, resolve } from 'node:path';
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

it.skipIf(process.platform === 'win32').each<[NodeJS.Platform, Environment, string, string]>([
  ['linux', {}, '/home/ana/.config/pixctl', '/home/ana/.local/state/pixctl'],
  [
    'linux',
    { XDG_CONFIG_HOME: '/etc/ana', XDG_STATE_HOME: '/var/ana' },
    '/etc/ana/pixctl',
    '/var/ana/pixctl',
  ],
  [
    'linux',
    { XDG_CONFIG_HOME: 'etc', XDG_STATE_HOME: '' },
    '/home/ana/.config/pixctl',
    '/home/ana/.local/state/pixctl',
  ],
  [
    'darwin',
    {},
    '/home/ana/Library/Application Support/pixctl/config',
    '/home/ana/Library/Application Support/pixctl/state',
  ],
  ['linux', { PIXCTL_CONFIG_DIR: '/c', PIXCTL_STATE_DIR: '/s' }, '/c', '/s'],
])('on %s with %o are %s and %s', (platform, environment, config, state) => {
  const directories = directoriesOf({ HOME: '/home/ana', ...environment }, platform);
  expect([directories.config, directories.state]).toEqual([config, state]);
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
      message: `${variable} is ${JSON.stringify(value)}, not an absolute path: the location of the state would depend on the working directory. Nothing was sent.`,
      hint: `Set ${variable}, or PIXCTL_STATE_DIR to a directory of your own.`,
    }),
  );
});

it('do not for the settings either', () => {
  expect(() => onWindows({ APPDATA: 'AppData' }).config).toThrow(
    'APPDATA is "AppData", not an absolute path: the location of the settings',
  );
});

it.each([
  '"/var/lib/pixctl"',
  "'/var/lib/pixctl'",
  '"C:\\pixctl\\state"',
  'C:\\pixctl\\state ',
  '/var/lib/pixctl\r',
  ' /var/lib/pixctl',
  '~/pixctl',
  '$HOME/pixctl',
  '%LOCALAPPDATA%\\pixctl',
])('are not looked for where no shell has read the variable: %j', (path) => {
  const environment = { PIXCTL_STATE_DIR: path, PIXCTL_CONFIG_DIR: path };
  for (const platform of ['linux', 'win32'] as const) {
    const directories = directoriesOf(environment, platform);
    for (const [what, variable] of [
      ['state', 'PIXCTL_STATE_DIR'],
      ['config', 'PIXCTL_CONFIG_DIR'],
    ] as const)
      expect(() => directories[what]).toThrow(
        expect.objectContaining({
          kind: 'config',
          code: 'UNREAD_DIRECTORY',
          message: `${variable} is ${JSON.stringify(path)}, with a quote, a space, ~, $ or % that is not part of the path: it would name another directory. Nothing was sent.`,
        }),
      );
  }
});

it.each(['state', './~', './"quoted"', '/var/lib/my state', '/var/$lib/100%/~x'])(
  'are where the variable says: %s',
  (path) => {
    expect(directoriesOf({ PIXCTL_STATE_DIR: path }, 'linux').state).toBe(resolve(path));
  },
);
