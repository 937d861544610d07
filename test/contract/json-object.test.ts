import { expect, it } from 'vitest';
import { isObject, parseObject } from '../../src/contract/json-object.ts';

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

it.each([
  ['{"a":[1]}', { a: [1] }],
  ['[1]', null],
  ['null', null],
  ['{"a":', null],
  ['', null],
])('the object in %j: %j', (text, expected) => {
  expect(parseObject(text)).toEqual(expected);
});
