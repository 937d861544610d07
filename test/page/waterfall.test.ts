/** Where a page puts attempts on their common time line. */
import { expect, it } from 'vitest';
import type { ShownAttempt } from '../../src/page/attempt.ts';
import { Waterfall } from '../../src/page/waterfall.tsx';

const attempt = (startedAt: number, endedAt: number | null): ShownAttempt => ({
  key: `1.${startedAt}`,
  label: 'attempt',
  startedAt,
  endedAt,
  durationMs: null,
  tone: 'good',
  outcome: '200',
  reason: '',
  request: null,
  signedText: null,
  response: null,
  remarks: [],
});

/** `<left> <width>` of each bar, on a line that is 100 wide. */
function bars(attempts: readonly ShownAttempt[], next: number | null, now: number): string[] {
  const page = String(Waterfall({ attempts, next, now }));
  return [...page.matchAll(/class="mark" x="([^"]+)" y="1" width="([^"]+)"/g)].map(
    ([, x, width]) => `${x} ${width}`,
  );
}

it.each<[string, readonly ShownAttempt[], number | null, number, readonly string[]]>([
  ['one takes the whole line', [attempt(5_000, 6_000)], null, 6_000, ['0.00 97.00']],
  [
    'others start and end where their time is, and the next one comes last',
    [attempt(5_000, 7_000), attempt(10_000, 12_500)],
    15_000,
    12_500,
    ['0.00 19.40', '48.50 24.25', '97.00 1.50'],
  ],
  [
    'a very short one can still be seen',
    [attempt(0, 10), attempt(500, 1_000)],
    null,
    1_000,
    ['0.00 1.50', '48.50 48.50'],
  ],
  ['one under way has no length yet', [attempt(0, null)], null, 4_000, ['0.00 1.50']],
  ['one that has just begun and ended is not divided by nothing', [attempt(9, 9)], null, 9, ['0.00 1.50']],
  ['a next one alone', [], 8_000, 6_000, ['97.00 1.50']],
])('%s', (_, attempts, next, now, expected) => {
  expect(bars(attempts, next, now)).toEqual(expected);
});

it('says of whose attempts there are none', () => {
  const page = String(Waterfall({ of: 'delivery 12', attempts: [], next: null, now: 0 }));
  expect(page).toContain('aria-label="Attempts of delivery 12"');
  expect(page).toContain('No attempt was made.');
});
