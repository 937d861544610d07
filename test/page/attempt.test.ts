import { describe, expect, it } from 'vitest';
import { compactJson, prettyJson } from '../../src/page/attempt.ts';

describe('a body with indentation', () => {
  it('has the numbers and fields that came, not what JavaScript makes of them', () => {
    const came =
      '{"amount":9007199254740993,"rate":1.10,"most":1e400,"twice":1,"twice":2,"name":"Jo\\u00e3o"}';
    expect(prettyJson(came)).toBe(`{
  "amount": 9007199254740993,
  "rate": 1.10,
  "most": 1e400,
  "twice": 1,
  "twice": 2,
  "name": "João"
}`);
  });

  it.each([
    [{ data: { id: 'chg_1', list: [1, [], {}, { a: null }], odd: 'a "b": {c}, [d]\\' }, more: true }],
    [[]],
    ['text'],
    [12],
    [{ long: 'x\n'.repeat(600_000) }],
  ])('is written as JSON.stringify writes it', (value) => {
    const indented = JSON.stringify(value, null, 2);
    expect(prettyJson(JSON.stringify(value))).toBe(indented);
    expect(prettyJson(` ${JSON.stringify(value, null, '\t')}\r\n`)).toBe(indented);
  });

  it.each(['not JSON', '{"a":1,}', '\ufeff{}', `${'['.repeat(200)}${']'.repeat(200)}`])(
    'is left as it is where it is no JSON, or nested very deeply',
    (text) => {
      expect(prettyJson(text)).toBe(text);
    },
  );
});

it('is on one line again with the numbers, strings and fields as they are written', () => {
  const written =
    '{\r\n  "most": 1e400,\r\n  "rate": 1.10, "twice": 1, "twice": [ ],\t"odd\\u002c \\" {": "a , b : [ ] "\n}';
  expect(compactJson(written)).toBe(
    '{"most":1e400,"rate":1.10,"twice":1,"twice":[],"odd\\u002c \\" {":"a , b : [ ] "}',
  );
});
