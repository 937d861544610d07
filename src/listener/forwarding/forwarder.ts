/**
 * Carries stored events to the applications, a bounded number at once to each. Memory holds what fits and the store
 * holds everything: a later sweep, here or in the next run, finds what is not carried now.
 */
import type { PostResult } from '../posting/post.ts';
import { chooseTarget } from '../posting/targets.ts';
import type { OwedEvent, Store } from '../store.ts';
import { decideAfterAttempt } from './backoff.ts';
import { createClaim } from './claim.ts';
import { createEventProcessor, type EventProcessorOptions } from './event-processor.ts';
import { createLanes, laneCapacity } from './lanes.ts';
import { type Attempts, type AttemptsOptions, createAttempts, outcomeOf } from './make-attempt.ts';
import { createPump, type Pump } from './pump.ts';
import { createWriteWithRetry } from './write-with-retry.ts';

interface ForwarderOptions extends AttemptsOptions, EventProcessorOptions {
  readonly store: Store;
  /** Sources that this run forwards for. */
  readonly sources: () => readonly string[];
  /** Forwards at once to each address. */
  readonly concurrency: number;
  /** How often the store is asked for what is due. Milliseconds. */
  readonly sweepEveryMs?: number;
  readonly onTrouble: (cause: unknown) => void;
}

export interface Forwarder extends Pick<Pump, 'deliveryStarted' | 'deliveryFinished'> {
  /**
   * Whether one more event of this name may be claimed at once, for its own address or where its name goes. The name
   * must be forwarded in this run.
   */
  hasRoom(event: string, target: string | null): boolean;
  /** Takes over an event that this process has claimed. */
  enqueue(owed: OwedEvent): void;
  /** Makes one attempt now, whose answer the caller relays. It is recorded, and never retried from here. */
  relay(owed: OwedEvent): Promise<PostResult>;
  /** From now on, also claims what is owed to these addresses while those that this run names are down or full. */
  addAddresses(urls: readonly string[]): void;
  /** Claims what is due. */
  sweep(): Promise<void>;
  /** Sweeps until the signal aborts. */
  run(signal: AbortSignal): Promise<void>;
  /** Gives what is being claimed and attempted a moment to end, then stops the attempts; those stay owed. */
  stop(graceMs: number): Promise<void>;
}

const defaultSweepMs = 1_000;

export function createForwarder(options: ForwarderOptions): Forwarder {
  const { store, clock, application, targets, sources, concurrency, onTrouble } = options;
  const stopping = new AbortController();
  const lanes = createLanes(targets, application.isDown);
  const { pump, runInSlot, accepts, deliveryStarted, deliveryFinished, close, waitUntilIdle } = createPump({
    lanes,
    concurrency,
    processEvent: (lane, owed) => processEvent(lane, owed),
    onRunningLow: (lane) => claim([lane]),
    onTrouble,
  });
  const claim = createClaim({ store, targets, lanes, sources, accepts, enqueue });
  const attempts = createAttempts(options, stopping.signal);
  const writeWithRetry = createWriteWithRetry({ clock, stopping: stopping.signal, runInSlot, onTrouble });
  const processEvent = createEventProcessor(options, {
    attempts,
    runInSlot,
    writeWithRetry,
    stopping: stopping.signal,
  });
  const sweep = () => claim(lanes.all());
  const relays = new Set<Promise<PostResult>>();
  const whenIdle = () => Promise.all([waitUntilIdle(), Promise.allSettled(relays)]);

  function enqueue(owed: OwedEvent): void {
    const lane = lanes.of(owed.event, owed.target);
    lane.ready.push(owed);
    pump(lane);
  }

  return {
    hasRoom: (event, target) => accepts() && lanes.of(event, target).ready.length < laneCapacity,
    deliveryStarted,
    deliveryFinished,
    enqueue,
    relay(owed) {
      const made: Promise<PostResult> = relay(owed, options, attempts, accepts).finally(() =>
        relays.delete(made),
      );
      relays.add(made);
      return made;
    },
    addAddresses(urls) {
      for (const url of urls) lanes.of('', url);
    },
    sweep,
    async run(signal) {
      while (!signal.aborted) {
        await sweep().catch(onTrouble);
        await clock.sleep(options.sweepEveryMs ?? defaultSweepMs, signal);
      }
    },
    async stop(graceMs) {
      close();
      const grace = new AbortController();
      // Without lanes it claims nothing, and resolves once what is being claimed has been.
      const claimed = claim([]).catch(() => {});
      await Promise.race([Promise.all([whenIdle(), claimed]), clock.sleep(graceMs, grace.signal)]);
      grace.abort();
      stopping.abort();
      await whenIdle();
    },
  };
}

async function relay(
  owed: OwedEvent,
  options: ForwarderOptions,
  attempts: Attempts,
  /** False from when the server has closed: the service can get no answer any more. */
  mayAnswer: () => boolean,
): Promise<PostResult> {
  const { targets, clock, policy } = options;
  const url = chooseTarget(targets, owed);
  if (url === null) return { error: 'has no address to forward to', ms: 0, reached: false };
  if (typeof url !== 'string') return { error: `is not asked again: ${url.refused}`, ms: 0, reached: false };
  const made = await attempts.make(owed, url);
  const { state, failures } = decideAfterAttempt(made.result, 0, clock.now(), { ...policy, attempts: 1 });
  const end = { state: state === 'DELIVERED' ? state : 'GIVEN_UP', nextAt: null, failures } as const;
  const lateFlags = made.result.status === undefined ? ({ cutOff: true } as const) : {};
  await attempts.record(owed, outcomeOf(owed, made, end), mayAnswer() ? { relayed: true } : lateFlags);
  return made.result;
}
