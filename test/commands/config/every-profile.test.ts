import { beforeEach, describe, expect, it } from 'vitest';
import { emptyHome, run } from '../../support/run.ts';

const changes = [
  [['config', 'set', 'timeout', '10s'], 'Settings hold'],
  [['config', 'unset', 'timeout'], 'Settings hold'],
  [['policy', 'set', '--max-day', '10,00'], 'The policy holds'],
  [['destination', 'add', 'rent', '--key', 'owner@example.com'], 'Destinations are saved'],
  [['destination', 'remove', 'rent', '--yes'], 'Destinations are saved'],
] as const;
const reads = [
  ['config', 'get', 'timeout'],
  ['config', 'list'],
  ['policy', 'show'],
  ['destination', 'list'],
];

const login = (home: string, profile: string) =>
  run(['login', '--profile', profile, '--base-url', 'https://api.example.com', '--no-check', '--key-stdin'], {
    home,
    input: `svc_${profile}_0123456789`,
  });

describe('--profile beside what holds for every profile', () => {
  let home: string;
  beforeEach(async () => {
    home = emptyHome();
    await login(home, 'shop');
    await login(home, 'depot');
  });

  it('is refused with 78 where no profile has the name, and nothing is changed', async () => {
    for (const [args] of changes) {
      const { code, stdout, stderr } = await run([...args, '-p', 'shpo'], { home });
      expect({ args, code, stdout }).toEqual({ args, code: 78, stdout: '' });
      expect(stderr).toContain('There is no profile "shpo"; did you mean "shop"? Nothing was changed.');
    }
    for (const args of reads) {
      const { code, stdout, stderr } = await run([...args, '-p', 'shpo'], { home });
      expect({ args, code, stdout }).toEqual({ args, code: 78, stdout: '' });
      expect(stderr).toContain('There is no profile "shpo"; did you mean "shop"?');
    }
    expect((await run(['config', 'list', '-o', 'json'], { home })).stdout).toBe('[]\n');
  });

  it.each([
    ['profile list'],
    ['profile use shop'],
    ['webhook inbox'],
    ['webhook replay --last 1'],
    ['brcode verify x'],
  ])('nor is it passed over where no profile is used: %s', async (line) => {
    const { code, stdout, stderr } = await run([...line.split(' '), '-p', 'shpo'], { home });
    expect({ code, stdout }).toEqual({ code: 78, stdout: '' });
    expect(stderr).toContain('There is no profile "shpo"; did you mean "shop"?');
    expect((await run([...line.split(' '), '-p', 'shop'], { home })).code).not.toBe(78);
  });

  it('changes for all of them and says so, unless there is only one', async () => {
    const alone = emptyHome();
    await login(alone, 'shop');
    for (const [args, subject] of changes) {
      const both = await run([...args, '-p', 'shop'], { home });
      expect([args, both.code]).toEqual([args, 0]);
      expect(both.stderr).toContain(`${subject} for every profile, not only for shop.`);
      const one = await run([...args, '-p', 'shop'], { home: alone });
      expect([args, one.code]).toEqual([args, 0]);
      expect(one.stderr).not.toContain('every profile');
    }
  });
});
