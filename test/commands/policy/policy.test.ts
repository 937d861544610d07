import { describe, expect, it } from 'vitest';
import { policyCommand } from '../../../src/commands/policy/index.ts';
import { rules } from '../../../src/commands/policy/set.ts';
import { policyView } from '../../../src/commands/policy/view.ts';
import type { Runtime } from '../../../src/runtime.ts';
import { defaultPolicy } from '../../../src/withdrawal/policy/policy.ts';
import { emptyHome, run } from '../../support/run.ts';

describe('policy set', () => {
  it('sets a cap, keeps those that it does not name, and lets go of one with none', async () => {
    const home = emptyHome();
    const set = async (...flags: string[]) =>
      JSON.parse((await run(['policy', 'set', ...flags, '-o', 'json'], { home })).stdout);
    expect(await set('--max-withdrawal', '500,00', '--max-day', '100000')).toMatchObject({
      maxPerWithdrawal: 50_000,
      maxPerDay: 100_000,
      confirmAbove: 100_000,
    });
    expect(await set('--max-day', 'none', '--confirm-above', '20000')).toMatchObject({
      maxPerWithdrawal: 50_000,
      maxPerDay: null,
      confirmAbove: 20_000,
    });
    expect(await run(['policy', 'set', '--max-day', 'much'], { home })).toMatchObject({
      code: 64,
      stderr: expect.stringMatching(/--max-day: .* Nothing was changed\.\s+Write an amount, or none\./),
    });
  });

  it.each([
    ['--quiet-hours', 'late', '--quiet-hours takes a range like 22:00-06:00, or none, not "late".'],
    ['--saved-only', 'yes', '--saved-only takes true or false, not "yes".'],
  ])('refuses %s %s', async (flag, value, why) => {
    const { code, stderr } = await run(['policy', 'set', flag, value]);
    expect([code, stderr]).toEqual([64, `error: ${why} Nothing was changed.\n`]);
  });

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

it('every rule of a policy has a flag and is shown', () => {
  const set = policyCommand({} as Runtime).commands.find((verb) => verb.name() === 'set');
  const flags = set?.options.map((option) => option.attributeName());
  expect(Object.values(rules).map(({ flag }) => flag)).toEqual(flags);
  const shown = policyView.columns.map(({ key }) => key);
  expect(Object.keys(defaultPolicy).filter((rule) => !shown.includes(rule))).toEqual([]);
});
