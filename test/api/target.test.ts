import { describe, expect, it } from 'vitest';
import { keyFor, parseTarget } from '../../src/api/target.ts';

describe('a base URL', () => {
  it.each([
    ['https://api.example.com', 'https://api.example.com', ''],
    ['https://api.example.com:8443/v1/', 'https://api.example.com:8443', '/v1'],
    ['http://127.0.0.1:4010', 'http://127.0.0.1:4010', ''],
    ['http://localhost:4010/x', 'http://localhost:4010', '/x'],
    ['http://[::1]:4010', 'http://[::1]:4010', ''],
  ])('%s is called', (text, origin, prefix) => {
    expect(parseTarget(text)).toMatchObject({ origin, prefix });
  });

  it.each([
    'http://api.example.com',
    'http://127.0.0.1.example.com',
    'http://localhost.example.com',
    'http://10.0.0.1',
    'http://0.0.0.0',
    'https://user:pw@api.example.com',
    'https://api.example.com/?x=1',
    'https://api.example.com/#x',
    'ftp://api.example.com',
    'file:///etc/passwd',
    'api.example.com',
    '',
  ])('%j is refused', (text) => {
    expect(() => parseTarget(text)).toThrow(/Nothing was sent/);
  });
});

describe('a key', () => {
  const beyond = parseTarget('https://api.example.com');
  const local = parseTarget('http://127.0.0.1:4010');

  it.each([
    { what: 'none', target: beyond, key: null, sandboxes: [], code: 'NO_KEY' },
    { what: 'an empty one', target: beyond, key: '', sandboxes: [], code: 'NO_KEY' },
    { what: 'one with a line break', target: beyond, key: 'svc_a\r\nX: y', sandboxes: [], code: 'BAD_KEY' },
    {
      what: "a sandbox's, beyond loopback",
      target: beyond,
      key: 'svc_sandbox_1',
      sandboxes: [],
      code: 'SANDBOX_KEY',
    },
    {
      what: 'a real one, to a known sandbox',
      target: local,
      key: 'svc_live',
      sandboxes: ['http://127.0.0.1:4010'],
      code: 'REAL_KEY_TO_SANDBOX',
    },
  ])('is refused: $what', ({ target, key, sandboxes, code }) => {
    expect(() => keyFor(target, key, sandboxes)).toThrow(expect.objectContaining({ code }));
    if (key) expect(() => keyFor(target, key, sandboxes)).not.toThrow(key);
  });

  it('goes to the service, and a real one to a proxy of the developer on this machine', () => {
    expect(keyFor(beyond, 'svc_live')).toBe('svc_live');
    expect(keyFor(local, 'svc_live', ['http://127.0.0.1:9'])).toBe('svc_live');
    expect(keyFor(local, 'svc_sandbox_1', ['http://127.0.0.1:4010'])).toBe('svc_sandbox_1');
  });
});
