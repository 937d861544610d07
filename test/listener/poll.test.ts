/** Rounds of `listen --poll`, their pauses counted instead of waited for. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { systemClock } from '../../src/clock.ts';
import { type Mark, type PollOptions, poll, type Resource } from '../../src/listener/poll/poll.ts';
import { type Sandbox, startSandbox } from '../../src/sandbox/index.ts';
import { clientOf } from '../api/client-of.ts';

type Pages = PollOptions['pages'];

/** Polls for so many rounds; what was taken, the pauses, and the trouble. `marks` go on from an earlier run. */
async function rounds(
  count: number,
  pages: Pages,
  { since = null, marks = new Map() }: { since?: number | null; marks?: Map<string, Mark> } = {},
) {
  const stop = new AbortController();
  const taken: string[] = [];
  const pauses: number[] = [];
  const troubles: [string, number][] = [];
  const options: PollOptions = {
    clock: {
      ...systemClock,
      async sleep(ms) {
        if (pauses.push(ms) === count) stop.abort();
      },
    },
    everyMs: 5_000,
    scope: 'here shop',
    since,
    startedAt: Date.now(),
    pages,
    marks: {
      read: async () => new Map(marks),
      write: async (_, changed) => {
        for (const [id, mark] of changed) marks.set(id, mark);
      },
    },
    take: async ({ body }) => {
      const { event, data } = JSON.parse(new TextDecoder().decode(body));
      taken.push(`${event} ${data.id}`);
    },
    secret: 'whsec_test',
    signatureHeader: 'Service-Signature',
    onTrouble: (cause, againInMs) => troubles.push([cause.code, againInMs]),
  };
  await poll(options, stop.signal);
  return { taken, pauses, troubles };
}

const listing = (kind: keyof Pages, ...lists: Resource[][]): Pages => {
  const none = async function* () {};
  const one = async function* () {
    yield lists.length > 1 ? (lists.shift() ?? []) : (lists[0] ?? []);
  };
  return { charge: none, withdrawal: none, [kind]: one };
};

describe('a service that asks to be left alone', () => {
  let sandbox: Sandbox;
  beforeAll(async () => {
    sandbox = await startSandbox();
  });
  afterAll(() => sandbox.close());
  const charges = async function* () {
    const api = clientOf(sandbox.url, { apiKey: async () => sandbox.apiKey, retry: { attempts: 1 } });
    for await (const { items } of api.pages('listCharges', undefined, { limit: 100 })) yield items;
  };

  it.each([
    ['for longer than the usual pause', 60, 60_000],
    ['for less', 1, 5_000],
    ['for years', 99_999_999, 3_600_000],
  ])('%s', async (_, retryAfter, pause) => {
    sandbox.faults.add({
      target: 'api',
      times: 1,
      effect: { kind: 'rate-limit', retryAfter },
    });
    const { pauses, troubles } = await rounds(2, { ...listing('withdrawal'), charge: charges });
    expect(troubles).toEqual([['RATE_LIMITED', pause]]);
    expect(pauses).toEqual([pause, 5_000]);
  });
});

describe('withdrawals without a time of their own', () => {
  const [old, open, done] = [
    { id: 'wd_1', status: 'COMPLETED' },
    { id: 'wd_2', status: 'PENDING' },
    { id: 'wd_2', status: 'COMPLETED' },
  ];
  const later = { id: 'wd_3', status: 'FAILED' };

  it('are no news in the first round of all, and are from then on', async () => {
    const marks = new Map<string, Mark>();
    const first = await rounds(2, listing('withdrawal', [old, open], [old, done]), { marks });
    expect(first.taken).toEqual(['WITHDRAWAL_COMPLETED wd_2']);
    const second = await rounds(1, listing('withdrawal', [old, done, later]), { marks });
    expect(second.taken).toEqual(['WITHDRAWAL_FAILED wd_3']);
  });

  it('are told by a first run that is asked for what is past', async () => {
    const { taken } = await rounds(1, listing('withdrawal', [old, open]), { since: Date.now() - 60_000 });
    expect(taken).toEqual(['WITHDRAWAL_COMPLETED wd_1']);
  });
});
