/** An event made by hand out of one that was received: another body, signed anew and marked. */

import { eventFacts } from '../event-facts.ts';
import type { Owed } from '../store.ts';
import { withSignature } from './attempt.ts';

const marked = 'Pixctl-Edited';

export interface Edited {
  readonly body: Uint8Array;
  /** What was changed, in words. */
  readonly edits: string;
  /** Of the new body. */
  readonly signature: string;
  readonly signatureHeader: string;
  /** Where it goes, and nowhere else. */
  readonly target: string;
}

/** What the inbox is to keep of it. Of a copy of a copy only its own changes are told. */
export function editedDelivery(
  { source, headers }: Pick<Owed, 'source' | 'headers'>,
  { body, edits, signature, signatureHeader, target }: Edited,
) {
  const { id: eventId, event } = eventFacts(body);
  const others = withSignature(headers, signatureHeader, signature)
    .filter(([name]) => name !== marked)
    // What was received gave the length of another body.
    .map(([name, value]) => [name, isLength(name) ? String(body.byteLength) : value] as const);
  return {
    ...{ source, eventId, event, body, edits, target },
    headers: [...others, [marked, encodeURI(edits)] as const],
    origin: 'edited',
    forward: 'claim',
  } as const;
}

const isLength = (name: string): boolean => name.toLowerCase() === 'content-length';
