import { describe, expect, it, vi } from 'vitest';
import { timeReferenceOf } from '../../src/runtime/time-reference.ts';
import type { Runtime } from '../../src/runtime.ts';

function setUp(set: unknown, { TZ, csvLocale }: { TZ?: string; csvLocale?: 'pt-BR' } = {}) {
  const config = vi.fn(async () => ({ get: () => set }));
  const parts = { clock: { now: () => 7 }, globals: { csvLocale }, environment: { TZ }, config };
  return { runtime: parts as unknown as Runtime, config };
}

describe('the zone of a moment', () => {
  it.each(['24h', '2026-11-23T00:00:00-03:00', '2026-11-23T00:00Z', undefined])(
    'is not asked for by %s, nor the settings for it',
    async (since) => {
      const { runtime, config } = setUp('Mars/Base');
      expect(await timeReferenceOf(runtime, { since })).toEqual({ now: 7, zone: null });
      expect(config).not.toHaveBeenCalled();
    },
  );

  it.each(['2026-11-23', '2026-11-23T10:30', '2026-11-23 10:30', '2026-11', 'today', 'yesterday'])(
    '%s has the one that is set',
    async (until) => {
      expect((await timeReferenceOf(setUp('Asia/Tokyo').runtime, { until })).zone).toBe('Asia/Tokyo');
      expect((await timeReferenceOf(setUp(undefined).runtime, { until })).zone).toBeNull();
    },
  );

  it('is that of TZ, which is this machine, and before it that of csv for Brazil', async () => {
    const since = '2026-11-23';
    expect((await timeReferenceOf(setUp('Asia/Tokyo', { TZ: 'UTC' }).runtime, { since })).zone).toBeNull();
    const forBrazil = setUp('Asia/Tokyo', { TZ: 'UTC', csvLocale: 'pt-BR' });
    expect((await timeReferenceOf(forBrazil.runtime, { since })).zone).toBe('America/Sao_Paulo');
  });

  it('that does not exist stops the command, rather than move its days', async () => {
    await expect(timeReferenceOf(setUp('Mars/Base').runtime, { since: '2026-11-23' })).rejects.toMatchObject({
      kind: 'config',
      message:
        'The setting timeZone is "Mars/Base", which is not a time zone: days cannot be read. Nothing was sent.',
    });
  });
});
