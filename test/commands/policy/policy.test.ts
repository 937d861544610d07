import { describe, expect, it } from 'vitest';
import { emptyHome, run } from '../../support/run.ts';

describe('policy set', () => {
  it('refuses quiet hours that end when they begin, and changes nothing', async () => {
    const home = emptyHome();
    await run(['policy', 'set', '--quiet-hours', '22:00-06:00'], { home });
    const { code, stderr } = await run(['policy', 'set', '--quiet-hours', '22:00-22:00'], { home });
    expect([code, stderr]).toEqual([
      64,
      expect.stringContaining(
        '--quiet-hours 22:00-22:00 ends when it begins: that could mean the whole day, or none of it. Nothing was changed.',
      ),
    ]);
    const shown = await run(['policy', 'show', '-o', 'json'], { home });
    expect(JSON.parse(shown.stdout).quietHours).toEqual({ from: '22:00', to: '06:00' });
  });
});
