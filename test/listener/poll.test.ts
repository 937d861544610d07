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

describe('a list whose order the document does not show', () => {
  const now = Date.now();
  const at = (id: string, hoursAgo: number, status = 'PENDING'): Resource => ({
    id,
    status,
    createdAt: new Date(now - hoursAgo * 3_600_000).toISOString(),
  });
  const paged = (...pages: Resource[][]) => {
    let read = 0;
    const charge = async function* () {
      for (const page of pages) {
        read += 1;
        yield page;
      }
    };
    return { pages: { ...listing('withdrawal'), charge }, read: () => read };
  };

  it.each([
    ['mixed within a page', [at('chg_1', 50, 'PAID'), at('chg_2', 90, 'PAID'), at('chg_3', 60, 'PAID')]],
    ['with a time that is none', [at('chg_1', 50), { ...at('chg_2', 60), createdAt: '-' }, at('chg_3', 70)]],
  ])('is read to its end when it is %s', async (_, page) => {
    const list = paged(page, [at('chg_4', -1, 'PAID')]);
    expect((await rounds(1, list.pages)).taken).toContain('CHARGE_PAID chg_4');
  });

  it('is left where all that came goes from new to old, and a page is too old', async () => {
    const list = paged(
      [at('chg_1', -1, 'PAID'), at('chg_2', 40)],
      [at('chg_3', 50), at('chg_4', 49.99), at('chg_5', 60)],
      [],
    );
    expect((await rounds(1, list.pages)).taken).toEqual(['CHARGE_PAID chg_1']);
    expect(list.read()).toBe(2);
  });
});
