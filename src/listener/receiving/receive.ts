/**
 * Receives one delivery: verifies its raw bytes before parsing anything, stores it durably, and only then answers with
 * 2xx (document: "Signature header", "Delivery rules").
 */
import { type EventFacts, eventFacts, fingerprint } from '../event-facts.ts';
import type { Forwarder } from '../forwarding/forwarder.ts';
import type { PostResult } from '../posting/post.ts';
import type { EventReport, RejectedReport } from '../report.ts';
import type { Arrival, Headers, Owed, Store, Stored } from '../store.ts';
import { createJudge, type JudgeOptions } from './judge.ts';

export interface ReceiverOptions extends JudgeOptions {
  readonly store: Store;
  /** Signing secrets of this listener's endpoints, by their fingerprints; null until they are known. */
  readonly secrets: () => ReadonlyMap<string, string> | null;
  readonly forwarder: Forwarder;
  /** Whether an event of this name is forwarded at all in this run. */
  readonly forwards: (event: string) => boolean;
  /** `store`: 200 once stored. `app`: the application's own status. */
  readonly ack: 'store' | 'app';
  /** Called once the event is stored. `forwarding`: its report follows with the first attempt. */
  readonly onStored: (report: EventReport, forwarding: boolean) => void;
  readonly onRejected: (report: RejectedReport) => void;
}

/** The reason for refusing one that comes while the endpoint is being registered. */
export const notReady = 'not-ready';

export interface Answer {
  readonly status: number;
  readonly body: string;
  /** Anybody may have sent it: it is not genuine, or came too early to be judged. */
  readonly refused?: true;
}

export interface Receiver {
  receive(headers: Headers, body: Uint8Array): Promise<Answer>;
  /** Takes an event that was made here (`--poll`) and signed by the caller. */
  takeSynthetic(headers: Headers, body: Uint8Array, secret: string): Promise<Stored>;
}

type Coming = Pick<Arrival, 'headers' | 'body' | 'origin'>;

interface Taken {
  readonly stored: Stored;
  /** With `--ack app`: the application's own answer. */
  readonly relay: Promise<Answer> | null;
}

export function createReceiver(options: ReceiverOptions): Receiver {
  const { store, clock, forwarder } = options;
  const judge = createJudge(options);
  const relayed = createRelay(forwarder);

  const relays = (origin: Arrival['origin'], event: string): boolean =>
    options.ack === 'app' && origin === 'delivery' && options.forwards(event);

  function forwardOf(origin: Arrival['origin'], event: string): Arrival['forward'] {
    if (relays(origin, event) || !options.forwards(event)) return 'none';
    return forwarder.hasRoom(event) ? 'claim' : 'leave';
  }

  /** Stores an event. Forwarding begins once it is written, while the answer waits for the disk. */
  async function take(coming: Coming, source: string): Promise<Taken> {
    const facts = eventFacts(coming.body);
    const { id: eventId, event } = facts;
    const { headers, body, origin } = coming;
    const forward = forwardOf(origin, event);
    const arrival = { headers, body, origin, source, eventId, event, forward };
    const receivedAt = clock.now();
    const owedAs = ({ key, attempts }: Stored): Owed => {
      return { ...arrival, failures: 0, receivedAt, target: null, key, attempts };
    };
    let relay = null as Taken['relay'];
    const written = (stored: Stored) => {
      const { duplicate } = stored;
      const forwarding = !duplicate && (forward === 'claim' || relays(origin, event));
      // A change that `--poll` sees again is no news; a repeated delivery is.
      if (!duplicate || origin === 'delivery') {
        const asked = duplicate && stored.state !== 'DELIVERED' && relays(origin, event);
        options.onStored(reportOf(arrival, facts, stored, asked), forwarding);
      }
      if (!duplicate && forward === 'claim') forwarder.offer(owedAs(stored));
      if (!relays(origin, event)) return;
      // Decided here, because the event's state may have changed by the time that the disk has it.
      relay = relayed(stored, owedAs(stored));
      relay.catch(() => {});
    };
    forwarder.arrived();
    try {
      return { stored: await store.add(arrival, written), relay };
    } finally {
      forwarder.stored();
    }
  }

  return {
    async receive(headers, body) {
      const secrets = options.secrets();
      if (secrets === null) {
        options.onRejected(rejection(notReady, 'it came before the signing secret was known', 503));
        return refusal(503, 'not ready: the signing secret is not known yet');
      }
      const judged = judge(secrets, headers, body);
      if (!judged.ok) {
        options.onRejected(rejection(judged.reason, judged.told, 400));
        return refusal(400, judged.message);
      }
      const { stored, relay } = await take({ headers, body, origin: 'delivery' }, judged.source);
      return relay ?? received(stored.duplicate);
    },
    takeSynthetic: async (headers, body, secret) =>
      (await take({ headers, body, origin: 'poll' }, fingerprint(secret))).stored,
  };
}

/** Answers with the application's own status. Simultaneous deliveries of one event share one attempt. */
function createRelay(forwarder: Forwarder): (stored: Stored, owed: Owed) => Promise<Answer> {
  const relaying = new Map<string, Promise<PostResult>>();
  return async (stored, owed) => {
    if (stored.state === 'DELIVERED') return received(true);
    const running = relaying.get(stored.key) ?? forwarder.relay(owed);
    relaying.set(stored.key, running);
    try {
      const result = await running;
      const { status } = result;
      if (status === undefined) return answer(502, { error: `the application ${result.error}` });
      // A status below 200 does not end an answer: the sender would wait for more.
      if (status < 200) return answer(502, { error: `the application answered ${status}` });
      return answer(status, { application: status });
    } finally {
      relaying.delete(stored.key);
    }
  };
}

export const rejection = (reason: string, message: string, answered: number): RejectedReport => ({
  type: 'rejected',
  id: null,
  event: null,
  verified: false,
  duplicate: false,
  forward: null,
  reason,
  message,
  answered,
});

const reportOf = (arrival: Arrival, facts: EventFacts, stored: Stored, asked: boolean): EventReport => ({
  type: 'event',
  id: facts.id,
  event: facts.event,
  verified: true,
  duplicate: stored.duplicate,
  forward: null,
  state: stored.state,
  amount: facts.amount,
  status: facts.status,
  ...(arrival.origin === 'poll' ? { synthetic: 'poll' as const } : {}),
  ...oddity(facts, stored),
  ...(asked ? { asked } : {}),
  key: stored.key,
});

function oddity({ odd }: EventFacts, { changed }: Stored): Pick<EventReport, 'odd'> {
  if (changed)
    return { odd: 'its body differs from the earlier one with its id, and only the earlier one is kept' };
  return odd === null ? {} : { odd };
}

const answer = (status: number, body: object): Answer => ({ status, body: JSON.stringify(body) });
const refusal = (status: number, error: string): Answer => ({ ...answer(status, { error }), refused: true });
const received = (duplicate: boolean): Answer => (duplicate ? receivedAgain : receivedOnce);
const receivedOnce: Answer = { status: 200, body: '{"received":true}' };
const receivedAgain: Answer = { status: 200, body: '{"received":true,"duplicate":true}' };
