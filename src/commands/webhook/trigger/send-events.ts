/** Sends signed events one after another, each to every application at once, and shows each once it is answered. */
import { signAt } from '../../../contract/signature.ts';
import { webhookLimits } from '../../../contract/webhook.ts';
import { timeoutOf } from '../../../flags/duration.ts';
import { isSuccessStatus } from '../../../forward/forward.ts';
import { refusalTextOf } from '../../../listener/forwarding/attempt.ts';
import { isUnreached } from '../../../listener/posting/exchange.ts';
import { baseEventHeaders, withHeaders } from '../../../listener/posting/extra-headers.ts';
import { createPost, type Post } from '../../../listener/posting/post.ts';
import type { Headers } from '../../../listener/store.ts';
import { postTraceOf } from '../../../runtime/post-trace.ts';
import type { Runtime } from '../../../runtime.ts';
import { type Triggered, triggeredViewFor } from './triggered-view.ts';

export interface Plan {
  /** Each event goes to all of them. */
  readonly urls: readonly string[];
  readonly times: number;
  /** Makes a new body for each event. */
  readonly make: () => Uint8Array;
  readonly secret: string;
  readonly signatureHeader: string;
  readonly headers: Headers;
}

/** What was sent to one application. */
export interface Sent {
  readonly url: string;
  readonly rows: readonly Triggered[];
  /** False if nobody was there for the last one. */
  readonly reached: boolean;
  /** The answer to the first one that was not accepted; null if it said nothing. */
  readonly answer: string | null;
}

/** An application while events are sent to it. */
interface Receiver {
  readonly url: string;
  readonly rows: Triggered[];
  reached: boolean;
  /** Undefined until it has not accepted one. */
  answer: string | null | undefined;
}

/** Sends the events. Leaves out an application that cannot be reached from then on, and ends early on a signal. */
export async function sendEvents(runtime: Runtime, plan: Plan): Promise<readonly Sent[]> {
  const { urls, times } = plan;
  const { post, close } = createPost(runtime.clock, {
    // Several addresses may be of one application.
    connections: urls.length,
    trace: await postTraceOf(runtime, plan.signatureHeader),
  });
  const receivers = urls.map((url): Receiver => ({ url, rows: [], reached: true, answer: undefined }));
  async function* each(): AsyncGenerator<Triggered> {
    for (let made = 1; made <= times && !runtime.signal.aborted; made += 1) {
      const there = receivers.filter(({ reached }) => reached);
      if (there.length === 0) return;
      const body = plan.make();
      const sending = there.map((to) => sendTo(to, runtime, plan, body, withHeaders(post, plan.headers)));
      const rows = await Promise.all(sending);
      const reached = there.filter((to) => to.reached);
      if (reached.length > 0)
        runtime.flight.completed = {
          what: `${made} of ${times} events were sent to ${reached.map(({ url }) => url).join(' and ')}.`,
          hint: 'Running it again sends further events.',
        };
      yield* rows;
    }
  }
  try {
    await (await runtime.output()).each(triggeredViewFor(urls), each());
  } finally {
    close();
  }
  return receivers.map(({ answer, ...sent }) => ({ ...sent, answer: answer?.trim() || null }));
}

async function sendTo(
  to: Receiver,
  runtime: Runtime,
  plan: Plan,
  body: Uint8Array,
  post: Post,
): Promise<Triggered> {
  const result = await post({
    url: to.url,
    body,
    headers: [
      ...baseEventHeaders,
      [plan.signatureHeader, signAt({ secret: plan.secret, body, now: runtime.clock.now() })],
    ],
    timeoutMs: timeoutOf(runtime.globals) ?? webhookLimits.timeoutMs,
    signal: runtime.signal,
  });
  const { id, event } = JSON.parse(new TextDecoder().decode(body)) as { id: unknown; event: unknown };
  const row: Triggered = {
    id: String(id),
    event: String(event),
    url: to.url,
    status: result.status ?? null,
    ms: Math.round(result.ms),
    error: result.error ?? null,
  };
  to.rows.push(row);
  to.reached = !isUnreached(result);
  if (to.answer === undefined && !isSuccessStatus(row.status)) to.answer = refusalTextOf(result);
  return row;
}
