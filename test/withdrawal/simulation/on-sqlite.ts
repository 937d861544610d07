/** The simulation on a real SQLite file. */
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { systemClock } from '../../../src/clock.ts';
import { openLedger } from '../../../src/ledger/open.ts';
import { runStretch, type Stretch, type StretchEnd, sum } from './stretch.ts';

type OnTrace = ((line: string) => void) | null;

/**
 * Runs the stretch on files in `home`. Runs of one scope share a file, since each has a scope of its own. Runs of
 * several scopes look into every scope of their ledger, so each has a file of its own.
 */
export async function runOnSqlite(
  stretch: Stretch,
  home: string,
  onTrace: OnTrace = null,
): Promise<StretchEnd> {
  if (!stretch.severalScopes) return runOnFile(stretch, home, onTrace);
  const ends: StretchEnd[] = [];
  for (let seed = stretch.from; seed < stretch.from + stretch.runs; seed++) {
    const end = await runOnFile({ ...stretch, from: seed, runs: 1 }, home, onTrace);
    ends.push(end);
    if (end.violation !== null) break;
  }
  return { counts: sum(ends.map(({ counts }) => counts)), violation: ends.at(-1)?.violation ?? null };
}

async function runOnFile(stretch: Stretch, home: string, onTrace: OnTrace): Promise<StretchEnd> {
  const folder = join(home, String(stretch.from));
  const ledger = await openLedger({
    url: join(folder, 'ledger.sqlite'),
    expectedId: null,
    clock: systemClock,
  });
  try {
    return await runStretch(stretch, ledger, onTrace);
  } finally {
    await ledger.close();
    rmSync(folder, { recursive: true });
  }
}
