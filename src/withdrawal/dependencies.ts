/**
 * What the withdrawal protocol is handed. It sends through one bare exchange and reads through two calls;
 * it has no other way to the network, no clock and no process of its own.
 */
import type { Api } from '../api/client.ts';
import type { Send } from '../api/exchange.ts';
import type { Clock } from '../clock.ts';
import type { Withdrawal } from '../contract/withdrawal.ts';
import type { Ledger } from '../ledger/ledger.ts';
import type { Owners } from '../owner/owner.ts';

export interface Service {
  /** One exchange, once; it never rejects. */
  readonly send: Send;
  /** Every withdrawal that the service lists, a page at a time. Rejects with a `PixctlError` when unreadable. */
  withdrawals(): AsyncIterable<readonly Withdrawal[]>;
  /** One withdrawal. */
  withdrawal(id: string): Promise<Withdrawal>;
}

/** Where a withdrawal stands in this run, for live status and for what a signal may still stop. */
export type Phase =
  | 'looking'
  | 'planning'
  | 'waiting'
  | 'sending'
  | 'recording'
  | 'reconciling'
  | 'following';

export interface Dependencies {
  readonly ledger: Ledger;
  readonly clock: Clock;
  readonly service: Service;
  readonly owners: Owners;
  /** A fresh unique id (`randomUUID`). */
  readonly newId: () => string;
  /** Last resort when an outcome cannot be written: one line for stderr. Must not throw. */
  readonly rescue: (line: string) => void;
  /** Bound on the POST, milliseconds; also how old another host's send must be to be called unknown. */
  readonly requestTimeoutMs: number;
  /** Stops waiting and following, and a send not yet begun; never an exchange in flight. */
  readonly signal?: AbortSignal | undefined;
  readonly onPhase?: ((phase: Phase) => void) | undefined;
}

/** The protocol's view of the client. */
export const serviceOf = (api: Pick<Api, 'send' | 'pages' | 'call'>): Service => ({
  send: api.send,
  async *withdrawals() {
    for await (const page of api.pages('listWithdrawals', undefined, { limit: 100 })) yield page.items;
  },
  withdrawal: (id) => api.call('getWithdrawal', { path: { id } }),
});
