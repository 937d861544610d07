/**
 * Carries stored events to the application: a bounded number at once, in memory what fits, in the store
 * everything. What is not carried now is found again by the sweep, here or in the next run.
 */
import type { Clock } from '../clock.ts';
import type { ApplicationWatch } from './application.ts';
import { factsOf, prepareAttempt } from './attempt.ts';
import { afterAttempt, type RetryPolicy, unreachedDelayMs } from './backoff.ts';
import type { Post, PostResult } from './post.ts';
import type { Outcome, Owed, Store } from './store.ts';

export interface ForwarderOptions {
  readonly store: Store;
  readonly clock: Clock;
  readonly post: Post;
  readonly application: ApplicationWatch;
  /** Where an event goes; null: nowhere in this run. `refused`: not where it was meant to go. */
  readonly targetOf: (owed: Owed) => string | null | { refused: string };
  /** Every place that `targetOf` may answer, to know when all are down. */
  readonly targets: readonly string[];
  /** Sources that this run forwards for. */
  readonly sources: () => readonly string[];
  readonly signatureHeader: string;
  /** The value of the signature header now; null where the source's secret is not known. */
  readonly sign: (source: string, body: Uint8Array) => string | null;
  /** `identical`: never sign again. */
  readonly signature?: 'again-later' | 'identical';
  readonly concurrency: number;
  readonly timeoutMs: number;
  readonly policy: RetryPolicy;
  /** How often the store is asked for what is due, milliseconds. */
  readonly sweepEveryMs?: number;
  readonly onAttempt: (owed: Owed, outcome: Outcome) => void;
  /** Not attempted now, because the application is down or nothing is to be sent. */
  readonly onHeld: (owed: Owed, url: string) => void;
  readonly onTrouble: (cause: unknown) => void;
}

export interface Forwarder {
  /** Whether one more event may be claimed for forwarding at once. */
  hasRoom(): boolean;
  /** A delivery waits for its answer until it is `stored`, or could not be: a crowd of them goes first. */
  arrived(): void;
  stored(): void;
  /** Takes over an event that this process has claimed. */
  offer(owed: Owed): void;
  /** One attempt now, its answer relayed by the caller: recorded, and never retried from here. */
  relay(owed: Owed): Promise<PostResult>;
  /** Claims what is due. */
  sweep(): Promise<void>;
  /** Sweeps until the signal aborts. */
  run(signal: AbortSignal): Promise<void>;
  /** Lets attempts under way end for a moment, then stops them; they stay owed. */
  stop(graceMs: number): Promise<void>;
}

/** Events held in memory with their bodies. */
const capacity = 256;
/** So many deliveries that wait at once are a crowd. Meanwhile events are forwarded one at a time. */
const crowd = 16;
/**
 * So many may wait together for what became of them to be written. No more: forwarding would then take from
 * answering deliveries, which goes first.
 */
const company = 10;
const usualSweepMs = 1_000;
const writeAgainMs = 1_000;

