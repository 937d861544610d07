/** What becomes of one claimed event: sent, held, given up, or left for the next run. */
import { expect, it } from 'vitest';
import { createEventProcessor } from '../../../src/listener/forwarding/event-processor.ts';
import { createLanes } from '../../../src/listener/forwarding/lanes.ts';
import type { PostResult } from '../../../src/listener/posting/post.ts';
import { parseTargets } from '../../../src/listener/posting/targets.ts';
import type { ForwardOutcome, OwedEvent } from '../../../src/listener/store.ts';

const taken: PostResult = { status: 200, ms: 1, body: new Uint8Array() };
const refused: PostResult = { error: 'refused the connection', ms: 1, reached: false };
const silent: PostResult = { error: 'did not answer', ms: 1, reached: true };

/** Everything that carrying it did, in order, at the time 5,000. */
async function carried(
  result: PostResult,
  {
    target = null,
    down = false,
    stops = false,
    lost = false,
  }: { target?: string | null; down?: boolean; stops?: boolean; lost?: boolean } = {},
): Promise<unknown[]> {
  const did: unknown[] = [];
  const stopping = new AbortController();
  const targets = parseTargets({ forwardTo: ['1'], routes: [], events: null, allowRemote: false });
  const lane = createLanes(targets, () => down).of('CHARGE_PAID', target);
  const owed: OwedEvent = {
    ...{ key: 'in_1', source: 's', eventId: 'evt_1', event: 'CHARGE_PAID', target, headers: [] },
    ...{ body: new Uint8Array(), receivedAt: 0, attempts: 3, failures: 2 },
  };
  const carry = createEventProcessor(
    {
      store: {
        postpone: async (_key, until) => void did.push(['postponed', until]),
        stillHolds: async () => !lost,
      },
      clock: { now: () => 5_000, monotonic: () => 0, sleep: async () => {} },
      application: { isDown: () => down, check: async () => !down, markDown: () => did.push('marked down') },
      targets,
      policy: { attempts: 3, baseMs: 100, maxMs: 100 },
      onHeld: () => did.push('held'),
      onTakenOver: () => did.push('taken over'),
    },
    {
      attempts: {
        async make(_owed, url) {
          if (stops) stopping.abort();
          did.push('sent');
          return { url, startedAt: 5_000, prepared: { headers: [], signature: 'fresh' }, result };
        },
        async record(_owed, { number, state, failures }: ForwardOutcome, { cutOff } = {}) {
          await new Promise((resolve) => setImmediate(resolve));
          did.push([number, state, failures, ...(cutOff ? ['cut off'] : [])]);
        },
      },
      runInSlot: (_lane, work) => work(),
      writeWithRetry: (_lane, write) => write(),
      stopping: stopping.signal,
    },
  );
  await carry(lane, owed);
  return did;
}

it.each<[string, PostResult, Parameters<typeof carried>[1], unknown[]]>([
  ['taken', taken, {}, ['sent', [4, 'DELIVERED', 2]]],
  [
    'taken as the listener stops: it is not sent again',
    taken,
    { stops: true },
    ['sent', [4, 'DELIVERED', 2]],
  ],
  ['refused for the last time', { ...taken, status: 500 }, {}, ['sent', [4, 'GIVEN_UP', 3]]],
  ['not reached', refused, {}, ['sent', 'marked down', [4, 'WAITING', 2]]],
  ['not answered', silent, {}, ['sent', [4, 'GIVEN_UP', 3]]],
  [
    'cut off as the listener stops: it may have been taken, and counts as no failure',
    silent,
    { stops: true },
    ['sent', [4, 'WAITING', 2, 'cut off']],
  ],
  ['cut off before it was sent', refused, { stops: true }, ['sent', ['postponed', 5_000]]],
  ['not sent while the application is down', taken, { down: true }, ['held', ['postponed', 6_000]]],
  ['not sent once another listener has taken it over', taken, { lost: true }, ['taken over']],
  ['not sent to another machine', taken, { target: 'https://a.invalid/' }, [[4, 'GIVEN_UP', 2]]],
])('an event that is %s', async (_what, result, circumstances, expected) => {
  expect(await carried(result, circumstances)).toEqual(expected);
});
