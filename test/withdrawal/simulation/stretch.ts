/** Runs of one seed after the other, up to the first violation. */
import type { Ledger } from '../../../src/ledger/ledger.ts';
import { memoryLedger } from '../../support/memory-ledger.ts';
import { runScenario } from './scenario.ts';
import { runScopesScenario } from './scopes-scenario.ts';

export interface Stretch {
  /** Of several scopes (`scopes-scenario.ts`), or of one. */
  readonly severalScopes?: boolean;
  readonly from: number;
  readonly runs: number;
}

export interface StretchEnd {
  /** How often what happened. */
  readonly counts: Readonly<Record<string, number>>;
  readonly violation: { readonly seed: number; readonly what: string } | null;
}

/** On `shared`, or on a ledger in memory for each run. `onTrace` gets each step of each run. */
export async function runStretch(
  { from, runs, severalScopes = false }: Stretch,
  shared: Ledger | null = null,
  onTrace: ((line: string) => void) | null = null,
): Promise<StretchEnd> {
  const all: StretchEnd['counts'][] = [];
  const run = severalScopes ? runScopesScenario : runScenario;
  for (let seed = from; seed < from + runs; seed++) {
    const ledger = shared ?? memoryLedger({ departs: seed % 3 > 0 });
    const { counts, trace, violation } = await run(seed, ledger, onTrace !== null);
    all.push(counts);
    if (onTrace !== null) trace.forEach(onTrace);
    if (violation !== null) return { counts: sum(all), violation: { seed, what: violation } };
  }
  return { counts: sum(all), violation: null };
}

export function sum(all: readonly StretchEnd['counts'][]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const each of all)
    for (const [what, many] of Object.entries(each)) counts[what] = (counts[what] ?? 0) + many;
  return counts;
}
