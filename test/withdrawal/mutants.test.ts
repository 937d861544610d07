/**
 * The proof can fail: ways of breaking the protocol are noticed. Here those that the simulation notices in a
 * second; `npm run mutants` shows all of them.
 */
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Copy, mutants, openCopy, tryMutant } from '../../scripts/mutants.ts';

it.each(mutants)('knows where to break: $name', ({ file, find }) => {
  expect(readFileSync(new URL(`../../${file}`, import.meta.url), 'utf8').split(find)).toHaveLength(2);
});

let copy: Copy;
beforeAll(async () => {
  copy = await openCopy();
});
afterAll(() => copy[Symbol.asyncDispose]());

it.each(mutants.filter(({ proof = 'simulation' }) => proof === 'simulation'))(
  'notices: $name',
  { timeout: 120_000 },
  async (mutant) => {
    const verdict = await tryMutant(mutant, copy);
    expect(verdict.caught, verdict.how).toBe(true);
  },
);
