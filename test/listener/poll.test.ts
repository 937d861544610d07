/** Rounds of `listen --poll`, their pauses counted instead of waited for. */
import { setImmediate } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { systemClock } from '../../src/clock.ts';
import { PixctlError } from '../../src/errors.ts';
import type { PollMark } from '../../src/forward/forward.ts';
import { type PollOptions, poll, type Resource } from '../../src/listener/poll/poll.ts';
import { synthesizeEvent } from '../../src/listener/poll/synthesize.ts';
import { type Sandbox, startSandbox } from '../../src/sandbox/index.ts';
import { clientOf } from '../api/client-of.ts';

type Pages = PollOptions['pages'];

/**
 * Polls for so many rounds; what was taken and forgotten, the pauses, and the trouble. `marks` go on from an earlier
 * run; `pausedHours` pass in the pauses after the first rounds.
 */
async function rounds(
  count: number,
  pages: Pages,
  {
    since = null,
    marks = new Map(),
    full = [],
    untaken = [],
    startedAfterHours = 0,
    pausedHours = [],
  }: {
    since?: number | null;
    marks?: Map<string, PollMark>;
    full?: boolean[];
    untaken?: boolean[];
    startedAfterHours?: number;
    pausedHours?: number[];
  } = {},
) {
  const stop = new AbortController();
  const taken: string[] = [];
  const pauses: number[] = [];
  const troubles: [string, number][] = [];
  const forgot: (readonly string[])[] = [];
  let sleptMs = startedAfterHours * 3_600_000;
  const options: PollOptions = {
    clock: {
      ...systemClock,
      now: () => systemClock.now() + sleptMs,
      async sleep(ms) {
        sleptMs += (pausedHours.shift() ?? 0) * 3_600_000;
        if (pauses.push(ms) === count) stop.abort();
      },
    },
    everyMs: 5_000,
    scope: 'here shop',
    since,
    startedAt: Date.now() + sleptMs,
    pages,
    marks: {
      read: async () => new Map(marks),
      write: async (_, changed, forgotten) => {
        forgot.push(forgotten);
        if (full.shift()) throw noRoom();
        for (const id of forgotten) marks.delete(id);
        for (const [id, mark] of changed) marks.set(id, mark);
      },
    },
    storeEvent: async ({ body }) => {
      await setImmediate();
      if (untaken.shift()) throw noRoom();
      const { event, data } = JSON.parse(new TextDecoder().decode(body));
      taken.push(`${event} ${data.id}`);
    },
    secret: 'whsec_test',
    signatureHeader: 'Service-Signature',
    onTrouble: (cause, againInMs) => troubles.push([cause.code, againInMs]),
  };
  await poll(options, stop.signal);
  return { taken, pauses, troubles, forgot };
}

const noRoom = () => new PixctlError('storage', 'DISK_FULL', 'No room.');
const loadedAt = Date.now();
const hoursAgo = (hours: number) => new Date(loadedAt - hours * 3_600_000).toISOString();

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

describe('withdrawals without a creation time', () => {
  const [old, open, done] = [
    { id: 'wd_1', status: 'COMPLETED' },
    { id: 'wd_2', status: 'PENDING' },
    { id: 'wd_2', status: 'COMPLETED' },
  ];
  const later = { id: 'wd_3', status: 'FAILED' };

  it('are no news in the very first round, but are from then on', async () => {
    const marks = new Map<string, PollMark>();
    const first = await rounds(2, listing('withdrawal', [old, open], [old, done]), { marks });
    expect(first.taken).toEqual(['WITHDRAWAL_COMPLETED wd_2']);
    const second = await rounds(1, listing('withdrawal', [old, done, later]), { marks });
    expect(second.taken).toEqual(['WITHDRAWAL_FAILED wd_3']);
  });

  it('are reported by a first run that is asked for the past', async () => {
    const { taken } = await rounds(1, listing('withdrawal', [old, open]), { since: Date.now() - 60_000 });
    expect(taken).toEqual(['WITHDRAWAL_COMPLETED wd_1']);
  });
});

describe('a round that fails', () => {
  it('leaves its marks to the next round, so that the next run reports what changed', async () => {
    const marks = new Map<string, PollMark>();
    const of = (status: string) => listing('charge', [{ id: 'chg_1', status, createdAt: hoursAgo(1) }]);
    const first = await rounds(2, of('PENDING'), { marks, full: [true] });
    expect(first.troubles).toEqual([['DISK_FULL', 5_000]]);
    expect((await rounds(1, of('PAID'), { marks })).taken).toEqual(['CHARGE_PAID chg_1']);
  });

  it('makes its event again if that could not be stored', async () => {
    const paid = { id: 'chg_1', status: 'PAID', createdAt: hoursAgo(-1) };
    const { taken, troubles } = await rounds(3, listing('charge', [paid]), { untaken: [true] });
    expect(troubles).toEqual([['DISK_FULL', 5_000]]);
    expect(taken).toEqual(['CHARGE_PAID chg_1']);
  });

  it.each([
    ['of a key that is refused', new PixctlError('auth', 'UNAUTHORIZED', 'No.')],
    ['of a bug', new TypeError('a bug')],
  ])('because %s ends it', async (_, cause) => {
    const charge = () => ({ [Symbol.asyncIterator]: () => ({ next: () => Promise.reject(cause) }) });
    await expect(rounds(2, { ...listing('withdrawal'), charge })).rejects.toBe(cause);
  });
});

