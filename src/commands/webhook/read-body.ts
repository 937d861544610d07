/** The body of a received event, as json shows it. */
import { parseJson } from '../../api/json.ts';
import { isShallow } from '../../contract/json-depth.ts';
import type { InboxEntry, InboxEvent } from '../../inbox/inbox.ts';
import type { OutputOptions } from '../../terminal/output.ts';

/**
 * Parsed where it is JSON that is not nested very deeply, else as text. Numbers as they came, also those that
 * JavaScript would change: an amount that is shown otherwise misleads.
 */
export function readBody(body: Uint8Array): unknown {
  try {
    const value = parseJson(body);
    if (isShallow(value)) return value;
  } catch {
    // No JSON.
  }
  return new TextDecoder().decode(body);
}

/** Whether `--fields` names it: lists do not read bodies otherwise. */
export const wantsBody = ({ fields }: OutputOptions): boolean => fields?.includes('body') === true;

/** What is needed of an inbox. */
export interface Bodies {
  find(idOrKey: string): Promise<readonly Pick<InboxEvent, 'key' | 'body'>[]>;
}

/** Of one entry of a list; null where it is no longer there. Rejects as the inbox does (74). */
export async function bodyIn(inbox: Bodies, { key }: Pick<InboxEntry, 'key'>): Promise<unknown> {
  const event = (await inbox.find(key)).find((each) => each.key === key);
  return event === undefined ? null : readBody(event.body);
}
