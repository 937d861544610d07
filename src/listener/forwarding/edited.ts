/** An event made by hand from a received one: another body, signed afresh and marked. */

import { eventFacts } from '../event-facts.ts';
import type { Owed } from '../store.ts';
import { withSignature } from './attempt.ts';

const marked = 'Pixctl-Edited';

export interface Edited {
  readonly body: Uint8Array;
  /** What was changed, in words. */
  readonly edits: string;
  /** The signature of the new body. */
  readonly signature: string;
  readonly signatureHeader: string;
  /** The only place where it goes. */
  readonly target: string;
}

/** Returns what the inbox is to keep of it. For a copy of a copy, only the latest changes are named. */
export function editedDelivery(
  { source, headers }: Pick<Owed, 'source' | 'headers'>,
  { body, edits, signature, signatureHeader, target }: Edited,
) {
  const { id: eventId, event } = eventFacts(body);
  const others = withSignature(headers, signatureHeader, signature)
    .filter(([name]) => name !== marked)
    // The received header gave the length of another body.
    .map(([name, value]) => [name, isLength(name) ? String(body.byteLength) : value] as const);
  return {
    ...{ source, eventId, event, body, edits, target },
    headers: [...others, [marked, encodeURI(edits)] as const],
    origin: 'edited',
    forward: 'claim',
  } as const;
}

const isLength = (name: string): boolean => name.toLowerCase() === 'content-length';