describe('what a round takes for news', () => {
  const marked = (status: string, hours: number): [string, PollMark] => [
    'chg_1',
    { status, createdAt: hoursAgo(hours) },
  ];
  const roundHoursAgo = (hours: number): [string, PollMark] => [
    '@round',
    { status: String(loadedAt - hours * 3_600_000), createdAt: null },
  ];
  const seconds = 1 / 3_600;
  it.each<[string, [string, PollMark][], [string, number], number | null, string[]]>([
    ['a change of the last day', [marked('PAID', 20)], ['REFUNDED', 20], null, ['REFUND_COMPLETED chg_1']],
    ['what came since the last run', [roundHoursAgo(5)], ['PAID', 4], null, ['CHARGE_PAID chg_1']],
    ['by a clock behind', [roundHoursAgo(5)], ['PAID', 5 + 8 * seconds], null, ['CHARGE_PAID chg_1']],
    ['none of before that', [roundHoursAgo(5)], ['PAID', 6], null, []],
    ['what is asked for, once', [marked('PAID', 40)], ['PAID', 40], 50, ['CHARGE_PAID chg_1']],
    ['none that is older than asked', [marked('PAID', 20)], ['PAID', 20], 5, []],
    [
      'another of the same id',
      [roundHoursAgo(5), marked('PAID', 9)],
      ['PAID', 2],
      null,
      ['CHARGE_PAID chg_1'],
    ],
  ])('%s', async (_, marks, [status, hours], since, taken) => {
    const list = listing('charge', [{ id: 'chg_1', status, createdAt: hoursAgo(hours) }]);
    const from = since === null ? null : loadedAt - since * 3_600_000;
    expect((await rounds(2, list, { marks: new Map(marks), since: from })).taken).toEqual(taken);
  });
});

describe('a list whose order the document does not show', () => {
  const at = (id: string, hours: number, status = 'PENDING'): Resource => ({
    id,
    status,
    createdAt: hoursAgo(hours),
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
    ['of one', [at('chg_1', 50)]],
    ['with a time that is none', [at('chg_1', 50), { ...at('chg_2', 60), createdAt: '-' }, at('chg_3', 70)]],
  ])('is read to its end when it is %s', async (_, page) => {
    const list = paged(page, [at('chg_4', -1, 'PAID')]);
    expect((await rounds(1, list.pages)).taken).toContain('CHARGE_PAID chg_4');
  });

  it('is not read further if everything came newest first and a page is too old', async () => {
    const list = paged(
      [at('chg_1', -1, 'PAID'), at('chg_2', 40)],
      [at('chg_3', 50), at('chg_4', 49.99), at('chg_5', 60)],
      [],
    );
    expect((await rounds(1, list.pages)).taken).toEqual(['CHARGE_PAID chg_1']);
    expect(list.read()).toBe(2);
  });

  it.each([
    ['as far back as a charge that may still be paid', 'PENDING', 72, 3, ['CHARGE_PAID chg_4']],
    ['as far back as what is under way', 'PROCESSING', 72, 3, ['CHARGE_PAID chg_4']],
    ['no further for one that nobody can pay any more', 'PENDING', 32 * 24, 1, []],
  ])('is read %s', async (_, status, hours, read, taken) => {
    const createdAt = String(at('chg_4', hours).createdAt);
    const marks = new Map<string, PollMark>([['chg_4', { status, createdAt }]]);
    const list = paged([at('chg_1', 40), at('chg_2', 50)], [at('chg_4', hours, 'PAID')], []);
    expect((await rounds(1, list.pages, { marks })).taken).toEqual(taken);
    expect(list.read()).toBe(read);
  });
});

