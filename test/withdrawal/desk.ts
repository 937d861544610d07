/** A merchant's desk for protocol tests: a ledger in memory, a scripted service, a clock that jumps. */
import type { Exchange, OutgoingRequest } from '../../src/api/exchange.ts';
import type { Clock } from '../../src/clock.ts';
import type { Cents, IdempotencyKey } from '../../src/contract/brand.ts';
import type { Withdrawal } from '../../src/contract/withdrawal.ts';
import { PixctlError } from '../../src/errors.ts';
import type { Scope } from '../../src/ledger/intent.ts';
import type { Ledger } from '../../src/ledger/ledger.ts';
import type { Owner } from '../../src/owner/owner.ts';
import type { Dependencies } from '../../src/withdrawal/dependencies.ts';
import type { Outcome } from '../../src/withdrawal/outcome/outcome.ts';
import { defaultPolicy } from '../../src/withdrawal/policy/policy.ts';
import type { WithdrawRequest } from '../../src/withdrawal/request.ts';
import { withdraw } from '../../src/withdrawal/withdraw.ts';
import { memoryLedger } from '../support/memory-ledger.ts';

export const scope = 'loja http://service' as Scope;
export const key = (text: string) => text as IdempotencyKey;
export const order = (more: Partial<WithdrawRequest> = {}): WithdrawRequest => ({
  scope,
  idempotencyKey: key('K1'),
  amount: 1050 as Cents,
  pixKey: 'ana@example.com',
  pixKeyType: 'EMAIL',
  policy: defaultPolicy,
  savedDestination: true,
  busyTimeoutMs: 600_000,
  ...more,
});

export interface Desk extends Dependencies {
  time: number;
  /** The part of `time` that did not pass: somebody set the clock. */
  setAhead: number;
  /** What the service lists; `null`: it cannot be read. */
  listed: Withdrawal[] | null;
  /** Answers of the POSTs to come; the last one stays. */
  readonly answers: ((request: OutgoingRequest) => Exchange | Promise<Exchange>)[];
  /** Sends that were asked for, and those whose first byte left. */
  tries: number;
  readonly posts: OutgoingRequest[];
  readonly rescued: string[];
  readonly gone: Set<number>;
}

export function desk(ledger: Ledger = memoryLedger()): Desk {
  let ids = 0;
  const clock: Clock = {
    now: () => it.time,
    monotonic: () => it.time,
    sleep: async (ms) => {
      it.time += ms;
    },
  };
  const owner: Owner = { host: 'h', boot: 'b', pid: 1, started: '1' };
  const it: Desk = {
    time: Date.parse('2026-03-10T12:00:00Z'),
    setAhead: 0,
    listed: [],
    answers: [],
    tries: 0,
    posts: [],
    rescued: [],
    gone: new Set(),
    ledger,
    clock,
    owners: {
      self: owner,
      uptime: () => it.time - it.setAhead,
      liveness: async (other) =>
        other.host !== 'h' ? 'elsewhere' : it.gone.has(other.pid) ? 'gone' : 'alive',
    },
    service: {
      async send(request) {
        const answer = it.answers.length > 1 ? it.answers.shift() : it.answers[0];
        if (answer === undefined) throw new Error('no answer is scripted');
        it.tries++;
        if (answer === unreached) return unreached();
        try {
          request.beforeFirstByte?.();
        } catch (cause) {
          return { kind: 'not-sent', cause };
        }
        it.posts.push(request);
        return answer(request);
      },
      async *withdrawals() {
        if (it.listed === null) throw new PixctlError('later', 'NOT_REACHED', 'not reached');
        yield it.listed;
      },
      async withdrawal(id) {
        const found = it.listed?.find((one) => one.id === id);
        if (found === undefined) throw new PixctlError('notFound', 'NOT_FOUND', `no ${id}`);
        return found;
      },
    },
    newId: () => `id${++ids}`,
    logLastResort: (line) => it.rescued.push(line),
    requestTimeoutMs: 30_000,
  };
  return it;
}

export const withdrawal = (id: string, more: Partial<Withdrawal> = {}): Withdrawal => ({
  id,
  amount: 1050,
  fee: 100,
  pixKey: 'ana@example.com',
  pixKeyType: 'EMAIL',
  status: 'PENDING',
  ...more,
});

export const replied = (status: number, body: unknown): Exchange => ({
  kind: 'reply',
  reply: {
    status,
    headers: {},
    body: new TextEncoder().encode(typeof body === 'string' ? body : JSON.stringify(body)),
  },
});
export const accepted = (id: string) => () =>
  replied(201, { data: withdrawal(id), error: null, success: true });
export const refused = (status: number, error: string) => () =>
  replied(status, { error, message: 'why', success: false });
export const lost = (): Exchange => ({ kind: 'lost', cause: { code: 'ECONNRESET' } });
export const unreached = (): Exchange => ({
  kind: 'not-sent',
  cause: { code: 'ECONNREFUSED' },
});

/** Sends the order, whose answer is lost: its outcome is unknown. */
export const sendAndLose = async (at: Desk): Promise<void> => {
  at.answers.push(lost);
  await withdraw(at, order());
};

/** An outcome whose words went out, as a command shows it: that they did is recorded, if the ledger takes it. */
export async function shown(outcome: Promise<Outcome>): Promise<Outcome> {
  const it = await outcome;
  await it.recordTold?.().catch(() => {});
  return it;
}

/** Of an outcome: its exit and its code. */
export const codes = async (outcome: Promise<{ exit: string; code: string }>): Promise<[string, string]> => {
  const { exit, code } = await outcome;
  return [exit, code];
};
