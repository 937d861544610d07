/**
 * What becomes of one delivery: verified over its raw bytes before anything is parsed, stored durably,
 * and only then answered with 2xx (document: "Signature header", "Delivery rules").
 */
import type { Clock } from '../clock.ts';
import { type Verified, verify } from '../contract/signature.ts';
import { explain } from '../contract/signature-explain.ts';
import { type EventFacts, eventFacts, fingerprint } from './event-facts.ts';
import type { Forwarder } from './forwarder.ts';
import type { PostResult } from './post.ts';
import type { EventReport, RejectedReport } from './report.ts';
import type { Arrival, Headers, Owed, Store, Stored } from './store.ts';

export interface ReceiverOptions {
  readonly store: Store;
  readonly clock: Clock;
  /** Signing secrets of this listener's endpoints by their fingerprint; null until they are known. */
  readonly secrets: () => ReadonlyMap<string, string> | null;
  /** Of endpoints that are not this listener's, though they may be delivered here. */
  readonly others: () => readonly OtherSecret[];
  readonly signatureHeader: string;
  /** Null: any `t`. */
  readonly toleranceMs: number | null;
  readonly forwarder: Forwarder;
  /** Whether an event of this name is forwarded at all in this run. */
  readonly forwards: (event: string) => boolean;
  /** `store`: 200 once stored. `app`: the application's own status. */
  readonly ack: 'store' | 'app';
  /** Called once the event is stored; `forwarding`: its report follows with the first attempt. */
  readonly onStored: (report: EventReport, forwarding: boolean) => void;
  readonly onRejected: (report: RejectedReport) => void;
}

/** A secret that a refused delivery may be signed with, and what that says of it. */
export interface OtherSecret {
  readonly secret: string;
  readonly told: string;
}

const explainLimit = 64 * 1024;
const explainEveryMs = 200;

export interface Answer {
  readonly status: number;
  readonly body: string;
}

export interface Receiver {
  receive(headers: Headers, body: Uint8Array): Promise<Answer>;
  /** Takes in an event made here (`--poll`), signed by the caller. */
  takeSynthetic(headers: Headers, body: Uint8Array, secret: string): Promise<Stored>;
}

type Coming = Pick<Arrival, 'headers' | 'body' | 'origin'>;

interface Taken {
  readonly stored: Stored;
  readonly event: string;
  readonly owedAs: (stored: Stored) => Owed;
}

export function createReceiver(options: ReceiverOptions): Receiver {
  const { store, clock, forwarder } = options;
  const headerName = options.signatureHeader.toLowerCase();
  const relaying = new Map<string, Promise<PostResult>>();
  let explainedAt = Number.NEGATIVE_INFINITY;

  /** Whose it is, though not this listener's; else why it is nobody's. */
  function mismatch(secret: string, body: Uint8Array, header: readonly string[], message: string): string {
    const { toleranceMs } = options;
    const isTheirs = (other: string) =>
      verify({ secret: other, body, header, now: clock.now(), toleranceMs }).ok;
    const theirs = options.others().find((other) => isTheirs(other.secret));
    return theirs === undefined ? why(secret, body, header, message) : `${message}: it is ${theirs.told}`;
  }

  /** Which step differs, where a usual mistake explains it. Seldom, because a stranger may be sending. */
  function why(secret: string, body: Uint8Array, header: readonly string[], message: string): string {
    const now = clock.monotonic();
    if (body.byteLength > explainLimit || now - explainedAt < explainEveryMs) return message;
    explainedAt = now;
    const { cause } = explain({ secret, body, header, now: clock.now(), toleranceMs: options.toleranceMs });
    return cause === null ? message : `${message}: ${cause}`;
  }

  const relays = (origin: Arrival['origin'], event: string): boolean =>
    options.ack === 'app' && origin === 'delivery' && options.forwards(event);

  function forwardOf(origin: Arrival['origin'], event: string): Arrival['forward'] {
    if (relays(origin, event) || !options.forwards(event)) return 'none';
    return forwarder.hasRoom(event) ? 'claim' : 'leave';
  }

  /** Forwarding begins once the event is written; what answers waits for the disk. */
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
    const written = (stored: Stored) => {
      const { duplicate } = stored;
      const forwarding = !duplicate && (forward === 'claim' || relays(origin, event));
      // A change seen again by `--poll` is no news; a repeated delivery is.
      if (!duplicate || origin === 'delivery') {
        const asked = duplicate && stored.state !== 'DELIVERED' && relays(origin, event);
        options.onStored(reportOf(arrival, facts, stored, asked), forwarding);
      }
      if (!duplicate && forward === 'claim') forwarder.offer(owedAs(stored));
    };
    forwarder.arrived();
    try {
      return { stored: await store.add(arrival, written), event, owedAs };
    } finally {
      forwarder.stored();
    }
  }

  async function relayed(stored: Stored, owed: Owed): Promise<Answer> {
    if (stored.state === 'DELIVERED') return received(true);
    const running = relaying.get(stored.key) ?? forwarder.relay(owed);
    relaying.set(stored.key, running);
    try {
      const result = await running;
      const { status } = result;
      if (status === undefined) return answer(502, { error: `the application ${result.error}` });
      // What is below ends nothing: whoever delivers would wait for more.
      if (status < 200) return answer(502, { error: `the application answered ${status}` });
      return answer(status, { application: status });
    } finally {
      relaying.delete(stored.key);
    }
  }

  return {
    async receive(headers, body) {
      const secrets = options.secrets();
      if (secrets === null) return answer(503, { error: 'not ready: the signing secret is not known yet' });
      const header = headers.filter(([name]) => name.toLowerCase() === headerName).map(([, value]) => value);
      const { source, secret, verified } = verifyWithAny(
        secrets,
        header,
        body,
        clock.now(),
        options.toleranceMs,
      );
      if (!verified.ok) {
        const { reason, message } = verified;
        const told = reason === 'signature-mismatch' ? mismatch(secret, body, header, message) : message;
        options.onRejected(rejection(reason, told, 400));
        return answer(400, { error: verified.message });
      }
      const { stored, event, owedAs } = await take({ headers, body, origin: 'delivery' }, source);
      return relays('delivery', event) ? relayed(stored, owedAs(stored)) : received(stored.duplicate);
    },
    takeSynthetic: async (headers, body, secret) =>
      (await take({ headers, body, origin: 'poll' }, fingerprint(secret))).stored,
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

interface Judged {
  readonly source: string;
  readonly secret: string;
  readonly verified: Verified;
}

function verifyWithAny(
  secrets: ReadonlyMap<string, string>,
  header: readonly string[],
  body: Uint8Array,
  now: number,
  toleranceMs: number | null,
): Judged {
  let first: Judged | null = null;
  for (const [source, secret] of secrets) {
    const verified = verify({ secret, body, header, now, toleranceMs });
    // A signature that matches and is only too old tells more than a mismatch under another secret.
    if (verified.ok || verified.reason.startsWith('timestamp-')) return { source, secret, verified };
    first ??= { source, secret, verified };
  }
  if (first === null) throw new TypeError('a listener needs a secret');
  return first;
}

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
  ...(facts.odd === null ? {} : { odd: facts.odd }),
  ...(asked ? { asked } : {}),
  key: stored.key,
});

const answer = (status: number, body: object): Answer => ({ status, body: JSON.stringify(body) });
const received = (duplicate: boolean): Answer => (duplicate ? receivedAgain : receivedOnce);
const receivedOnce: Answer = { status: 200, body: '{"received":true}' };
const receivedAgain: Answer = { status: 200, body: '{"received":true,"duplicate":true}' };
