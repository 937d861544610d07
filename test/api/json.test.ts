import { describe, expect, it } from 'vitest';
import { parseJson } from '../../src/api/json.ts';

const again = (text: string): string => JSON.stringify(parseJson(Buffer.from(text)));

describe('JSON from the network', () => {
  it.each([
    ['{"a":12345678901234567890}'],
    ['[1.10,1e400,0.1]'],
    ['{"a":"\\\\","b":1.50}'],
    ['{"a":"x\\"","b":2.50,"c":"\\\\\\""}'],
    ['{"text":"12345678901234567890 1.50 [[[","n":1050}'],
  ])('%s is printed again as it came', (text) => {
    expect(again(text)).toBe(text);
  });

  it('has numbers where a number says it all, for whoever computes or compares', () => {
    expect(parseJson(Buffer.from('{"rate":0.1,"below":-2.5,"amount":1050}'))).toEqual({
      rate: 0.1,
      below: -2.5,
      amount: 1050,
    });
  });

  it('is refused when it nests deeper than a hundred, but brackets in a string are text', () => {
    expect(() => parseJson(Buffer.from('['.repeat(101) + ']'.repeat(101)))).toThrow('nested too deeply');
    expect(again(`["${'['.repeat(500)}"]`)).toBe(`["${'['.repeat(500)}"]`);
    expect(again('['.repeat(100) + ']'.repeat(100))).toBe('['.repeat(100) + ']'.repeat(100));
  });

  it.each([['{"a":"'], ['{"a":"\\'], ['"'], ['']])('%j is not JSON', (text) => {
    expect(() => parseJson(Buffer.from(text))).toThrow(SyntaxError);
  });
});
