/** The proof by simulation, bounded; `npm run simulate -- --runs 100000` runs more of it. */
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { memoryLedger } from '../support/memory-ledger.ts';
import { runOnSqlite } from './simulation/on-sqlite.ts';
import { runScenario } from './simulation/scenario.ts';
import { runScopesScenario } from './simulation/scopes-scenario.ts';
import { runSideBySide } from './simulation/side-by-side.ts';
import { runStretch } from './simulation/stretch.ts';

const newHome = () => mkdtempSync(join(tmpdir(), 'pixctl-simulation-'));

/** Another one each day, so that the tests of a year see more than those of an hour; printed when it fails. */
const seedOfToday = Math.floor(Date.now() / 86_400_000) * 100_000;

it('pays every order once and loses track of none, in 3000 runs of kills, suspensions and faults', async () => {
  const counts: Record<string, number> = {};
  for (let seed = seedOfToday; seed < seedOfToday + 3_000; seed++) {
    const result = await runScenario(seed, memoryLedger({ departs: seed % 3 > 0 }));
    expect(result.violation, `npm run simulate -- --runs 1 --trace --seed ${seed}`).toBeNull();
    for (const [what, many] of Object.entries(result.counts)) counts[what] = (counts[what] ?? 0) + many;
  }
  // A proof that never met the faults would prove nothing.
  for (const what of [
    'ended UNKNOWN',
    'ended SENDING',
    'ended NOT_SENT',
    'exit blocked',
    'exit duplicate',
    'exit storage',
  ])
    expect(counts[what], what).toBeGreaterThan(10);
});

it('does so on a real SQLite file too', async () => {
  const { violation } = await runOnSqlite({ from: 1, runs: 60 }, newHome());
  expect(violation, 'npm run simulate -- --runs 1 --trace --ledger sqlite --seed <seed>').toBeNull();
});

it('does so under two labels and at two addresses of one service, in 500 runs', async () => {
  const counts: Record<string, number> = {};
  for (let seed = seedOfToday; seed < seedOfToday + 500; seed++) {
    const result = await runScopesScenario(seed, memoryLedger({ departs: seed % 3 > 0 }));
    expect(result.violation, `npm run simulate -- --scopes --runs 1 --trace --seed ${seed}`).toBeNull();
    for (const [what, many] of Object.entries(result.counts)) counts[what] = (counts[what] ?? 0) + many;
  }
  for (const what of ['adopted or named', 'ended UNKNOWN', 'ended SENDING', 'exit config', 'exit duplicate'])
    expect(counts[what], what).toBeGreaterThan(10);
});

it('does so there on real SQLite files too', async () => {
  const stretch = { from: 1, runs: 25, severalScopes: true };
  const { counts, violation } = await runOnSqlite(stretch, newHome());
  expect(violation, 'npm run simulate -- --scopes --runs 1 --trace --ledger sqlite --seed <seed>').toBeNull();
  for (const what of ['adopted or named', 'exit duplicate']) expect(counts[what], what).toBeGreaterThan(2);
});

it('is a function of its seed', async () => {
  const [one, other] = [
    await runScenario(7, memoryLedger(), true),
    await runScenario(7, memoryLedger(), true),
  ];
  expect(one.trace.length).toBeGreaterThan(10);
  expect(other).toEqual(one);
});

it('gives the same result on one processor and on all', async () => {
  const stretch = { from: 1, runs: 600 };
  expect(await runSideBySide(stretch)).toEqual(await runStretch(stretch));
});
