/** An event made by hand from a received one: another body, signed afresh and marked. */
import { parseEventFacts } from '../event-facts.ts';
import type { OwedEvent } from '../store.ts';
import { withSignature } from './attempt.ts';

const editedHeader = 'Pixctl-Edited';

interface EventEdit {
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
export function createEditedDelivery(
  { source, headers }: Pick<OwedEvent, 'source' | 'headers'>,
  { body, edits, signature, signatureHeader, target }: EventEdit,
) {
  const { id: eventId, event } = parseEventFacts(body);
  const others = withSignature(headers, signatureHeader, signature)
    .filter(([name]) => name !== editedHeader)
    // The received header gave the length of another body.
    .map(([name, value]) => [name, isLength(name) ? String(body.byteLength) : value] as const);
  return {
    ...{ source, eventId, event, body, edits, target },
    headers: [...others, [editedHeader, encodeURI(edits)] as const],
    origin: 'edited',
    forward: 'claim',
  } as const;
}

const isLength = (name: string): boolean => name.toLowerCase() === 'content-length';
