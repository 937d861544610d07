/** What the store cannot take now: how long it is tried, and what that keeps waiting. */
import { expect, it } from 'vitest';
import { systemClock } from '../../../src/clock.ts';
import { createLanes } from '../../../src/listener/forwarding/lanes.ts';
import { createWriteWithRetry } from '../../../src/listener/forwarding/write-with-retry.ts';
import { parseTargets } from '../../../src/listener/posting/targets.ts';

const targets = parseTargets({ forwardTo: ['1'], routes: [], events: null, allowRemote: false });
const lane = createLanes(targets, () => false).of('CHARGE_PAID', null);

it.each<[string, { fails: number; stopsAt: number }, string[]]>([
  ['is written at once', { fails: 0, stopsAt: 0 }, ['write', 'kept']],
  [
    'is written again until it is kept, and nothing is sent in its place meanwhile',
    { fails: 2, stopsAt: 0 },
    ['write', 'trouble', 'in place', 'write', 'trouble', 'write', 'kept'],
  ],
  ['is not written again once all stops', { fails: 9, stopsAt: 1 }, ['write', 'full']],
  [
    'is not written for ever when all stops',
    { fails: 9, stopsAt: 2 },
    ['write', 'trouble', 'in place', 'write', 'full'],
  ],
])('%s', async (_, { fails, stopsAt }, expected) => {
  const did: string[] = [];
  const stopping = new AbortController();
  const writeWithRetry = createWriteWithRetry({
    clock: { ...systemClock, sleep: () => Promise.resolve() },
    stopping: stopping.signal,
    runInSlot(_lane, work) {
      did.push('in place');
      return work();
    },
    onTrouble: () => did.push('trouble'),
  });
  let writes = 0;
  const write = async () => {
    did.push('write');
    writes += 1;
    if (writes === stopsAt) stopping.abort();
    if (writes <= fails) throw new Error('full');
  };
  const end = await writeWithRetry(lane, write).then(
    () => 'kept',
    (cause: Error) => cause.message,
  );
  expect([...did, end]).toEqual(expected);
});
