/**
 * The delivery engine (document: "Delivery rules", "Retry policy"). An attempt is recorded when its connection is up
 * and just before its bytes leave, in the transaction that removes its job, so a kill at any time can neither lose a
 * delivery nor let one be sent more than three times. An attempt whose end was never recorded may have arrived, and
 * counts as failed.
 */
import { type Clock, isoTime, systemClock } from '../../clock.ts';
import type { AttemptPlan } from '../faults/delivery-plan.ts';
import type { Faults } from '../faults/faults.ts';
import type { Job, JobHandler, World } from '../world/world.ts';
import { buildAttemptRequest } from './attempt-request.ts';
import { type AttemptOutcome, judgeAttempt, readBackoff } from './delivery-policy.ts';
import { withoutCredentials } from './endpoint-rules.ts';
import { type PostResult, type PreparedRequest, post } from './post.ts';
import {
  closeAttempt,
  type DeliveryRow,
  insertDelivery,
  listHeldDeliveries,
  listOpenAttempts,
  type NewDelivery,
  type OpenAttempt,
  openAttempt,
  readDelivery,
  readFirstSignedAt,
} from './records.ts';

/** Kind of the job that makes one attempt. Its payload is the delivery's number, its lane the endpoint. */
export const deliveryJob = 'delivery';

/**
 * Makes a delivery and the job of its first attempt, in the current transaction. Returns its number.
 * @param delayMs sandbox milliseconds until that attempt
 */
export function scheduleDelivery(world: World, delivery: NewDelivery, delayMs = 0): number {
  const now = world.clock.now();
  const seq = insertDelivery(world.store, delivery, { now, nextAt: now + delayMs });
  world.schedule(deliveryJob, now + delayMs, seq, delivery.endpoint);
  return seq;
}

/** Real milliseconds. */
const writeAgainMs = 1_000;

interface EngineOptions {
  readonly faults: Faults;
  /** The clock that signatures are made with, so that a receiver's tolerance holds. */
  readonly machine: Pick<Clock, 'now' | 'monotonic'>;
  readonly timeoutMs: number;
  /** Ends the attempts that begin now without recording their end: the sandbox closes, or forgets them. */
  readonly signal: () => AbortSignal;
  /** Told why the end of an attempt could not be written. */
  readonly failed: (error: unknown) => void;
}

interface DeliveryEngine {
  /** The handler for `deliveryJob`. */
  readonly handler: JobHandler;
  /** Judges the attempts that a killed sandbox left open. Call it before jobs run. */
  recover(): void;
}

interface Opened extends PreparedRequest {
  readonly attempt: OpenAttempt;
  readonly plan: AttemptPlan;
}

export function createDeliveryEngine(world: World, options: EngineOptions): DeliveryEngine {
  const { store, clock } = world;
  const { machine, timeoutMs } = options;

  const begin = async (_: World, job: Job): Promise<void> => {
    const delivery = readDelivery(store, Number(job.payload));
    if (delivery?.state !== 'PENDING') return world.unschedule(job);
    const bare = world.assume('webhook-credentials') === 'left-out';
    const url = bare ? withoutCredentials(delivery.url) : delivery.url;
    const signal = options.signal();
    const opened: { it?: Opened } = {};
    const prepare = () => {
      opened.it = store.transaction(() => {
        world.unschedule(job);
        return open(delivery);
      });
      return opened.it;
    };
    const begun = machine.monotonic();
    const posted = await post({ url, timeoutMs, signal, prepare });
    const durationMs = Math.round(machine.monotonic() - begun);
    const { it } = opened;
    // What was begun stays open in the records. The next start judges it as after a kill, unless it is forgotten by
    // then.
    if (posted === null || it === undefined) return;
    await writeWithRetry(() => close(it.attempt, posted.outcome, posted, durationMs), signal);
    for (let copy = 0; copy < it.plan.copies; copy += 1) {
      await post({ url, timeoutMs, signal, prepare: () => it });
    }
  };

  /**
   * Repeats a write until it succeeds: if an end stays unwritten (a full disk), its delivery waits until the next
   * start.
   */
  const writeWithRetry = async (write: () => void, signal: AbortSignal): Promise<void> => {
    for (let isTold = false; ; isTold = true) {
      try {
        return store.transaction(write);
      } catch (error) {
        if (signal.aborted) throw error;
        if (!isTold) options.failed(error);
      }
      await systemClock.sleep(writeAgainMs, signal);
    }
  };

  const open = (delivery: DeliveryRow): Opened => {
    const plan = options.faults.planAttempt({ event: delivery.name, endpoint: delivery.endpoint });
    const machineSeconds = Math.floor(machine.now() / 1_000);
    const isOnce = world.assume('signature-time') === 'first-attempt';
    const signedAt = (isOnce ? readFirstSignedAt(store, delivery.seq) : null) ?? machineSeconds;
    const signing = {
      header: world.assume('signature-header'),
      secret: delivery.secret,
      timestamp: signedAt,
      fixed: delivery.fixedSignature,
    };
    const { headers, body, timestamp } = buildAttemptRequest(envelopeOf(delivery), signing, plan);
    const attempt = { delivery: delivery.seq, endpoint: delivery.endpoint, number: delivery.attempts + 1 };
    const rewritten = plan.reserialise ? { body } : {};
    const seq = openAttempt(store, {
      ...attempt,
      now: clock.now(),
      request: JSON.stringify({ headers, t: timestamp, signedAt, faults: plan.fired, ...rewritten }),
    });
    return { attempt: { ...attempt, seq }, plan, headers, body: Buffer.from(body) };
  };

  const close = (
    attempt: OpenAttempt,
    outcome: AttemptOutcome,
    posted: PostResult | null,
    durationMs: number | null,
  ) => {
    const redirects = world.assume('webhook-redirect') === 'final' ? 'final' : 'retry';
    const backoffMs = readBackoff(world.assume('backoff-schedule'));
    const verdict = judgeAttempt(attempt.number, outcome, { redirects, backoffMs });
    const now = clock.now();
    const nextAt = verdict.retryInMs === null ? null : now + verdict.retryInMs;
    closeAttempt(store, attempt, {
      now,
      durationMs,
      outcome: JSON.stringify(outcome),
      response: posted?.response ? JSON.stringify(posted.response) : null,
      state: verdict.state,
      reason: verdict.reason,
      nextAt,
    });
    if (nextAt !== null) world.schedule(deliveryJob, nextAt, attempt.delivery, attempt.endpoint);
    // Only a later delivery overtakes a held one, not one from before: an attempt that was under way, or a retry.
    const overtaken = listHeldDeliveries(store, attempt.endpoint, attempt.delivery);
    for (const held of overtaken) world.rescheduleEarlier(deliveryJob, held, now);
  };

  return {
    handler: { begin },
    recover() {
      store.transaction(() => {
        for (const attempt of listOpenAttempts(store)) close(attempt, { kind: 'interrupted' }, null, null);
      });
    },
  };
}

const envelopeOf = (delivery: DeliveryRow) => ({
  id: delivery.envelopeId,
  event: delivery.name,
  createdAt: isoTime(delivery.occurredAt),
  data: delivery.data,
});
