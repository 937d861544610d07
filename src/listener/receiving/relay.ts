/** `--ack app`: a delivery is answered with the status of the application. */
import { isSuccessStatus } from '../../forward/forward.ts';
import type { Forwarder } from '../forwarding/forwarder.ts';
import type { PostResult } from '../posting/post.ts';
import type { OwedEvent, StoreResult } from '../store.ts';
import { type Answer, acknowledgement, answer } from './answer.ts';

/**
 * Answers with the application's own status; of several, 2xx only once all have accepted the event. A repeated delivery
 * goes to those that have not. Simultaneous deliveries of one event share one attempt at each.
 */
export function createRelay(
  forwarder: Pick<Forwarder, 'relay'>,
): (stored: StoreResult, owed: readonly OwedEvent[]) => Promise<Answer> {
  const relaying = new Map<string, Promise<PostResult>>();

  async function relay(owed: OwedEvent): Promise<Answer> {
    const running = relaying.get(owed.key) ?? forwarder.relay(owed);
    relaying.set(owed.key, running);
    try {
      return answerOf(await running);
    } finally {
      relaying.delete(owed.key);
    }
  }

  return async (stored, owed) => {
    if (stored.state === 'DELIVERED') return acknowledgement(true);
    const accepted = new Set(
      stored.targets?.filter(({ state }) => state === 'DELIVERED').map(({ key }) => key),
    );
    return worstOf(await Promise.all(owed.filter(({ key }) => !accepted.has(key)).map(relay)));
  };
}

function answerOf(result: PostResult): Answer {
  const { status } = result;
  if (status === undefined) return answer(502, { error: `the application ${result.error}` });
  // A status below 200 does not end an answer: the sender would wait for more.
  if (status < 200) return answer(502, { error: `the application answered ${status}` });
  return answer(status, { application: status });
}

/**
 * A refusal after which the service delivers again goes before one that is final (4xx): otherwise the application that
 * could not be reached would never get the event.
 */
function worstOf(answers: readonly Answer[]): Answer {
  const refusals = answers.filter(({ status }) => !isSuccessStatus(status));
  const worst = refusals.find(({ status }) => status >= 500) ?? refusals[0] ?? answers[0];
  if (worst === undefined) throw new Error('an event that is owed to nobody was to be relayed');
  return worst;
}
