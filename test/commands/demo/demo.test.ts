import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { emptyHome, run } from '../../support/run.ts';

it('creates, shows and pays a charge, and leaves nothing behind', async () => {
  const home = emptyHome();
  const { code, stdout, stderr } = await run(['demo'], { home });
  expect(code).toBe(0);
  expect(stderr.split('\n')).toEqual([
    'Try next:',
    expect.stringMatching(/^ {2}pixctl sandbox start /),
    expect.stringMatching(/^ {2}pixctl charge create /),
    expect.stringMatching(/^ {2}pixctl webhook listen /),
    '',
  ]);
  expect(stdout).toMatch(/Created chg_\w+: R\$ 10,50, PENDING/);
  expect(stdout).toMatch(/PIX copy and paste:\n000201[ -~]+6304[0-9A-F]{4}\n/);
  expect(stdout).toMatch(/▀{4}/);
  expect(stdout).toMatch(/chg_\w+: PENDING -> PAID/);
  // Node's own compile cache is no state of ours.
  expect(readdirSync(home).filter((name) => name !== '.cache')).toEqual([]);
});

it('needs no home that can be written to', async () => {
  const { code } = await run(['demo'], { home: join(import.meta.filename, 'absent') });
  expect(code).toBe(0);
});

it('ends where settings are broken: its sandbox is closed, whatever came after its start', async () => {
  const home = emptyHome();
  const settings = join(home, '.config/pixctl');
  mkdirSync(settings, { recursive: true, mode: 0o700 });
  writeFileSync(join(settings, 'config.json'), '{"settings":{"timeout":"soon"}}', { mode: 0o600 });
  const { code, stderr } = await run(['demo'], { home });
  expect(code).toBe(78);
  expect(stderr).toContain('The setting timeout: "soon" is not a duration.');
});
