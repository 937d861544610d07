/**
 * Carries stored events to the applications: to each a bounded number at once, in memory what fits, in the store
 * everything. What is not carried now is found again by the sweep, here or in the next run.
 */
import type { Clock } from '../clock.ts';
import type { ApplicationWatch } from './application.ts';
import { factsOf, prepareAttempt } from './attempt.ts';
import { afterAttempt, type RetryPolicy, unreachedDelayMs } from './backoff.ts';
import { createClaim } from './claim.ts';
import { createLanes, type Lane, places } from './lanes.ts';
import type { Post, PostResult } from './post.ts';
import type { Outcome, Owed, Store } from './store.ts';
import { refusalOf, type Targets } from './targets.ts';

export interface ForwarderOptions {
  readonly store: Store;
  readonly clock: Clock;
  readonly post: Post;
  readonly application: ApplicationWatch;
  readonly targets: Targets;
  /** Sources that this run forwards for. */
  readonly sources: () => readonly string[];
  readonly signatureHeader: string;
  /** The value of the signature header now; null where the source's secret is not known. */
  readonly sign: (source: string, body: Uint8Array) => string | null;
  /** To each address. */
  readonly concurrency: number;
  readonly timeoutMs: number;
  readonly policy: RetryPolicy;
  /** How often the store is asked for what is due, milliseconds. */
  readonly sweepEveryMs?: number;
  readonly onAttempt: (owed: Owed, outcome: Outcome) => void;
  /** Not attempted now, because the application is down. */
  readonly onHeld: (owed: Owed) => void;
  readonly onTrouble: (cause: unknown) => void;
}

export interface Forwarder {
  /** Whether one more event of this name, which is forwarded in this run, may be claimed at once. */
  hasRoom(event: string): boolean;
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

/** So many deliveries that wait at once are a crowd. Meanwhile events are forwarded one at a time to each address. */
const crowd = 16;
/**
 * So many of a lane may wait together for what became of them to be written. No more: forwarding would then take
 * from answering deliveries, which goes first.
 */
const company = 10;
const usualSweepMs = 1_000;
const writeAgainMs = 1_000;

export function createForwarder(options: ForwarderOptions): Forwarder {
  const { store, clock, application, targets } = options;
  const lanes = createLanes(targets, application.isDown);
  const { sources } = options;
  const claim = createClaim({ store, targets, lanes, sources, accepts: () => accepting, offer });
  const stopping = new AbortController();
  let accepting = true;
  let arriving = 0;

  function pump(lane: Lane): void {
    const most = Math.max(options.concurrency, company);
    const atOnce = arriving < crowd ? options.concurrency : 1;
    while (accepting && lane.busy < atOnce && lane.active.size < most) {
      const owed = lane.ready.shift();
      if (owed === undefined) return;
      const run: Promise<void> = carry(lane, owed)
        .catch(options.onTrouble)
        .finally(() => {
          lane.active.delete(run);
          pump(lane);
          if (lanes.runsDry(lane)) claim([lane]).catch(options.onTrouble);
        });
      lane.active.add(run);
    }
  }

  async function carry(lane: Lane, owed: Owed): Promise<void> {
    const { url } = lane;
    const refused = owed.target === null ? null : refusalOf(targets, owed.target);
    if (refused !== null) return untilKept(lane, () => giveUp(owed, refused));
    if (application.isDown(url)) return hold(lane, owed);
    const { result, prepared, startedAt } = await inPlace(lane, async () => {
      const made = await attempt(owed, url);
      const unreached = made.result.status === undefined && !made.result.reached;
      if (unreached && !stopping.signal.aborted) application.markDown(url);
      return made;
    });
    if (stopping.signal.aborted && result.status === undefined) return store.postpone(owed.key, clock.now());
    const decision = afterAttempt(result, owed.failures, clock.now(), options.policy);
    const outcome = { ...factsOf(owed, owed.attempts + 1, url, startedAt, prepared, result), ...decision };
    await untilKept(lane, () => record(owed, outcome));
  }

  /** The next one goes as soon as this one has its answer: what became of it is written in company. */
  async function inPlace<T>(lane: Lane, work: () => Promise<T>): Promise<T> {
    lane.busy += 1;
    try {
      return await work();
    } finally {
      lane.busy -= 1;
      pump(lane);
    }
  }

  /**
   * What cannot be written now (a full disk) is written later: an event whose outcome is not known to the
   * store would stay claimed, and wait for another run. Meanwhile nothing else is forwarded in its place.
   */
  async function untilKept(lane: Lane, write: () => Promise<void>): Promise<void> {
    try {
      return await write();
    } catch (cause) {
      if (stopping.signal.aborted) throw cause;
      options.onTrouble(cause);
    }
    await inPlace(lane, () => writeAgain(write));
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
    const { source, body } = owed;
    const sign = () => options.sign(source, body);
    const prepared = prepareAttempt(owed, startedAt, options.signatureHeader, sign);
    const { headers } = prepared;
    const { timeoutMs } = options;
    const result = await options.post({ url, body, headers, timeoutMs, signal: stopping.signal });
    return { result, prepared, startedAt };
  }

  async function record(owed: Owed, outcome: Outcome): Promise<void> {
    await store.record(outcome);
    options.onAttempt(owed, outcome);
  }

  async function hold(lane: Lane, owed: Owed): Promise<void> {
    options.onHeld(owed);
    const until = clock.now() + unreachedDelayMs;
    await untilKept(lane, () => store.postpone(owed.key, until));
  }

  async function giveUp(owed: Owed, error: string): Promise<void> {
    const none = { url: owed.target ?? '', startedAt: clock.now(), ms: 0, status: null, error, answer: null };
    const end = { signature: 'original', state: 'GIVEN_UP', nextAt: null, failures: owed.failures } as const;
    await record(owed, { key: owed.key, number: owed.attempts + 1, ...none, ...end });
  }

  function offer(owed: Owed): void {
    const lane = lanes.of(owed.event, owed.target);
    lane.ready.push(owed);
    pump(lane);
  }

  const forwarder: Forwarder = {
    hasRoom: (event) => accepting && lanes.of(event, null).ready.length < places,
    arrived() {
      arriving += 1;
    },
    stored() {
      arriving -= 1;
      if (arriving === crowd - 1) for (const lane of lanes.all()) pump(lane);
    },
    offer,
    async relay(owed) {
      const url = targets.forEvent(owed.event);
      if (url === null) return { error: 'has no address to forward to', ms: 0, reached: false };
      const { result, prepared, startedAt } = await attempt(owed, url);
      const { state } = afterAttempt(result, 0, clock.now(), { ...options.policy, attempts: 1 });
      const end = { state: state === 'DELIVERED' ? state : 'GIVEN_UP', nextAt: null, failures: 1 } as const;
      await record(owed, { ...factsOf(owed, owed.attempts + 1, url, startedAt, prepared, result), ...end });
      return result;
    },
    sweep: () => claim(lanes.all()),
    async run(signal) {
      while (!signal.aborted) {
        await forwarder.sweep().catch(options.onTrouble);
        await clock.sleep(options.sweepEveryMs ?? usualSweepMs, signal);
      }
    },
    async stop(graceMs) {
      accepting = false;
      for (const { ready } of lanes.all()) ready.length = 0;
      const active = () => Promise.all(lanes.all().flatMap((lane) => [...lane.active]));
      const grace = new AbortController();
      await Promise.race([active(), clock.sleep(graceMs, grace.signal)]);
      grace.abort();
      stopping.abort();
      await active();
    },
  };
  return forwarder;
}
