import { expect, it } from 'vitest';
import { isObject } from '../../src/contract/json-object.ts';

it.each([
  ['{}', true],
  ['{"a":null}', true],
  ['[]', false],
  ['null', false],
  ['"{}"', false],
  ['1', false],
])('%s: %s', (json, expected) => {
  expect(isObject(JSON.parse(json))).toBe(expected);
});