export function createForwarder(options: ForwarderOptions): Forwarder {
  const { store, clock, application } = options;
  const ready: Owed[] = [];
  const active = new Set<Promise<void>>();
  const stopping = new AbortController();
  let accepting = true;
  /** Posts under way, and outcomes that could not be written: `concurrency` is the most of both. */
  let busy = 0;
  let arriving = 0;
  /** The store had more than there was room for. */
  let more = false;
  let sweeping: Promise<void> | null = null;

  function pump(): void {
    const most = Math.max(options.concurrency, company);
    const atOnce = arriving < crowd ? options.concurrency : 1;
    while (accepting && busy < atOnce && active.size < most) {
      const owed = ready.shift();
      if (owed === undefined) return;
      const run: Promise<void> = carry(owed)
        .catch(options.onTrouble)
        .finally(() => {
          active.delete(run);
          pump();
          if (more && ready.length < capacity / 4) forwarder.sweep().catch(options.onTrouble);
        });
      active.add(run);
    }
  }

  async function carry(owed: Owed): Promise<void> {
    const url = options.targetOf(owed);
    if (url === null) return hold(owed, '', clock.now() + 60_000);
    if (typeof url === 'object') return untilKept(() => giveUp(owed, url.refused));
    if (application.isDown(url)) return hold(owed, url, clock.now() + unreachedDelayMs);
    const { result, prepared, startedAt } = await inPlace(async () => {
      const made = await attempt(owed, url);
      const unreached = made.result.status === undefined && !made.result.reached;
      if (unreached && !stopping.signal.aborted) application.markDown(url);
      return made;
    });
    if (stopping.signal.aborted && result.status === undefined) return store.postpone(owed.key, clock.now());
    const decision = afterAttempt(result, owed.failures, clock.now(), options.policy);
    const outcome = { ...factsOf(owed, owed.attempts + 1, url, startedAt, prepared, result), ...decision };
    await untilKept(() => record(owed, outcome));
  }

  /** The next one goes as soon as this one has its answer: what became of it is written in company. */
  async function inPlace<T>(work: () => Promise<T>): Promise<T> {
    busy += 1;
    try {
      return await work();
    } finally {
      busy -= 1;
      pump();
    }
  }

  /**
   * What cannot be written now (a full disk) is written later: an event whose outcome is not known to the
   * store would stay claimed, and wait for another run. Meanwhile nothing else is forwarded in its place.
   */
  async function untilKept(write: () => Promise<void>): Promise<void> {
    try {
      return await write();
    } catch (cause) {
      if (stopping.signal.aborted) throw cause;
      options.onTrouble(cause);
    }
    await inPlace(() => writeAgain(write));
  }

  async function writeAgain(write: () => Promise<void>): Promise<void> {
    for (;;) {
      await clock.sleep(writeAgainMs, stopping.signal);
      try {
        return await write();
      } catch (cause) {
        if (stopping.signal.aborted) throw cause;
        options.onTrouble(cause);
      }
    }
  }

  async function attempt(owed: Owed, url: string) {
    const startedAt = clock.now();
    const sign = () => (options.signature === 'identical' ? null : options.sign(owed.source, owed.body));
    const prepared = prepareAttempt(owed, startedAt, options.signatureHeader, sign);
    const { body } = owed;
    const { headers } = prepared;
    const { timeoutMs } = options;
    const result = await options.post({ url, body, headers, timeoutMs, signal: stopping.signal });
    return { result, prepared, startedAt };
  }

  async function record(owed: Owed, outcome: Outcome): Promise<void> {
    await store.record(outcome);
    options.onAttempt(owed, outcome);
  }

  async function hold(owed: Owed, url: string, until: number): Promise<void> {
    options.onHeld(owed, url);
    await untilKept(() => store.postpone(owed.key, until));
  }

  async function giveUp(owed: Owed, error: string): Promise<void> {
    const none = { url: owed.target ?? '', startedAt: clock.now(), ms: 0, status: null, error, answer: null };
    const end = { signature: 'original', state: 'GIVEN_UP', nextAt: null, failures: owed.failures } as const;
    await record(owed, { key: owed.key, number: owed.attempts + 1, ...none, ...end });
  }

  async function claim(): Promise<void> {
    if (options.targets.length > 0 && options.targets.every((url) => application.isDown(url))) return;
    more = false;
    for (const source of options.sources()) {
      const room = capacity - ready.length - active.size;
      if (!accepting || room <= 0) return;
      const claimed = await store.claimDue(source, room);
      more ||= claimed.length === room;
      for (const owed of claimed) forwarder.offer(owed);
    }
  }

  const forwarder: Forwarder = {
    hasRoom: () => accepting && ready.length + active.size < capacity,
    arrived() {
      arriving += 1;
    },
    stored() {
      arriving -= 1;
      if (arriving === crowd - 1) pump();
    },
    offer(owed) {
      ready.push(owed);
      pump();
    },
    async relay(owed) {
      const url = options.targetOf(owed);
      if (typeof url !== 'string') return { error: 'has no address to forward to', ms: 0, reached: false };
      const { result, prepared, startedAt } = await attempt(owed, url);
      const { state } = afterAttempt(result, 0, clock.now(), { ...options.policy, attempts: 1 });
      const end = { state: state === 'DELIVERED' ? state : 'GIVEN_UP', nextAt: null, failures: 1 } as const;
      await record(owed, { ...factsOf(owed, owed.attempts + 1, url, startedAt, prepared, result), ...end });
      return result;
    },
    sweep() {
      sweeping ??= claim().finally(() => {
        sweeping = null;
      });
      return sweeping;
    },
    async run(signal) {
      while (!signal.aborted) {
        await forwarder.sweep().catch(options.onTrouble);
        await clock.sleep(options.sweepEveryMs ?? usualSweepMs, signal);
      }
    },
    async stop(graceMs) {
      accepting = false;
      ready.length = 0;
      const grace = new AbortController();
      await Promise.race([Promise.all(active), clock.sleep(graceMs, grace.signal)]);
      grace.abort();
      stopping.abort();
      await Promise.all(active);
    },
  };
  return forwarder;
}
