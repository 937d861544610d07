/**
 * The proof can fail: ways of breaking the protocol are noticed. Here those that the simulation notices in a
 * second; `npm run mutants` shows all of them.
 */
import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { mutants, tryMutant } from '../../scripts/mutants.ts';

it.each(mutants)('knows where to break: $name', ({ file, find }) => {
  expect(readFileSync(new URL(`../../${file}`, import.meta.url), 'utf8').split(find)).toHaveLength(2);
});

it.each(mutants.filter(({ proof = 'simulation' }) => proof === 'simulation'))(
  'notices: $name',
  { timeout: 120_000 },
  async (mutant) => {
    const verdict = await tryMutant(mutant);
    expect(verdict.caught, verdict.how).toBe(true);
  },
);
