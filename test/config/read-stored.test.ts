/** Which runs can do without settings that are out of reach: only those that are told the address and the key. */
import { describe, expect, it } from 'vitest';
import { readerOf } from '../../src/config/read-stored.ts';
import { configError } from '../../src/errors.ts';
import type { Environment } from '../../src/flags/environment.ts';
import type { Globals } from '../../src/flags/globals.ts';

const owner = { platform: process.platform, uid: process.geteuid?.() };

/** A reader whose settings lie where `code` says that they cannot be read. */
const readerAt = (code: string, environment: Environment, globals: Globals) => {
  const path = () => {
    throw configError(code, 'The settings are out of reach.');
  };
  return readerOf(path, owner, { environment, globals });
};

const url = { PIXCTL_BASE_URL: 'https://api.example.com' };
const key = { PIXCTL_API_KEY: 'svc_x' };
const keyFile = { PIXCTL_API_KEY_FILE: '/run/key' };
const flag = { baseUrl: 'https://api.example.com' };

describe('settings out of reach', () => {
  it.each<[Environment, Globals]>([
    [{ ...url, ...key }, {}],
    [{ ...url, ...keyFile }, {}],
    [key, flag],
    [keyFile, flag],
  ])('are not needed with %j %j', (environment, globals) => {
    const { read, readIfReadable } = readerAt('RELATIVE_HOME', environment, globals);
    expect(readIfReadable().profiles.size).toBe(0);
    expect(read).toThrow(expect.objectContaining({ code: 'RELATIVE_HOME' }));
  });

  it.each<[Environment, Globals]>([
    [{}, {}],
    [url, {}],
    [key, {}],
    [{}, flag],
    [{ ...url, PIXCTL_API_KEY: '' }, {}],
    [{ ...url, ...key }, { profile: 'acme' }],
    [key, { ...flag, profile: 'acme' }],
  ])('are needed with %j %j', (environment, globals) => {
    const { readIfReadable } = readerAt('RELATIVE_HOME', environment, globals);
    expect(readIfReadable).toThrow(expect.objectContaining({ code: 'RELATIVE_HOME' }));
  });

  it.each(['UNREADABLE', 'NO_WORKING_DIRECTORY'])('may be so for another reason: %s', (code) => {
    expect(readerAt(code, { ...url, ...key }, {}).readIfReadable().profiles.size).toBe(0);
  });
});

it('settings that others could have written are never done without', () => {
  const { readIfReadable } = readerAt('UNSAFE_FILE', { ...url, ...key }, {});
  expect(readIfReadable).toThrow(expect.objectContaining({ code: 'UNSAFE_FILE' }));
});

it('where there is no home, there are no settings', () => {
  expect(readerAt('NO_HOME', {}, {}).read().profiles.size).toBe(0);
});
