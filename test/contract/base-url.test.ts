/** Which addresses of a service may be called, and what is said of the others. */
import { describe, expect, it } from 'vitest';
import { adviceFor, prefixOf, readBaseUrl } from '../../src/contract/base-url.ts';

describe('the address of a service', () => {
  it.each([
    ['https://api.example.com', 'https://api.example.com', ''],
    ['https://API.example.com:8443/v1//', 'https://api.example.com:8443', '/v1'],
    ['http://127.0.0.1:4010/', 'http://127.0.0.1:4010', ''],
    ['http://[::1]:4010/x', 'http://[::1]:4010', '/x'],
  ])('%s may be called', (text, origin, prefix) => {
    const url = readBaseUrl(text) as URL;
    expect([url.origin, prefixOf(url)]).toEqual([origin, prefix]);
  });

  it.each([
    ['api.example.com', 'is not a URL'],
    ['', 'is not a URL'],
    ['https://user@api.example.com', 'must not have a user name or password'],
    ['https://:pw@api.example.com', 'must not have a user name or password'],
    ['https://api.example.com/?x=1', 'has a query or a fragment'],
    ['https://api.example.com/#x', 'has a query or a fragment'],
    [
      'http://127.0.0.1.example.com',
      'is plain http, which would show the key to the network; only https is allowed, or http to this machine',
    ],
    [
      'http://0.0.0.0',
      'is plain http, which would show the key to the network; only https is allowed, or http to this machine',
    ],
    ['ftp://api.example.com', 'is neither https nor http'],
    ['localhost:4010', 'is neither https nor http'],
  ])('%j may not', (text, why) => {
    expect(readBaseUrl(text)).toBe(why);
  });
});

it('leads from a sandbox in another container to ways that need no plain http', () => {
  const advice = adviceFor(String(readBaseUrl('http://sandbox:4010')));
  expect(advice).toContain('docker compose exec');
  expect(advice).toContain('network_mode');
  expect(adviceFor(String(readBaseUrl('sandbox')))).toContain('https://api.example.com');
});
