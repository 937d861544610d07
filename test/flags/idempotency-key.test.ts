import { expect, it } from 'vitest';
import { parseKey } from '../../src/flags/idempotency-key.ts';

it.each(['rent-2026-03', 'Order 42 / b', '~'])('%j is a key as it stands', (text) => {
  expect(parseKey('--idempotency-key', text)).toBe(text);
});

it.each([
  ['--idempotency-key', 'ção'],
  ['<idempotency key>', 'ção'],
  ['<idempotency key>', ' rent'],
  ['<idempotency key>', ''],
] as const)('%s %j is refused under the name that the help gives it', (name, text) => {
  expect(() => parseKey(name, text)).toThrow(
    `${name} must have 1 to 200 printable ASCII characters (no accents, tabs or line breaks), no space at either end. Nothing was sent.`,
  );
});
