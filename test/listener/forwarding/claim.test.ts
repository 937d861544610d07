/** What the store is asked for, by what waits already and what is down. */
import { describe, expect, it } from 'vitest';
import { createClaim } from '../../../src/listener/forwarding/claim.ts';
import { createLanes, type Lane } from '../../../src/listener/forwarding/lanes.ts';
import { parseTargets } from '../../../src/listener/posting/targets.ts';
import type { ClaimFilter, OwedEvent } from '../../../src/listener/store.ts';

const [all, refunds, own] = ['http://localhost:1/', 'http://localhost:2/', 'http://localhost:9/'] as const;

const owed = (event: string, target: string | null = null): OwedEvent => ({
  ...{ key: 'in_1', source: 's', eventId: 'evt_1', event, target, headers: [], body: new Uint8Array() },
  ...{ receivedAt: 0, attempts: 0, failures: 0 },
});
const [paid, refund, replayed] = [owed('CHARGE_PAID'), owed('REFUND'), owed('CHARGE_PAID', own)];

type Asked = readonly [limit: number, choice: ClaimFilter];

/** Refunds have a place of their own. `answers`: what is due, claim by claim; then nothing. */
function setUp(
  { waiting = [], down = [] }: { waiting?: [OwedEvent, number][]; down?: string[] },
  answers: (OwedEvent[] | Error)[] = [],
) {
  const targets = parseTargets({ forwardTo: ['1'], routes: ['REFUND=2'], events: null, allowRemote: false });
  const lanes = createLanes(targets, (url) => down.includes(url));
  const of = ({ event, target }: OwedEvent): Lane => lanes.of(event, target);
  for (const [event, count] of waiting) of(event).ready.push(...times(count, event));
  const asked: Asked[] = [];
  const claim = createClaim({
    ...{ lanes, targets, sources: () => ['s'], accepts: () => true },
    store: {
      async claimDue(_source, limit, choice) {
        asked.push([limit, choice]);
        const answer = answers.shift() ?? [];
        if (answer instanceof Error) throw answer;
        return answer;
      },
    },
    enqueue: (event) => of(event).ready.push(event),
  });
  return { lanes, of, asked, claim };
}

const times = (count: number, event: OwedEvent): OwedEvent[] => Array.from({ length: count }, () => event);

const everything = { names: { except: [] }, excludedTargets: [] };
const refundsOnly = { names: { only: ['REFUND'] }, excludedTargets: [all] };
const noRefunds = { names: { except: ['REFUND'] }, excludedTargets: [refunds] };

describe('asked for is', () => {
  it.each<[string, Parameters<typeof setUp>[0], Asked[]]>([
    ['everything', {}, [[256, everything]]],
    ['as much as there is room for at the fullest', { waiting: [[paid, 200]] }, [[56, everything]]],
    ['nothing for the address that is full', { waiting: [[paid, 256]] }, [[256, refundsOnly]]],
    ['nothing for the address that is down', { down: [refunds] }, [[256, noRefunds]]],
    ['nothing', { down: [all], waiting: [[refund, 256]] }, []],
    ['less while replays wait', { waiting: [[replayed, 8]] }, [[248, everything]]],
    [
      'no replay to a place that is down',
      { waiting: [[replayed, 1]], down: [own] },
      [[256, { ...everything, excludedTargets: [own] }]],
    ],
  ])('%s: %o', async (_what, given, expected) => {
    const { lanes, asked, claim } = setUp(given);
    await claim(lanes.all());
    expect(asked).toEqual(expected);
  });
});

it('an address with the oldest events does not keep others waiting, and gets its next turn when it is nearly empty', async () => {
  const { lanes, of, asked, claim } = setUp({}, [times(256, paid), times(3, refund)]);
  await claim(lanes.all());
  expect(asked).toEqual([
    [256, everything],
    [256, refundsOnly],
  ]);
  const lane = of(paid);
  expect([lane, of(refund)].map(({ hasMore, ready }) => [hasMore, ready.length])).toEqual([
    [true, 256],
    [false, 3],
  ]);
  lane.ready.length = 64;
  expect(lanes.isRunningLow(lane)).toBe(false);
  lane.ready.length = 63;
  expect(lanes.isRunningLow(lane)).toBe(true);
  await claim([lane]);
  expect(asked.at(-1)).toEqual([193, noRefunds]);
  expect(lanes.isRunningLow(lane)).toBe(false);
});

it('an address that has room for one does not keep the others at one at a time', async () => {
  const { lanes, asked, claim } = setUp({ waiting: [[paid, 255]] }, [[refund]]);
  await claim(lanes.all());
  expect(asked).toEqual([
    [1, everything],
    [255, refundsOnly],
  ]);
});

it('a lane that asks while a claim is under way comes next, once', async () => {
  const { lanes, of, asked, claim } = setUp({});
  const first = claim([of(paid)]);
  await expect.poll(() => asked.length).toBe(1);
  const rest = Promise.all([claim(lanes.all()), claim([of(paid)]), claim([of(refund)])]);
  await Promise.all([first, rest]);
  expect(asked).toEqual([
    [256, noRefunds],
    [256, everything],
  ]);
});

it('a claim that failed keeps nobody from asking again', async () => {
  const { lanes, asked, claim } = setUp({}, [new Error('full')]);
  await expect(claim(lanes.all())).rejects.toThrow('full');
  await claim(lanes.all());
  expect(asked).toHaveLength(2);
});
