/** Sends signed events to an application one after another, and shows each as it is answered. */
import { signAt } from '../../../contract/signature.ts';
import { isSuccessStatus } from '../../../forward/forward.ts';
import { refusalTextOf } from '../../../listener/forwarding/attempt.ts';
import { isUnreached } from '../../../listener/posting/exchange.ts';
import { baseEventHeaders, withHeaders } from '../../../listener/posting/extra-headers.ts';
import { createPost, type Post } from '../../../listener/posting/post.ts';
import type { Headers } from '../../../listener/store.ts';
import { postTraceOf } from '../../../runtime/post-trace.ts';
import type { Runtime } from '../../../runtime.ts';
import { answerTimeMs } from '../answer-time.ts';
import { type Triggered, triggeredView } from './triggered-view.ts';

export interface Plan {
  readonly url: string;
  readonly times: number;
  /** Makes a new body for each event. */
  readonly make: () => Uint8Array;
  readonly secret: string;
  readonly signatureHeader: string;
  readonly headers: Headers;
}

export interface Sent {
  readonly rows: readonly Triggered[];
  /** False if nobody was there for the last one. */
  readonly reached: boolean;
  /** The answer to the first one that was not accepted; null if it said nothing. */
  readonly answer: string | null;
}

/** Sends the events. Ends early if the application cannot be reached, or on a signal. */
export async function sendEvents(runtime: Runtime, plan: Plan): Promise<Sent> {
  const { post, close } = createPost(runtime.clock, {
    connections: 1,
    trace: await postTraceOf(runtime, plan.signatureHeader),
  });
  const rows: Triggered[] = [];
  let reached = true;
  let answer: string | null | undefined;
  async function* each(): AsyncGenerator<Triggered> {
    while (rows.length < plan.times && reached && !runtime.signal.aborted) {
      const sent = await sendOne(runtime, plan, withHeaders(post, plan.headers));
      rows.push(sent.row);
      ({ reached } = sent);
      if (reached)
        runtime.flight.completed = {
          what: `${rows.length} of ${plan.times} events were sent to ${plan.url}.`,
          hint: 'Running it again sends further events.',
        };
      if (answer === undefined && !isSuccessStatus(sent.row.status)) answer = sent.answer;
      yield sent.row;
    }
  }
  try {
    await (await runtime.output()).each(triggeredView, each());
  } finally {
    close();
  }
  return { rows, reached, answer: answer?.trim() || null };
}

async function sendOne(
  runtime: Runtime,
  plan: Plan,
  post: Post,
): Promise<{ row: Triggered; reached: boolean; answer: string | null }> {
  const body = plan.make();
  const result = await post({
    url: plan.url,
    body,
    headers: [
      ...baseEventHeaders,
      [plan.signatureHeader, signAt({ secret: plan.secret, body, now: runtime.clock.now() })],
    ],
    timeoutMs: answerTimeMs(runtime),
    signal: runtime.signal,
  });
  const { id, event } = JSON.parse(new TextDecoder().decode(body)) as { id: unknown; event: unknown };
  return {
    row: {
      id: String(id),
      event: String(event),
      url: plan.url,
      status: result.status ?? null,
      ms: Math.round(result.ms),
      error: result.error ?? null,
    },
    reached: !isUnreached(result),
    answer: refusalTextOf(result),
  };
}
