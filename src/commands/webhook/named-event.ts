/** The event of the inbox that a command line names by its id or by its key. */
import { PixctlError } from '../../errors.ts';
import type { InboxEvent } from '../../inbox/inbox.ts';

/** Returns the original under an event id, rather than a copy edited later. */
export const originalOf = (found: readonly InboxEvent[], id: string): InboxEvent | undefined =>
  found.find(({ key, origin }) => key === id || origin !== 'edited') ?? found[0];

export const notInInbox = (id: string, location: string): PixctlError =>
  new PixctlError('notFound', 'NOT_IN_INBOX', `The event ${id} is not in the inbox at ${location}.`, {
    hint: 'pixctl webhook inbox lists its events.',
  });
