/**
 * What a receiver must survive (document: "Delivery rules", "Signature header", "Retry policy"). Each case is the
 * requests that it sends, and what a sound receiver does with them.
 */
import type { Event } from '../../../contract/event.ts';
import { sampleEvent } from '../../../contract/event-samples.ts';
import { signAt } from '../../../contract/signature.ts';

export interface Delivery {
  readonly body: Uint8Array;
  /** Value of the signature header; null for none. */
  readonly signature: string | null;
}

/** `taken`: 2xx. `refused`: 4xx. `survived`: either of them, but an answer. `quick`: 2xx, and soon enough. */
export type Expectation = 'taken' | 'refused' | 'survived' | 'quick';

export interface ReceiverCase {
  readonly name: string;
  /** What is sent, in words. */
  readonly title: string;
  readonly expect: Expectation;
  /** Why the expectation matters. Shown if it is not met. */
  readonly because: string;
  /** Why a receiver may break where it should refuse, if it refuses what is only signed badly. */
  readonly breaksBecause?: string;
  /** Sends all at once rather than one after another. */
  readonly together?: true;
  readonly deliveries: (kit: Kit) => readonly Delivery[];
}

export interface Kit {
  readonly secret: string;
  /** Milliseconds since the epoch. */
  readonly now: number;
  /** How old a delivery the receiver accepts. */
  readonly toleranceMs: number;
  readonly newId: () => string;
}

