import { expect, it } from 'vitest';
import { parseIdempotencyKey } from '../../src/contract/idempotency-key.ts';

it.each(['K', 'K2', 'rent-2026-03', 'order 17/b', 'a'.repeat(200)])('%j is an idempotency key', (text) => {
  expect(parseIdempotencyKey(text)).toBe(text);
});

it.each(['', ' K', 'K ', 'a\tb', 'a\nb', 'março', 'K\u200b', 'a'.repeat(201)])('%j is not one', (text) => {
  expect(parseIdempotencyKey(text)).toBeNull();
});
