import { expect, it } from 'vitest';
import { environmentOf, isPipeline } from '../../src/flags/environment.ts';

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
