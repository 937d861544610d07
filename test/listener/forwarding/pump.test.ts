/** How many events of one address are under way at once, and what is begun no more. */
import { expect, it } from 'vitest';
import { createLanes } from '../../../src/listener/forwarding/lanes.ts';
import { createPump, type PumpOptions } from '../../../src/listener/forwarding/pump.ts';
import { parseTargets } from '../../../src/listener/posting/targets.ts';
import type { OwedEvent } from '../../../src/listener/store.ts';

const targets = parseTargets({ forwardTo: ['1'], routes: [], events: null, allowRemote: false });
const owed = {} as OwedEvent;

function setUp({ concurrency = 4, ...more }: Partial<PumpOptions>) {
  const lanes = createLanes(targets, () => false);
  const lane = lanes.of('CHARGE_PAID', null);
  const nothing = async () => {};
  const options = {
    lanes,
    concurrency,
    processEvent: nothing,
    onRunningLow: nothing,
    onTrouble: () => {},
    ...more,
  };
  return { lane, pump: createPump(options) };
}

it.each([
  [4, 10],
  [12, 12],
])(
  'of those that were answered, with %d at once, no more than %d wait to be written',
  async (concurrency, most) => {
    let begun = 0;
    const { lane, pump } = setUp({
      concurrency,
      async processEvent() {
        begun += 1;
        await pump.runInSlot(lane, async () => {});
        await new Promise(() => {});
      },
    });
    lane.ready.push(...Array.from({ length: 30 }, () => owed));
    pump.pump(lane);
    await new Promise((resolve) => setImmediate(resolve));
    expect([begun, lane.busy]).toEqual([most, 0]);
  },
);

it('goes on to the last event even if none is sent because the application is down', async () => {
  let begun = 0;
  const { lane, pump } = setUp({
    async processEvent() {
      begun += 1;
    },
  });
  lane.ready.push(...Array.from({ length: 30 }, () => owed));
  pump.pump(lane);
  await expect.poll(() => lane.active.size).toBe(0);
  expect([begun, lane.ready.length]).toEqual([30, 0]);
});

it('starts nothing after its end, neither what waited nor what a late claim brings', async () => {
  let begun = 0;
  const first = Promise.withResolvers<void>();
  const { lane, pump } = setUp({
    concurrency: 1,
    processEvent() {
      begun += 1;
      return pump.runInSlot(lane, () => first.promise);
    },
  });
  lane.ready.push(owed, owed);
  pump.pump(lane);
  pump.close();
  lane.ready.push(owed);
  first.resolve();
  await pump.waitUntilIdle();
  expect([begun, pump.accepts(), lane.active.size]).toEqual([1, false, 0]);
});

it('reports failures of carrying and claiming, and goes on', async () => {
  const troubles: unknown[] = [];
  let begun = 0;
  const { lane, pump } = setUp({
    concurrency: 1,
    onTrouble: (cause) => troubles.push(cause),
    async processEvent() {
      begun += 1;
      if (begun === 1) throw 'carrying';
    },
    onRunningLow: () => Promise.reject('claiming'),
  });
  lane.hasMore = true;
  lane.ready.push(owed, owed);
  pump.pump(lane);
  await expect.poll(() => troubles).toEqual(['carrying', 'claiming', 'claiming']);
  expect([begun, lane.active.size]).toEqual([2, 0]);
});
