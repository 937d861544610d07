/** The room has one way to the network, and takes it once. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';

const room = fileURLToPath(new URL('../../src/withdrawal/', import.meta.url));
const files = readdirSync(room).map((name) => [name, readFileSync(join(room, name), 'utf8')] as const);

it.each([
  ['calls fetch', /\bfetch\(/],
  ['knows a retry of the client', /api\/retry|retrying\(/],
  [
    'opens a client or a transport of its own',
    /api\/(?:transport|sender|create-client|target)|undici|node:https?\b|node:net\b/,
  ],
  ['follows a redirect', /redirect|location\b.*header/i],
  ['decides by an error code', /UND_ERR|ECONN|EPIPE|ETIMEDOUT|ENOTFOUND|EAI_AGAIN/],
])('no file of the withdrawal room %s', (_, pattern) => {
  expect(files.filter(([, text]) => pattern.test(text)).map(([name]) => name)).toEqual([]);
});

it('sends in exactly one place', () => {
  const places = files.flatMap(([name, text]) => [...text.matchAll(/service\.send\(/g)].map(() => name));
  expect(places).toEqual(['execute.ts']);
});