describe('a run that lasts', () => {
  const at = (id: string, hours: number, status = 'PAID') => ({ id, status, createdAt: hoursAgo(hours) });

  it.each([
    ['goes on from now', null],
    ['was asked for the past', loadedAt - 90 * 3_600_000],
  ])('reads no further back, and remembers no more, than a short one, although it %s', async (_, since) => {
    const marks = new Map<string, PollMark>();
    const reads: number[] = [];
    const charge = async function* () {
      const round = reads.push(0) - 1;
      for (const page of [[at('chg_4', -59), at('chg_3', -58)], [at('chg_2', -1), at('chg_1', 80)], []]) {
        reads[round] = (reads[round] ?? 0) + 1;
        yield page;
      }
    };
    const pages = { ...listing('withdrawal'), charge };
    const { taken } = await rounds(3, pages, { marks, since, pausedHours: [30, 30] });
    expect(reads).toEqual([3, 3, 2]);
    expect([...marks.keys()]).toEqual(['chg_4', 'chg_3', '@round']);
    expect(taken.filter((event) => event.endsWith('chg_2'))).toEqual(['CHARGE_PAID chg_2']);
  });

  it.each([
    ['sleeps', 2],
    ['is started again', 1],
  ])('reports what changed of the day before, after the three days that it %s', async (_, count) => {
    const marks = new Map<string, PollMark>();
    const list = listing('charge', [at('chg_1', 2)], [at('chg_1', 2, 'REFUNDED')]);
    const first = await rounds(count, list, { marks, pausedHours: [72] });
    const again = await rounds(1, list, { marks, startedAfterHours: 72 });
    expect([...first.taken, ...again.taken]).toEqual(['REFUND_COMPLETED chg_1']);
  });

  it('reports all since its start, if the service could not be read for the first three days', async () => {
    let isReached = false;
    const charge = async function* () {
      if (!isReached) {
        isReached = true;
        throw new PixctlError('later', 'UNREACHED', 'Not reached.');
      }
      yield [at('chg_1', -1)];
    };
    const { taken } = await rounds(2, { ...listing('withdrawal'), charge }, { pausedHours: [72] });
    expect(taken).toEqual(['CHARGE_PAID chg_1']);
  });
});

describe('what was seen', () => {
  const was = (status: string, hours: number | null): PollMark => ({
    status,
    createdAt: hours === null ? null : hoursAgo(hours),
  });

  it('is forgotten once no round looks there any more, a thousand at a time, and nothing else is', async () => {
    const marks = new Map(
      Array.from({ length: 1_200 }, (_, n): [string, PollMark] => [`chg_old_${n}`, was('PAID', 80)]),
    );
    const others: [string, PollMark][] = [
      ['chg_open', was('PENDING', 72)],
      ['chg_beside_it', was('PAID', 50)],
      ['wd_undated', was('COMPLETED', null)],
    ];
    for (const [id, mark] of others) marks.set(id, mark);
    const kept = () => [...marks.keys()].filter((id) => !id.startsWith('@'));
    await rounds(1, listing('charge', []), { marks });
    expect(kept().length).toBe(200 + others.length);
    await rounds(1, listing('charge', []), { marks });
    expect(kept()).toEqual(others.map(([id]) => id));
  });

  it('is forgotten once, as soon as that can be written, and before another with the same id is remembered', async () => {
    const marks = new Map([['chg_1', was('PAID', 40)]]);
    const seen = ['PENDING', 'PENDING', 'PAID'].map((status) => [
      { id: 'chg_1', status, createdAt: hoursAgo(2) },
    ]);
    const { forgot } = await rounds(3, listing('charge', ...seen), { marks, full: [true] });
    expect(forgot).toEqual([['chg_1'], ['chg_1'], []]);
    expect(marks.get('chg_1')).toEqual(was('PAID', 2));
  });

  it('makes events again on request, although it was forgotten', async () => {
    const marks = new Map([['chg_1', was('PAID', 40)]]);
    const list = () => listing('charge', [{ id: 'chg_1', status: 'REFUNDED', createdAt: hoursAgo(40) }]);
    expect((await rounds(1, list(), { marks })).taken).toEqual([]);
    expect(marks.has('chg_1')).toBe(false);
    const { taken } = await rounds(2, list(), { marks, since: loadedAt - 50 * 3_600_000 });
    expect(taken).toEqual(['CHARGE_PAID chg_1', 'REFUND_COMPLETED chg_1']);
  });
});

describe('the id of an event that is made here', () => {
  const createdAt = '2026-01-02T03:04:05.000Z';
  const of = { scope: 'here shop', event: 'CHARGE_PAID', resource: { id: 'chg_1', createdAt } };
  const signing = { secret: 'whsec_test', signatureHeader: 'Service-Signature', now: 0 };
  const idOf = (it: typeof of, now = 0): string =>
    JSON.parse(new TextDecoder().decode(synthesizeEvent({ ...it, ...signing, now }).body)).id;

  it('depends on the change alone, whenever it is made', () => {
    expect(idOf(of, 1_767_323_045_000)).toBe(idOf(of));
    expect(idOf({ ...of, resource: { id: 'chg_1', createdAt: '2026-01-02T03:04:05Z' } })).toBe(idOf(of));
  });

  it.each([
    ['another merchant', { ...of, scope: 'here other' }],
    ['another event of the charge', { ...of, event: 'REFUND_COMPLETED' }],
    ['another charge', { ...of, resource: { id: 'chg_2', createdAt } }],
    ['a charge of the same id', { ...of, resource: { id: 'chg_1', createdAt: '2026-01-03T03:04:05.000Z' } }],
  ])('differs for %s', (_, other) => {
    expect(idOf(other)).not.toBe(idOf(of));
  });
});
