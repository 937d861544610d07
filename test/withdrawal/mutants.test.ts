/**
 * The proof can fail: ways of breaking the protocol are noticed. Here those that the simulation notices in a
 * second; `npm run mutants` shows all of them.
 */
import { expect, it } from 'vitest';
import { mutants, tryMutant } from '../../scripts/mutants.ts';

it.each(mutants.filter(({ proof = 'simulation' }) => proof === 'simulation'))(
  'notices: $name',
  { timeout: 120_000 },
  async (mutant) => {
    const verdict = await tryMutant(mutant);
    expect(verdict.caught, verdict.how).toBe(true);
  },
);