export const receiverCases: readonly ReceiverCase[] = [
  {
    name: 'valid',
    title: 'a genuine delivery',
    expect: 'taken',
    because: 'is the secret given here the one that the receiver has?',
    deliveries: (kit) => [signed(kit, event(kit))],
  },
  {
    name: 'duplicate',
    title: 'the same event twice',
    expect: 'taken',
    because: 'the same event may arrive more than once; answer 2xx and do nothing',
    deliveries: (kit) => {
      const twice = event(kit);
      return [signed(kit, twice), signed(kit, twice)];
    },
  },
  {
    name: 'out-of-order',
    title: 'a refund before the payment that it refunds',
    expect: 'taken',
    because: 'the order of deliveries is not guaranteed',
    deliveries: (kit) => {
      const refund = sampleEvent('REFUND_COMPLETED', kit);
      const paid: Event = {
        ...sampleEvent('CHARGE_PAID', { ...kit, now: kit.now - 60_000 }),
        data: { ...refund.data, status: 'PAID' },
      };
      return [signed(kit, refund), signed(kit, paid)];
    },
  },
  {
    name: 'unsigned',
    title: 'a delivery without a signature header, and one whose signature is empty',
    expect: 'refused',
    because: 'anybody who finds the address could send it false payments',
    deliveries: (kit) => [
      { body: bytes(event(kit)), signature: null },
      // A receiver that compares only as many characters as it got takes an empty signature for a good one.
      { body: bytes(event(kit)), signature: `t=${Math.floor(kit.now / 1000)},v1=` },
    ],
  },
  {
    name: 'forged',
    title: 'a delivery signed with another secret',
    expect: 'refused',
    because: 'anybody who finds the address could send it false payments',
    deliveries: (kit) => [signed({ ...kit, secret: `${kit.secret}-forged` }, event(kit))],
  },
  {
    name: 'not-json',
    title: 'a body that is no JSON, and one that is no object, signed with another secret',
    expect: 'refused',
    because: 'anybody who finds the address could send it false payments',
    breaksBecause: 'it parses the body before it checks the signature',
    deliveries: (kit) =>
      ['{"id":', 'null'].map((body) => raw({ ...kit, secret: `${kit.secret}-forged` }, text(body))),
  },
  {
    name: 'tampered',
    title: 'a body that was changed after it was signed',
    expect: 'refused',
    because: 'the signature must be checked against the body; it is not enough that there is one',
    deliveries: (kit) => {
      const genuine = event(kit);
      const richer = { ...genuine, data: { ...genuine.data, amount: 99_999_999 } };
      return [{ ...signed(kit, genuine), body: bytes(richer) }];
    },
  },
  {
    name: 're-serialised',
    title: 'a body that was parsed and serialised again after it was signed',
    expect: 'refused',
    because: 'it checks the parsed body; the signature is over the raw bytes',
    deliveries: (kit) => {
      const genuine = event(kit);
      return [{ ...signed(kit, genuine), body: text(JSON.stringify(genuine, null, 2)) }];
    },
  },
  {
    name: 'raw-bytes',
    title: 'a genuine delivery whose JSON is spelt unusually',
    expect: 'taken',
    because: 'it serialises the body again before checking; verify the raw bytes as received',
    deliveries: (kit) => {
      const { id, event: name, createdAt, data } = event(kit);
      const spelt = JSON.stringify({ data, event: name, createdAt, id }, null, '\t');
      const escaped = spelt.replace('Maria', '\\u004daria').replace('"amount": 12345', '"amount": 1.2345e4');
      return [raw(kit, text(`${escaped}\r\n`))];
    },
  },
  {
    name: 'non-ascii',
    title: 'a genuine delivery with accented letters, and one with an emoji',
    expect: 'taken',
    because:
      'it reads the body in another encoding before checking (verify the raw bytes as received), or cannot keep an emoji',
    deliveries: (kit) =>
      ['Café da manhã, José Conceição', 'Bom dia ☕🥐'].map((description) => {
        const plain = event(kit);
        return signed(kit, { ...plain, data: { ...plain.data, description } });
      }),
  },
  {
    name: 'stale',
    title: 'a genuine delivery that was signed long ago',
    expect: 'refused',
    because: 'a recorded delivery could be sent again at any time; check how old t is',
    deliveries: (kit) => [signed(kit, event(kit), -kit.toleranceMs - 3_600_000)],
  },
  {
    name: 'future',
    title: 'a genuine delivery that is signed an hour ahead',
    expect: 'refused',
    because: 'the time must be checked in both directions',
    deliveries: (kit) => [signed(kit, event(kit), kit.toleranceMs + 3_600_000)],
  },
  {
    name: 'unknown-event',
    title: 'an event whose name is not documented',
    expect: 'taken',
    because: 'new events may be added; ignore them and answer 2xx',
    deliveries: (kit) => [signed(kit, { ...event(kit), event: 'SOMETHING_NEW' })],
  },
  {
    name: 'unknown-fields',
    title: 'fields that are not documented',
    expect: 'taken',
    because: 'data may gain fields without notice; ignore them',
    deliveries: (kit) => {
      const known = event(kit);
      const grown = { ...known, livemode: true, data: { ...known.data, newField: { nested: [1, null] } } };
      return [signed(kit, grown)];
    },
  },
  {
    name: 'empty-data',
    title: 'an event with nothing in data',
    expect: 'survived',
    because: 'the shape of data is not promised; a missing field must not break the receiver',
    deliveries: (kit) => [signed(kit, { ...event(kit), data: {} })],
  },
  {
    name: 'large-body',
    title: 'a body of 256 KiB',
    expect: 'taken',
    because: 'data may grow; raise the limit on bodies',
    deliveries: (kit) => {
      const small = event(kit);
      return [signed(kit, { ...small, data: { ...small.data, padding: 'x'.repeat(256 * 1024) } })];
    },
  },
  {
    name: 'slow-answer',
    title: 'five deliveries at once, each to be answered quickly',
    expect: 'quick',
    because: 'answer first and work later; the service recommends 2 s and gives up at 10 s',
    together: true,
    deliveries: (kit) => Array.from({ length: 5 }, () => signed(kit, event(kit))),
  },
];

const event = (kit: Kit): Event => sampleEvent('CHARGE_PAID', kit);
const text = (json: string): Uint8Array => new TextEncoder().encode(json);
const bytes = (made: Event): Uint8Array => text(JSON.stringify(made));
const signed = (kit: Kit, made: Event, offsetMs = 0): Delivery => raw(kit, bytes(made), offsetMs);
const raw = ({ secret, now }: Kit, body: Uint8Array, offsetMs = 0): Delivery => ({
  body,
  signature: signAt({ secret, body, now: now + offsetMs }),
});
