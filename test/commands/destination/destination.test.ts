import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { emptyHome, run } from '../../support/run.ts';

const names = async (home: string) =>
  (await run(['destination', 'list', '-o', 'csv', '--fields', 'name'], { home })).stdout
    .split('\n')
    .slice(1, -1);

it('a destination whose name was written by hand with a dot is removed, and nothing else is damaged', async () => {
  const home = emptyHome();
  await run(['destination', 'add', 'rent', '--key', 'owner@example.com'], { home });
  const path = join(home, '.config/pixctl/config.json');
  writeFileSync(path, readFileSync(path, 'utf8').replace('"rent"', '"casa.praia"'));
  await run(['destination', 'add', 'rent', '--key', 'owner@example.com'], { home });
  expect(await names(home)).toEqual(['casa.praia', 'rent']);
  const { code } = await run(['destination', 'remove', 'casa.praia', '--yes'], { home });
  expect([code, await names(home)]).toEqual([0, ['rent']]);
});

it('a name that may be taken for a key is refused, and nothing is saved', async () => {
  const home = emptyHome();
  const { code, stderr } = await run(['destination', 'add', 'Rent', '--key', 'owner@example.com'], { home });
  expect(code).toBe(64);
  expect(stderr).toContain('Nothing was changed.\n  Like this: pixctl destination add rent');
  expect(await names(home)).toEqual([]);
});

it('any name that add takes is saved', async () => {
  const home = emptyHome();
  for (const name of ['constructor', 'prototype']) {
    const { code, stderr } = await run(['destination', 'add', name, '--key', 'owner@example.com'], { home });
    expect([code, stderr]).toEqual([0, expect.stringContaining('Saved.')]);
  }
  expect(await names(home)).toEqual(['constructor', 'prototype']);
  expect((await run(['destination', 'remove', 'constructor', '--yes'], { home })).code).toBe(0);
  expect(await names(home)).toEqual(['prototype']);
});
