/** The log that a killed sandbox leaves beside its state, and a file that is put in the place of that state. */
import {
  copyFileSync,
  existsSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { walOf } from '../../../src/sandbox/store/wal-file.ts';
import { emptyHome } from '../../support/run.ts';
import { serve } from '../support/over-http.ts';

const charges = async (state: string): Promise<number> => {
  const sandbox = await serve({ state });
  const { length } = (await sandbox.get('/transparents/list?limit=100')).body.data;
  await sandbox.close();
  return length;
};

/** A state as a kill leaves it, with twenty charges in it and ten more in its log; a snapshot was taken in between. */
async function killed(): Promise<{ state: string; log: string; snapshot: Uint8Array }> {
  const folder = emptyHome();
  const running = join(folder, 'running.db');
  const first = await serve({ state: running });
  for (let count = 0; count < 20; count += 1) await first.charge();
  await first.close();
  const second = await serve({ state: running });
  const snapshot = second.snapshot();
  for (let count = 0; count < 10; count += 1) await second.charge();
  const state = join(folder, 'state.db');
  for (const end of ['', '-wal']) copyFileSync(running + end, state + end);
  await second.close();
  return { state, log: `${state}-wal`, snapshot };
}

describe('a state that a kill has left', () => {
  it('goes on with all that is in its log', async () => {
    const { state } = await killed();
    expect(await charges(state)).toBe(30);
    expect(readdirSync(dirname(state)).filter((name) => name.startsWith('state'))).toEqual(['state.db']);
  });

  it('whose place a snapshot has taken is not mixed with that log: both stay as they are', async () => {
    const { state, log, snapshot } = await killed();
    writeFileSync(state, snapshot);
    const before = [state, log].map((file) => readFileSync(file));
    await expect(serve({ state })).rejects.toMatchObject({
      code: 'STATE_UNUSABLE',
      exit: 78,
      message: `The file ${state} is a snapshot, and ${log} beside it is of another state, whose sandbox is running or was killed: they must not be mixed. Nothing was changed.`,
      hint: `Stop that sandbox, if it is running, and remove ${log}; or name another file.`,
    });
    expect([state, log].map((file) => readFileSync(file))).toEqual(before);
    rmSync(log);
    expect(await charges(state)).toBe(20);
  });

  it('whose place another state has taken is not mixed with that log either', async () => {
    const { state, log } = await killed();
    const other = join(emptyHome(), 'other.db');
    const sandbox = await serve({ state: other });
    sandbox.seed({ charges: 60, customers: 0 });
    await sandbox.close();
    copyFileSync(other, state);
    const before = [state, log].map((file) => readFileSync(file));
    await expect(serve({ state })).rejects.toMatchObject({
      code: 'STATE_UNUSABLE',
      exit: 78,
      message: `The state ${state} and ${log} beside it, left by a sandbox that was killed, do not match: one of them was replaced since, or is damaged. Nothing was changed.`,
      hint: `If the state was replaced, remove ${log} to start from it; if not, name another file, or a snapshot of it.`,
    });
    expect([state, log].map((file) => readFileSync(file))).toEqual(before);
    rmSync(log);
    expect(await charges(state)).toBe(60);
  });

  it.skipIf(process.platform === 'win32')('is recognised through a link too', async () => {
    const { state, snapshot } = await killed();
    writeFileSync(state, snapshot);
    const link = join(emptyHome(), 'link.db');
    symlinkSync(state, link);
    await expect(serve({ state: link })).rejects.toMatchObject({ code: 'STATE_UNUSABLE' });
    expect(walOf(link)).toBe(walOf(state));
  });

  it('that somebody has removed leaves nothing of itself to the next one', async () => {
    const { state, log } = await killed();
    rmSync(state);
    expect(await charges(state)).toBe(0);
    expect(existsSync(log)).toBe(false);
  });
});

it('a state that runs in this process is still held when another start was refused', async () => {
  const state = join(emptyHome(), 'state.db');
  const first = await serve({ state });
  await first.charge();
  for (let count = 0; count < 2; count += 1)
    await expect(serve({ state })).rejects.toMatchObject({ code: 'STATE_IN_USE' });
});
