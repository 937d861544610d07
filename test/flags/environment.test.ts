import { expect, it } from 'vitest';
import { environmentOf, findForeignLocale, isPipeline } from '../../src/flags/environment.ts';

it('Windows knows a variable in any case, and so do we there', () => {
  const variables = {
    Path: 'C:\\bin',
    ProgramData: 'C:\\ProgramData',
    pixctl_api_key: 'k',
    npm_command: 'exec',
  };
  expect(environmentOf(variables, 'win32')).toEqual({
    ...variables,
    PATH: 'C:\\bin',
    PROGRAMDATA: 'C:\\ProgramData',
    PIXCTL_API_KEY: 'k',
    NPM_COMMAND: 'exec',
  });
  expect(environmentOf(variables, 'linux')).toEqual(variables);
});

it('a copy is made of what the process changes later', () => {
  const variables: Record<string, string> = { PATH: '/bin' };
  const environment = environmentOf(variables, 'linux');
  variables.PATH = '/elsewhere';
  expect(environment.PATH).toBe('/bin');
});

it.each([
  [{ CI: 'true' }, true],
  [{ CI: '1' }, true],
  [{ CI: 'woodpecker' }, true],
  [{ CI: 'false' }, false],
  [{ CI: 'False' }, false],
  [{ CI: '0' }, false],
  [{ CI: '' }, false],
  [{}, false],
])('%j tells of a pipeline: %s', (environment, is) => {
  expect(isPipeline(environment)).toBe(is);
});

it.each([
  [{}, null],
  [{ LANG: 'C' }, null],
  [{ LANG: 'pt_BR' }, null],
  [{ LANG: 'pt_BR.UTF-8' }, null],
  [{ LANG: 'pt_BR.utf8@euro' }, null],
  [{ LANG: 'pt_BR.ISO-8859-1' }, 'LANG=pt_BR.ISO-8859-1'],
  [{ LC_ALL: '', LC_CTYPE: 'de_DE.iso88591', LANG: 'pt_BR.UTF-8' }, 'LC_CTYPE=de_DE.iso88591'],
  [{ LC_ALL: 'C.UTF-8', LANG: 'pt_BR.ISO-8859-1' }, null],
  [{ TMUX: '/tmp/tmux-0/default,1,0' }, 'no LANG'],
  [{ TMUX: '/tmp/tmux-0/default,1,0', LANG: 'C' }, 'LANG=C'],
  [{ STY: '1.pts-0.host', LC_ALL: 'POSIX', LANG: 'pt_BR.UTF-8' }, 'LC_ALL=POSIX'],
  [{ STY: '1.pts-0.host', LANG: 'pt_BR.UTF-8' }, null],
])('%j says of a terminal that it shows no UTF-8: %j', (environment, expected) => {
  expect(findForeignLocale(environment)).toBe(expected);
});
