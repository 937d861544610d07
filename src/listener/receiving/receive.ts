/**
 * Receives one delivery: verifies its raw bytes before parsing anything, stores it durably, and only then answers with
 * 2xx (document: "Signature header", "Delivery rules").
 */
import { shownState } from '../../forward/forward.ts';
import { type EventFacts, fingerprint, parseEventFacts } from '../event-facts.ts';
import type { Forwarder } from '../forwarding/forwarder.ts';
import type { EventReport, RejectedReport } from '../report.ts';
import type { Headers, NewDelivery, OwedEvent, Store, StoreResult } from '../store.ts';
import { type Answer, acknowledgement, answer } from './answer.ts';
import { createDeliveryVerifier, type DeliveryVerifierOptions } from './delivery-verifier.ts';
import { createRelay } from './relay.ts';

export type { Answer };

export interface ReceiverOptions extends DeliveryVerifierOptions {
  readonly store: Store;
  /** Signing secrets of this listener's endpoints, by their fingerprints; null until they are known. */
  readonly secrets: () => ReadonlyMap<string, string> | null;
  readonly forwarder: Forwarder;
  /** Whether an event of this name is forwarded at all in this run. */
  readonly isForwarded: (event: string) => boolean;
  /** All addresses of an event of this name if there are several; else null. */
  readonly severalFor: (event: string) => readonly string[] | null;
  /** `store`: 200 once stored. `app`: the application's own status. */
  readonly ack: 'store' | 'app';
  /** Called once the event is stored. `pending`: what is attempted now. */
  readonly onStored: (report: EventReport, pending: readonly OwedEvent[]) => void;
  readonly onRejected: (report: RejectedReport) => void;
}

/** The reason for refusing one that comes while the endpoint is being registered. */
export const notReady = 'not-ready';

const notStored = 'it is genuine, but could not be stored: the service tries three times in all';

export interface Receiver {
  receive(headers: Headers, body: Uint8Array): Promise<Answer>;
  /** Takes an event that was made here (`--poll`) and signed by the caller. */
  receiveSynthetic(headers: Headers, body: Uint8Array, secret: string): Promise<StoreResult>;
}

type IncomingDelivery = Pick<NewDelivery, 'headers' | 'body' | 'origin'>;

type OwedTo = 'forward' | 'target' | 'further';

/** How the event goes to the application at this place. */
const modeAt = ({ forward, further = [] }: Pick<NewDelivery, OwedTo>, at: number): NewDelivery['forward'] =>
  at === 0 ? forward : (further[at - 1]?.forward ?? 'none');

const isClaimed = ({ forward, further }: Pick<NewDelivery, OwedTo>): boolean =>
  forward === 'claim' || further?.some((each) => each.forward === 'claim') === true;

const nobody: readonly OwedEvent[] = [];

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

  function forwardModeOf(
    origin: NewDelivery['origin'],
    event: string,
    target: string | null,
  ): NewDelivery['forward'] {
    if (isRelayed(origin, event) || !options.isForwarded(event)) return 'none';
    return forwarder.hasRoom(event, target) ? 'claim' : 'leave';
  }

  /** Says who is owed the event, and who of them gets it at once: one that has no room does not hold up another. */
  function whereTo(origin: NewDelivery['origin'], event: string): Pick<NewDelivery, OwedTo> {
    const several = options.severalFor(event);
    if (several === null) return { forward: forwardModeOf(origin, event, null) };
    const modes = several.map((target) => ({ target, forward: forwardModeOf(origin, event, target) }));
    const [first, ...further] = modes as [(typeof modes)[number], ...typeof modes];
    return { ...first, further };
  }

  /** Stores an event. Forwarding begins once it is written, while the answer waits for the disk. */
  async function storeDelivery(delivery: IncomingDelivery, source: string): Promise<StoredDelivery> {
    const facts = parseEventFacts(delivery.body);
    const { id: eventId, event } = facts;
    const { headers, body, origin } = delivery;
    const arrival = { headers, body, origin, source, eventId, event, ...whereTo(origin, event) };
    const receivedAt = clock.now();
    const toOwedEvent = (owed: Pick<OwedEvent, 'key' | 'attempts' | 'target'>): OwedEvent => ({
      ...{ headers, body, source, eventId, event, failures: 0, receivedAt },
      ...{ key: owed.key, attempts: owed.attempts, target: owed.target },
    });
    const relayed = isRelayed(origin, event);
    let relay = null as StoredDelivery['relay'];
    let isWritten = false;
    // biome-ignore lint/complexity/noExcessiveCognitiveComplexity: measured, for every delivery comes through here.
    const onWritten = (stored: StoreResult) => {
      isWritten = true;
      const { duplicate, key, attempts } = stored;
      const claims = !duplicate && isClaimed(arrival);
      // Most deliveries are stored for nobody, or for one application.
      const owed =
        claims || relayed ? (stored.targets ?? [{ key, attempts, target: null }]).map(toOwedEvent) : nobody;
      const claimed = claims ? owed.filter((_, at) => modeAt(arrival, at) === 'claim') : nobody;
      // A change that `--poll` sees again is no news; a repeated delivery is.
      if (!duplicate || origin === 'delivery') {
        const asked = duplicate && stored.state !== 'DELIVERED' && relayed;
        options.onStored(reportOf(arrival, facts, stored, asked), !duplicate && relayed ? owed : claimed);
      }
      for (const one of claimed) forwarder.enqueue(one);
      if (!relayed) return;
      // Decided here, because the event's state may have changed by the time that the disk has it.
      relay = relayAnswer(stored, owed);
      relay.catch(() => {});
    };
    forwarder.deliveryStarted();
    try {
      return { stored: await store.add(arrival, onWritten), relay };
    } catch (cause) {
      // What only the disk does not have yet was told, and may be forwarded.
      if (origin === 'delivery' && !isWritten)
        options.onRejected({ ...createRejectedReport('not-stored', notStored, 500), verified: true });
      throw cause;
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
  state: shownState(stored.state),
  amount: facts.amount,
  status: facts.status,
  ...(arrival.origin === 'poll' ? { synthetic: 'poll' as const } : {}),
  ...oddityOf(facts, stored),
  ...(asked ? { asked } : {}),
  ...(stored.targets === undefined ? {} : { targets: stored.targets.map(({ target }) => target) }),
  key: stored.key,
});

function oddityOf({ odd }: EventFacts, { changed }: StoreResult): Pick<EventReport, 'odd'> {
  if (changed)
    return { odd: 'its body differs from the earlier one with its id, and only the earlier one is kept' };
  return odd === null ? {} : { odd };
}

const refusal = (status: number, error: string): Answer => ({ ...answer(status, { error }), refused: true });
