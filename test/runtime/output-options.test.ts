import { describe, expect, it } from 'vitest';
import type { Globals } from '../../src/flags/globals.ts';
import { outputOptions } from '../../src/runtime/output-options.ts';

describe('how a result is shown', () => {
  it.each<[Globals, object]>([
    [{}, { format: 'table', fields: null, quiet: false, csvLocale: 'machine' }],
    [{ json: true }, { format: 'json' }],
    [{ output: 'ndjson' }, { format: 'ndjson' }],
    [{ json: true, output: 'json' }, { format: 'json' }],
    [{ jq: '.id' }, { format: 'json' }],
    [{ jq: '.id', output: 'ndjson' }, { format: 'ndjson' }],
    [{ jq: '.id', json: true }, { format: 'json' }],
    [
      { output: 'csv', csvLocale: 'pt-BR' },
      { format: 'csv', csvLocale: 'pt-BR' },
    ],
    [{ fields: 'id, amount' }, { fields: ['id', 'amount'] }],
    [{ quiet: true }, { quiet: true }],
  ])('with %j', (globals, options) => {
    expect(outputOptions(globals)).toMatchObject(options);
  });

  it.each<[Globals]>([
    [{ json: true, output: 'csv' }],
    [{ json: true, output: 'ndjson' }],
    [{ jq: '.id', output: 'table' }],
    [{ jq: '.id', output: 'csv' }],
    [{ csvLocale: 'pt-BR' }],
    [{ csvLocale: 'pt-BR', output: 'json' }],
  ])('is refused with %j, which contradicts itself', (globals) => {
    expect(() => outputOptions(globals)).toThrow(
      expect.objectContaining({ exit: 64, message: expect.stringMatching(/ Nothing was sent\.$/) }),
    );
  });
});
