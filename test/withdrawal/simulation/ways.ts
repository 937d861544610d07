/**
 * How the service of a run behaves where its document leaves it open. Half of the runs are plain: as
 * `contract/assumptions/withdrawals.ts` assumes. The others mix some of these ways, which the seed chooses.
 */
import type { PixKeyType } from '../../../src/contract/withdrawal.ts';
import { type Random, randomFrom } from './random.ts';
import { inFull, type Writing, writings } from './writing.ts';

export interface Ways {
  /** The names of the ways that are not plain. */
  readonly names: readonly string[];
  /** A list shows what was so up to so many milliseconds ago. */
  readonly listBehindMs: number;
  /** The same of a record that is asked for by its id. */
  readonly getBehindMs: number;
  /** The copy of a request that was refused is accepted up to so many milliseconds later. */
  readonly lateCopyMs: number;
  /** How a record is written in each place. */
  readonly list: Writing;
  readonly answer: Writing;
  readonly get: Writing;
  readonly createdStatus: number;
  /** Of the listed ones. */
  readonly leavesOut: 'nothing' | 'FAILED' | 'ended';
  readonly oneInFlight: boolean;
  readonly busyCode: 'BAD_REQUEST' | 'CONFLICT' | 'FORBIDDEN';
  /** What a new one is at once. */
  readonly begins: Status;
  readonly words: Partial<Record<Status, string>>;
  readonly createdAt: (ms: number) => unknown;
  readonly numericIds: boolean;
  readonly pageSize: number;
  /** A cursor is a place in the list, and what comes in at its front moves the rest. */
  readonly placeCursor: boolean;
  /** Of alike payments of long ago, at most. */
  readonly history: number;
  /** What cannot be read now is to be asked for again so many milliseconds later, at most. */
  readonly retryAfterMs: number;
  readonly pixKeys: readonly string[];
  readonly pixKeyType: PixKeyType;
}

export type Status = 'PENDING' | 'PROCESSING' | 'COMPLETED' | 'FAILED';

const plain: Ways = {
  names: [],
  listBehindMs: 0,
  getBehindMs: 0,
  lateCopyMs: 0,
  list: inFull,
  answer: inFull,
  get: inFull,
  createdStatus: 201,
  leavesOut: 'nothing',
  oneInFlight: true,
  busyCode: 'BAD_REQUEST',
  begins: 'PENDING',
  words: {},
  createdAt: (ms) => new Date(ms).toISOString(),
  numericIds: false,
  pageSize: 3,
  placeCursor: false,
  history: 4,
  retryAfterMs: 0,
  // Few, so that orders often look alike.
  pixKeys: ['ana@example.com', 'ana@example.com', 'bia@example.com'],
  pixKeyType: 'EMAIL',
};

/** How far a list may be behind a refusal, and a key is paid once even so (docs/withdrawal-promise.md, "A refusal"). */
const borneMs = 4_000;

const others: Readonly<Record<string, (random: Random) => Partial<Ways>>> = {
  'a list is behind': ({ int, pick }) => ({ listBehindMs: pick([borneMs, int(1, borneMs)]) }),
  'a copy is late': ({ int }) => ({ lateCopyMs: int(1, borneMs) }),
  'a record is late': ({ int }) => ({ getBehindMs: int(1_000, 30_000) }),
  'records are written otherwise': (random) => writings(random),
  'it leaves out what failed': () => ({ leavesOut: 'FAILED' }),
  'it leaves out what ended': () => ({ leavesOut: 'ended' }),
  'several in flight': () => ({ oneInFlight: false }),
  'busy by another code': ({ pick }) => ({ busyCode: pick(['CONFLICT', 'FORBIDDEN'] as const) }),
  'it begins otherwise': ({ pick }) => ({ begins: pick(['PROCESSING', 'COMPLETED', 'FAILED'] as const) }),
  'created by another status': ({ pick }) => ({ createdStatus: pick([200, 202]) }),
  'unknown words of status': ({ pick }) => ({
    words: pick([
      { PENDING: 'QUEUED' },
      { PROCESSING: 'SENT', COMPLETED: 'PAID' },
      { FAILED: 'RETURNED' },
      { PENDING: 'pending', PROCESSING: 'processing', COMPLETED: 'completed', FAILED: 'failed' },
    ]),
  }),
  'times written otherwise': (random) => ({ createdAt: clockOf(random) }),
  'ids are numbers': () => ({ numericIds: true }),
  'items move between pages': () => ({ placeCursor: true, pageSize: 2 }),
  'it asks to wait': ({ int }) => ({ retryAfterMs: int(100, 70_000) }),
  'other kinds of key': ({ pick }) => pick(otherKeys),
};

const chances = { usual: 0.2, history: 0.01 };

const otherKeys: readonly Pick<Ways, 'pixKeys' | 'pixKeyType'>[] = [
  { pixKeyType: 'TELEFONE', pixKeys: ['+5511900000001', '+5511900000001', '+5511900000002'] },
  { pixKeyType: 'CPF', pixKeys: ['52998224725', '52998224725', '52998224700'] },
  {
    pixKeyType: 'CHAVE_ALEATORIA',
    pixKeys: ['1', '1', '2'].map((end) => `0f8fad5b-d9cb-469f-a165-70867728950${end}`),
  },
];

/**
 * Its clock is off by minutes, or it writes a time otherwise. Without a zone it is in UTC, as all that the document
 * shows.
 */
function clockOf({ int, pick }: Random): Ways['createdAt'] {
  const offMs = int(-600_000, 600_000);
  return pick<Ways['createdAt']>([
    (ms) => new Date(ms + offMs).toISOString(),
    (ms) => new Date(ms - 3 * 3_600_000).toISOString().replace('Z', '-03:00'),
    (ms) => new Date(ms).toISOString().replace('Z', ''),
    (ms) => ms,
  ]);
}

/** Whether the list may show a withdrawal only some time after its request was refused. */
export const isLate = ({ listBehindMs, lateCopyMs }: Ways): boolean => listBehindMs + lateCopyMs > 0;

export function waysFrom(seed: number): Ways {
  // A chance of its own, so that a plain run is what it was before there were others.
  const random = randomFrom(seed ^ 0x5bd1e995);
  if (random.chance(0.5)) return plain;
  const names = Object.keys(others).filter(() => random.chance(chances.usual));
  const chosen: Ways = Object.assign({}, plain, ...names.map((name) => others[name]?.(random)), { names });
  const history = random.chance(chances.history) ? { history: 100, pageSize: 20 } : {};
  return { ...chosen, ...history, ...within(chosen) };
}

/** What together is beyond the promise. */
function within({ listBehindMs, lateCopyMs, leavesOut, placeCursor }: Ways): Partial<Ways> {
  return {
    // It cannot be told from a list that is behind: both together are borne as far as the one.
    lateCopyMs: Math.min(lateCopyMs, borneMs - listBehindMs),
    // One that failed would leave a fresh list and come back in one that is behind, as if it were new.
    leavesOut: listBehindMs > 0 && leavesOut === 'FAILED' ? 'nothing' : leavesOut,
    // What leaves a list while it is paged by places takes another one from the reader's sight.
    placeCursor: placeCursor && leavesOut === 'nothing',
  };
}
