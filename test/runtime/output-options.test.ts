import { describe, expect, it, vi } from 'vitest';
import type { Globals } from '../../src/flags/globals.ts';
import { outputOptions, readTimeZone } from '../../src/runtime/output-options.ts';
import type { Runtime } from '../../src/runtime.ts';
import { type MemoryIoOptions, memoryIo } from '../support/memory-io.ts';

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

describe('the zone of times for people', () => {
  const zoneOf = (set: unknown, { TZ, ...io }: MemoryIoOptions & { TZ?: string } = { terminal: true }) => {
    const config = async () => ({ get: () => set });
    return readTimeZone({ io: memoryIo(io), environment: { TZ }, config } as unknown as Runtime);
  };

  it('is the one that is set, where people read times, unless TZ names one', async () => {
    expect(await zoneOf('Asia/Tokyo')).toBe('Asia/Tokyo');
    expect(await zoneOf('Asia/Tokyo', { errorTerminal: true })).toBe('Asia/Tokyo');
    expect(await zoneOf('Asia/Tokyo', {})).toBeNull();
    expect(await zoneOf('Asia/Tokyo', { terminal: true, TZ: 'UTC' })).toBeNull();
  });

  it('is not looked up before a time is shown: that would take a fifth of the start-up time of Node', async () => {
    const Format = vi.spyOn(Intl, 'DateTimeFormat');
    expect(await zoneOf('Mars/Olympus')).toBe('Mars/Olympus');
    expect(Format).not.toHaveBeenCalled();
    Format.mockRestore();
  });

  it.each([3, undefined])("is this machine's where %j is set, which must not hide an answer", async (set) => {
    expect(await zoneOf(set)).toBeNull();
  });
});
