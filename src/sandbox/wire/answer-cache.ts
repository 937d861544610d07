/**
 * Caches the answers to reads of charges until something that they show may have changed, so that a repeated read needs
 * no look into the store. Most reads are repeated: a page that polls, a test that waits.
 */
import type { AssumptionId } from '../../contract/assumptions.ts';
import type { OperationName } from '../../contract/operations.ts';
import type { Pagination } from '../../contract/pagination.ts';
import { CachedRecord } from '../rules/cached-record.ts';
import { createCachePerStore } from '../store/store-cache.ts';
import type { World } from '../world/world.ts';
import { type AnswerBody, copyBody } from './answer-body.ts';
import type { Success } from './outcome.ts';

interface CachedAnswer {
  readonly merchantId: string;
  readonly assumptions: readonly AssumptionId[];
  readonly outcome: Success;
}

interface CacheEntry extends CachedAnswer {
  /** When the first of its charges expires, in milliseconds on the sandbox's clock. */
  readonly validUntil: number;
  /** `store.appendedRows` when the answer was made. */
  readonly added: number;
}

/** Which read an answer belongs to. */
interface ReadRequest {
  readonly route: { readonly operation: OperationName } | null;
  /** The text after `?`. */
  readonly query: string;
}

/** Few lists, because a long page with its charges takes half a megabyte. */
const caches = {
  getCharge: createCachePerStore<string, CacheEntry>(128),
  listCharges: createCachePerStore<string, CacheEntry>(16),
};

export function findCachedAnswer(
  world: World,
  read: ReadRequest,
  merchantId: string,
): CachedAnswer | undefined {
  const operation = read.route?.operation;
  if (operation !== 'getCharge' && operation !== 'listCharges') return undefined;
  const { store, clock } = world;
  const known = caches[operation](store).get(read.query);
  if (known === undefined || known.merchantId !== merchantId || clock.now() >= known.validUntil)
    return undefined;
  return operation === 'getCharge' || known.added === store.appendedRows ? known : undefined;
}

/** Caches `answer` if it can be cached, and returns it. Nothing may have happened in the world since it was made. */
export function cacheAnswer({ store, assume }: World, read: ReadRequest, answer: CachedAnswer): CachedAnswer {
  const operation = read.route?.operation;
  if (operation !== 'getCharge' && operation !== 'listCharges') return answer;
  if (operation === 'listCharges' && assume('list-lag') !== 'none') return answer;
  const { data } = answer.outcome;
  const records: unknown[] = Array.isArray(data) ? data : [data];
  if (!records.every((one) => one instanceof CachedRecord)) return answer;
  const validUntil = Math.min(...records.map(CachedRecord.validUntil));
  const entry = {
    ...answer,
    outcome: new CachedSuccess(answer.outcome),
    validUntil,
    added: store.appendedRows,
  };
  caches[operation](store).set(read.query, entry);
  return answer;
}

/** A success that is returned again and again, with its bytes cached. */
export class CachedSuccess implements Success {
  readonly status: number;
  readonly data: unknown;
  declare readonly pagination?: Pagination;
  #body: AnswerBody | undefined;

  constructor({ status, data, pagination }: Success) {
    this.status = status;
    this.data = data;
    if (pagination !== undefined) this.pagination = pagination;
  }

  body(write: (it: Success) => AnswerBody): AnswerBody {
    if (this.#body === undefined || this.#body.isRetained) this.#body = copyBody(write(this));
    return this.#body;
  }
}
