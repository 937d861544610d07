/** Each room that sends under a key has one way to the network, and takes it once. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';

const source = fileURLToPath(new URL('../../src/', import.meta.url));
const files = ['withdrawal', 'keyed-charge', 'sending'].flatMap((room) =>
  readdirSync(join(source, room), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts'))
    .map((name) => join(room, name).replaceAll('\\', '/'))
    .map((name) => [name, readFileSync(join(source, name), 'utf8')] as const),
);

it.each([
  ['calls fetch', /\bfetch\(/],
  ['knows a retry of the client', /api\/retry|retrying\(/],
  [
    'opens a client or a transport of its own',
    /api\/(?:transport|sender|create-client|target)|undici|node:https?\b|node:net\b/,
  ],
  ['follows a redirect', /redirect|location\b.*header/i],
  ['decides by an error code', /UND_ERR|ECONN|EPIPE|ETIMEDOUT|ENOTFOUND|EAI_AGAIN/],
])('no file of these rooms %s', (_, pattern) => {
  expect(files.filter(([, text]) => pattern.test(text)).map(([name]) => name)).toEqual([]);
});

it.each([
  ['a withdrawal', /service\.send\(/g, 'withdrawal/attempt/execute.ts'],
  ['a keyed charge', /'createCharge'/g, 'keyed-charge/send.ts'],
])('%s is sent in exactly one place', (_, pattern, place) => {
  const places = files.flatMap(([name, text]) => [...text.matchAll(pattern)].map(() => name));
  expect(places).toEqual([place]);
});
