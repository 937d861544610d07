/**
 * What the withdrawal protocol is handed. It sends through one bare exchange and reads through two calls; it has no
 * other access to the network, and no clock or process of its own.
 */
import type { Api } from '../api/client.ts';
import type { Send } from '../api/exchange.ts';
import { lookOptions } from '../api/pause.ts';
import { listLimit } from '../contract/pagination.ts';
import type { Withdrawal, WithdrawalById } from '../contract/withdrawal.ts';
import { PixctlError } from '../errors.ts';
import type { SendingDependencies } from '../sending/dependencies.ts';

export interface Service {
  /** One exchange, once; it never rejects. */
  readonly send: Send;
  /** Yields every withdrawal that the service lists, page by page. Rejects with a `PixctlError` when unreadable. */
  withdrawals(options?: ListOptions): AsyncIterable<readonly Withdrawal[]>;
  /** Reads one withdrawal. Retries where that may help. `withinMs`: the rest of a wait, which this must not take up. */
  withdrawal(id: string, withinMs?: number): Promise<WithdrawalById>;
}

export interface ListOptions {
  /** Read to the end even if the run is interrupted, because the outcome of a send waits for it. */
  readonly uninterrupted?: boolean;
}

/** Where a withdrawal stands in this run. For live status, and for what a signal may still stop. */
export type Phase =
  | 'looking'
  | 'planning'
  | 'waiting'
  | 'sending'
  | 'recording'
  | 'reconciling'
  | 'following';

export interface Dependencies extends SendingDependencies {
  readonly service: Service;
  /** Whether the key is a sandbox key, with which no money moves. If absent, it is not. */
  readonly isSandbox?: (() => Promise<boolean>) | undefined;
  readonly onPhase?: ((phase: Phase) => void) | undefined;
  /** The service asked to be left alone for so many milliseconds; the run pauses that long. */
  readonly onPause?: ((ms: number) => void) | undefined;
  /** The same order was refused just now; the run waits so many milliseconds before it searches the list for it. */
  readonly onRefusalWait?: ((ms: number) => void) | undefined;
}

/** The protocol's view of the client. */
export const serviceOf = (api: Pick<Api, 'send' | 'pages' | 'call' | 'lookTimeoutMs'>): Service => ({
  send: api.send,
  async *withdrawals({ uninterrupted } = {}) {
    const options = { limit: listLimit.max, uninterrupted };
    for await (const page of api.pages('listWithdrawals', undefined, options)) {
      if (page.isUnpaged) throw withoutPagination();
      yield page.items;
    }
  },
  withdrawal: (id, withinMs) =>
    api.call('getWithdrawal', { path: { id } }, withinMs === undefined ? {} : lookOptions(api, withinMs)),
});

const withoutPagination = () =>
  new PixctlError(
    'unexpected',
    'NO_PAGINATION',
    'the service lists withdrawals without pagination, so the list may be incomplete',
    {
      isPermanent: true,
      hint: 'Only a list that is known to be complete can show whether a withdrawal was made, so nothing is sent.',
    },
  );
