/** What `doctor` says of events that have waited long for one of several applications. */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { systemClock } from '../../../src/clock.ts';
import { openInbox } from '../../../src/inbox/open.ts';
import { emptyHome, run } from '../../support/run.ts';

const hour = 3_600_000;

const found = async (home: string): Promise<[state: string, found: string, remedy: string | null][]> => {
  const { stdout } = await run(['doctor', '--offline', '-o', 'json'], { home });
  const all = JSON.parse(stdout) as Record<'check' | 'state' | 'found' | 'remedy', string>[];
  return all
    .filter(({ check }) => check === 'inbox')
    .map(({ state, found, remedy }) => [state, found, remedy]);
};

it('names the application, and how to let go of it; but nothing of what any listener will forward', async () => {
  const home = emptyHome();
  const state = join(home, '.local/state/pixctl');
  mkdirSync(state, { recursive: true, mode: 0o700 });
  const path = join(state, 'inbox.sqlite');
  const receive = async (hoursAgo: number, eventId: string, targets: readonly string[]) => {
    const clock = { ...systemClock, now: () => systemClock.now() - hoursAgo * hour };
    const inbox = await openInbox({ url: path, clock });
    const [target, ...others] = targets;
    await inbox.add({
      ...{ source: 'signer-1', eventId, event: 'CHARGE_PAID', headers: [], origin: 'delivery' },
      ...{ body: new TextEncoder().encode('{}'), forward: 'leave' },
      ...(target === undefined ? {} : { target }),
      further: others.map((url) => ({ target: url, forward: 'leave' })),
    });
    await inbox.close();
  };
  await receive(23, 'evt_1', ['http://localhost:3000/', 'http://localhost:4000/hooks']);
  await receive(48, 'evt_2', []);
  expect(await found(home)).toEqual([['ok', path, null]]);
  await receive(25, 'evt_3', ['http://localhost:5000/', 'http://localhost:4000/hooks']);
  const [first, ...others] = await found(home);
  expect(first).toEqual(['ok', path, null]);
  expect(others).toEqual([
    [
      'warning',
      expect.stringMatching(/^http:\/\/localhost:4000\/hooks has not accepted 2 events, the oldest since 20/),
      'Start that application, and pixctl webhook listen. If it is gone: pixctl webhook inbox prune --target 4000/hooks',
    ],
    [
      'warning',
      expect.stringMatching(/^http:\/\/localhost:5000\/ has not accepted 1 event, /),
      expect.any(String),
    ],
  ]);
});
