/** The interface of a handler: one for each operation of the contract, typed by it. */
import type { Data, Input, OperationName, Operations } from '../../contract/operations.ts';
import type { Pagination } from '../../contract/pagination.ts';
import type { World } from '../world/world.ts';
import type { Assume } from './refusal.ts';

export interface Context {
  readonly world: World;
  /** The merchant that the caller's API key belongs to. */
  readonly merchantId: string;
  /** Returns the behaviour at an open point, and marks the answer with `X-Sandbox-Assumption`. */
  readonly assume: Assume;
}

/** What the contract says about success. Anything else is a thrown `Refusal`. */
export type Answer<K extends OperationName> = {
  readonly status: Operations[K]['success'];
  readonly data: Data<K>;
} & (Operations[K]['shape'] extends 'list' ? Paged<Operations[K]> : unknown);

type Paged<T> = T extends { readonly isMaybeUnpaged: true }
  ? { readonly pagination?: Pagination }
  : { readonly pagination: Pagination };

/** Runs in one transaction, synchronously. Throws `Refusal`. */
export type Handler<K extends OperationName> = (context: Context, input: Input<K>) => Answer<K>;

/** A missing handler, a misspelt status or a wrong shape is a type error. */
export type Handlers = { readonly [K in OperationName]: Handler<K> };
