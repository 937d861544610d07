/**
 * Receives one delivery: verifies its raw bytes before parsing anything, stores it durably, and only then answers with
 * 2xx (document: "Signature header", "Delivery rules").
 */
import { type EventFacts, fingerprint, parseEventFacts } from '../event-facts.ts';
import type { Forwarder } from '../forwarding/forwarder.ts';
import type { PostResult } from '../posting/post.ts';
import type { EventReport, RejectedReport } from '../report.ts';
import type { Headers, NewDelivery, OwedEvent, Store, StoreResult } from '../store.ts';
import { createDeliveryVerifier, type DeliveryVerifierOptions } from './delivery-verifier.ts';

export interface ReceiverOptions extends DeliveryVerifierOptions {
  readonly store: Store;
  /** Signing secrets of this listener's endpoints, by their fingerprints; null until they are known. */
  readonly secrets: () => ReadonlyMap<string, string> | null;
  readonly forwarder: Forwarder;
  /** Whether an event of this name is forwarded at all in this run. */
  readonly isForwarded: (event: string) => boolean;
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
  receiveSynthetic(headers: Headers, body: Uint8Array, secret: string): Promise<StoreResult>;
}

type IncomingDelivery = Pick<NewDelivery, 'headers' | 'body' | 'origin'>;

interface StoredDelivery {
  readonly stored: StoreResult;
  /** With `--ack app`: the application's own answer. */
  readonly relay: Promise<Answer> | null;
}

export function createReceiver(options: ReceiverOptions): Receiver {
  const { store, clock, forwarder } = options;
  const verifyDelivery = createDeliveryVerifier(options);
  const relayAnswer = createRelay(forwarder);

  const isRelayed = (origin: NewDelivery['origin'], event: string): boolean =>
    options.ack === 'app' && origin === 'delivery' && options.isForwarded(event);

  function forwardModeOf(origin: NewDelivery['origin'], event: string): NewDelivery['forward'] {
    if (isRelayed(origin, event) || !options.isForwarded(event)) return 'none';
    return forwarder.hasRoom(event) ? 'claim' : 'leave';
  }

  /** Stores an event. Forwarding begins once it is written, while the answer waits for the disk. */
  async function storeDelivery(delivery: IncomingDelivery, source: string): Promise<StoredDelivery> {
    const facts = parseEventFacts(delivery.body);
    const { id: eventId, event } = facts;
    const { headers, body, origin } = delivery;
    const forward = forwardModeOf(origin, event);
    const arrival = { headers, body, origin, source, eventId, event, forward };
    const receivedAt = clock.now();
    const toOwedEvent = ({ key, attempts }: StoreResult): OwedEvent => {
      return { ...arrival, failures: 0, receivedAt, target: null, key, attempts };
    };
    let relay = null as StoredDelivery['relay'];
    const onWritten = (stored: StoreResult) => {
      const { duplicate } = stored;
      const forwarding = !duplicate && (forward === 'claim' || isRelayed(origin, event));
      // A change that `--poll` sees again is no news; a repeated delivery is.
      if (!duplicate || origin === 'delivery') {
        const asked = duplicate && stored.state !== 'DELIVERED' && isRelayed(origin, event);
        options.onStored(reportOf(arrival, facts, stored, asked), forwarding);
      }
      if (!duplicate && forward === 'claim') forwarder.enqueue(toOwedEvent(stored));
      if (!isRelayed(origin, event)) return;
      // Decided here, because the event's state may have changed by the time that the disk has it.
      relay = relayAnswer(stored, toOwedEvent(stored));
      relay.catch(() => {});
    };
    forwarder.deliveryStarted();
    try {
      return { stored: await store.add(arrival, onWritten), relay };
    } finally {
      forwarder.deliveryFinished();
    }
  }

  return {
    async receive(headers, body) {
      const secrets = options.secrets();
      if (secrets === null) {
        options.onRejected(
          createRejectedReport(notReady, 'it came before the signing secret was known', 503),
        );
        return refusal(503, 'not ready: the signing secret is not known yet');
      }
      const judged = verifyDelivery(secrets, headers, body);
      if (!judged.ok) {
        options.onRejected(createRejectedReport(judged.reason, judged.operatorMessage, 400));
        return refusal(400, judged.message);
      }
      const { stored, relay } = await storeDelivery({ headers, body, origin: 'delivery' }, judged.source);
      return relay ?? acknowledgement(stored.duplicate);
    },
    receiveSynthetic: async (headers, body, secret) =>
      (await storeDelivery({ headers, body, origin: 'poll' }, fingerprint(secret))).stored,
  };
}

/** Answers with the application's own status. Simultaneous deliveries of one event share one attempt. */
function createRelay(forwarder: Forwarder): (stored: StoreResult, owed: OwedEvent) => Promise<Answer> {
  const relaying = new Map<string, Promise<PostResult>>();
  return async (stored, owed) => {
    if (stored.state === 'DELIVERED') return acknowledgement(true);
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

export const createRejectedReport = (reason: string, message: string, answered: number): RejectedReport => ({
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

const reportOf = (
  arrival: NewDelivery,
  facts: EventFacts,
  stored: StoreResult,
  asked: boolean,
): EventReport => ({
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
  ...oddityOf(facts, stored),
  ...(asked ? { asked } : {}),
  key: stored.key,
});

function oddityOf({ odd }: EventFacts, { changed }: StoreResult): Pick<EventReport, 'odd'> {
  if (changed)
    return { odd: 'its body differs from the earlier one with its id, and only the earlier one is kept' };
  return odd === null ? {} : { odd };
}

const answer = (status: number, body: object): Answer => ({ status, body: JSON.stringify(body) });
const refusal = (status: number, error: string): Answer => ({ ...answer(status, { error }), refused: true });
const acknowledgement = (duplicate: boolean): Answer => (duplicate ? receivedAgain : receivedOnce);
const receivedOnce: Answer = { status: 200, body: '{"received":true}' };
const receivedAgain: Answer = { status: 200, body: '{"received":true,"duplicate":true}' };
