/** What -f and -F make of `key=value`. */
import { describe, expect, it } from 'vitest';
import { bodyOf, readFields, withQuery } from '../../../src/commands/api/fields.ts';

const read = async (path: string) => new TextEncoder().encode(`text of ${path}`);
const refusal = (message: string, hint?: string) =>
  expect.objectContaining({
    ...{ exit: 64, message: `${message} Nothing was sent.` },
    ...(hint === undefined ? {} : { hint }),
  });

describe('a field', () => {
  it.each<[string, unknown]>([
    ['a=1', 1],
    ['a=-1.5', -1.5],
    ['a=0', 0],
    ['a=01', '01'],
    ['a=1e3', '1e3'],
    ['a=true', true],
    ['a=false', false],
    ['a=null', null],
    ['a=', ''],
    ['a=b=c', 'b=c'],
    ['a=@note.txt', 'text of note.txt'],
    ['a=@-', 'text of -'],
  ])('that is typed, %s, is %j', async (field, value) => {
    expect(await readFields([], [field], read)).toEqual([['a', value]]);
  });

  it('that is text stays as it is, and comes before the typed ones', async () => {
    expect(await readFields(['b=1', 'c=@d'], ['a=1'], read)).toEqual([
      ['b', '1'],
      ['c', '@d'],
      ['a', 1],
    ]);
  });

  it.each(['a', '=1', ''])('%j is no key with a value', async (field) => {
    await expect(readFields([field], [], read)).rejects.toEqual(
      refusal(`"${field}" is not key=value.`, 'For example: -F amount=1050'),
    );
  });

  it.each(['9007199254740993', '1.10'])('%s, which JavaScript would change, is refused', async (number) => {
    await expect(readFields([], [`a=${number}`], read)).rejects.toEqual(
      refusal(`${number} cannot be sent as a number without changing it.`),
    );
  });
});

describe('a body', () => {
  it.each<[readonly string[], string]>([
    [['amount=1'], '{"amount":"1"}'],
    [['a[b]=1', 'a[c][d]=2', 'e=3'], '{"a":{"b":"1","c":{"d":"2"}},"e":"3"}'],
    [['events[]=A', 'events[]=B'], '{"events":["A","B"]}'],
    [['a[][b]=1', 'a[][b]=2'], '{"a":[{"b":"1"},{"b":"2"}]}'],
    [['a=1', 'a=2'], '{"a":"2"}'],
    [['__proto__[x]=1'], '{"__proto__":{"x":"1"}}'],
  ])('of %j is %s', async (fields, body) => {
    expect(JSON.stringify(bodyOf(await readFields(fields, [], read)))).toBe(body);
  });

  it.each(['[a]', 'a]', 'a[b', 'a[b]c', 'a[[b]]'])('cannot have the key %s', (key) => {
    expect(() => bodyOf([[key, 1]])).toThrow(refusal(`"${key}" is not a key like a, a[b] or a[].`));
  });

  it.each([
    [['a=1', 'a[b]=2'], 'a[b]'],
    [['a[]=1', 'a[b]=2'], 'a[b]'],
    [['a[b]=1', 'a[]=2'], 'a[]'],
  ])('cannot have both of %j', async (fields, key) => {
    const all = await readFields(fields, [], read);
    expect(() => bodyOf(all)).toThrow(
      refusal(
        `"${key}" conflicts with another field.`,
        'A field is a value, an object (a[b]=1) or a list (a[]=1), and only one of them.',
      ),
    );
  });
});

it.each([
  ['/a', [], '/a'],
  ['/a', [['b c', 'd&e']], '/a?b%20c=d%26e'],
  [
    '/a?b=1',
    [
      ['c', null],
      ['d', 2],
    ],
    '/a?b=1&c=null&d=2',
  ],
] as [string, [string, unknown][], string][])(
  'to %s a query of %j is added: %s',
  (path, fields, expected) => {
    expect(withQuery(path, fields)).toBe(expected);
  },
);
