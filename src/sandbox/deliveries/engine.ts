/**
 * The delivery engine (document: "Delivery rules", "Retry policy"). An attempt is recorded, in one
 * transaction with the removal of its job, before a byte of it is sent; so a kill at any moment can neither
 * lose a delivery nor let one be sent more than three times. An attempt whose end was never recorded may
 * have arrived: it counts as a failed one.
 */
import { isoTime } from '../../clock.ts';
import { type AttemptOutcome, judgeAttempt } from '../delivery-policy.ts';
import type { Faults } from '../faults/faults.ts';
import type { JobHandler, World } from '../world.ts';
import { type Post, type Posted, post } from './post.ts';
import {
  closeAttempt,
  type DeliveryRow,
  heldDeliveries,
  type OpenAttempt,
  openAttempt,
  openAttempts,
  readDelivery,
} from './records.ts';
import { attemptRequest } from './request.ts';

/** Kind of the job that makes one attempt; its payload is the delivery's number, its lane the endpoint. */
export const deliveryJob = 'delivery';

export interface EngineOptions {
  readonly faults: Faults;
  /** The machine's time, in milliseconds: signatures are made with it, so that a receiver's tolerance holds. */
  readonly machineNow: () => number;
  readonly monotonic: () => number;
  readonly timeoutMs: number;
  /** Ends attempts under way: the sandbox is closing. */
  readonly signal: AbortSignal;
}

export interface DeliveryEngine {
  /** For `deliveryJob`: records the attempt, and sends it after the commit. */
  readonly handler: JobHandler;
  /** Judges the attempts that a killed sandbox left open. To be called before jobs run. */
  recover(): void;
}

export function deliveryEngine(world: World, options: EngineOptions): DeliveryEngine {
  const { store, clock } = world;

  const close = (
    attempt: OpenAttempt,
    outcome: AttemptOutcome,
    posted: Posted | null,
    durationMs: number | null,
  ) => {
    const redirects = world.assume('webhook-redirect') === 'final' ? 'final' : 'retry';
    const verdict = judgeAttempt(attempt.number, outcome, redirects);
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
    for (const held of heldDeliveries(store, attempt.endpoint)) world.hasten(deliveryJob, held, now);
  };

  const send = async (attempt: OpenAttempt, request: Post, copies: number): Promise<void> => {
    const begun = options.monotonic();
    const posted = await post(request);
    const durationMs = Math.round(options.monotonic() - begun);
    // Closing: the attempt stays open in the records and is judged at the next start, as after a kill.
    if (options.signal.aborted) return;
    store.transaction(() => close(attempt, posted.outcome, posted, durationMs));
    for (let copy = 0; copy < copies; copy += 1) await post(request);
  };

  const attempt = (delivery: DeliveryRow) => {
    const plan = options.faults.attempt({ event: delivery.name, endpoint: delivery.endpoint });
    const signing = {
      header: world.assume('signature-header'),
      secret: delivery.secret,
      timestamp: Math.floor(options.machineNow() / 1_000),
      fixed: delivery.fixedSignature,
    };
    const { headers, body, timestamp } = attemptRequest(envelopeOf(delivery), signing, plan);
    const opened = { delivery: delivery.seq, endpoint: delivery.endpoint, number: delivery.attempts + 1 };
    const rewritten = plan.reserialise ? { body } : {};
    const seq = openAttempt(store, {
      ...opened,
      now: clock.now(),
      request: JSON.stringify({ headers, t: timestamp, faults: plan.fired, ...rewritten }),
    });
    const { timeoutMs, signal } = options;
    const request = { url: delivery.url, headers, body: Buffer.from(body), timeoutMs, signal };
    return () => send({ ...opened, seq }, request, plan.copies);
  };

  return {
    handler: {
      run(_, job) {
        const delivery = readDelivery(store, Number(job.payload));
        return delivery?.state === 'PENDING' ? attempt(delivery) : undefined;
      },
    },
    recover() {
      store.transaction(() => {
        for (const open of openAttempts(store)) close(open, { kind: 'interrupted' }, null, null);
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
