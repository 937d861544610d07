/** Makes an event from what the lists show: shaped like the service's, signed locally, marked. */
import { createHash } from 'node:crypto';
import { isoTime } from '../../clock.ts';
import { toEventData } from '../../contract/event-data.ts';
import { parseIsoTime } from '../../contract/iso-time.ts';
import { signAt } from '../../contract/signature.ts';
import { baseEventHeaders } from '../posting/extra-headers.ts';
import type { Headers } from '../store.ts';

/** Carried by every event that the service did not send. */
const syntheticHeader = 'Pixctl-Synthetic';

export interface SyntheticEvent {
  readonly headers: Headers;
  readonly body: Uint8Array;
}

/** Returns when a resource was created, in whole seconds, however finely it is written; null if it does not say. */
export function createdSecond(createdAt: unknown): number | null {
  const ms = parseIsoTime(createdAt);
  return Number.isNaN(ms) ? null : Math.floor(ms / 1_000);
}

/** Makes the event. The same change always gives the same id, so that no restart doubles it. `now` in milliseconds. */
export function synthesizeEvent(options: {
  readonly scope: string;
  readonly event: string;
  readonly resource: { readonly id: string; readonly createdAt?: unknown };
  readonly secret: string;
  readonly signatureHeader: string;
  readonly now: number;
}): SyntheticEvent {
  const { scope, event, resource, secret, now } = options;
  const change = `${scope}\n${resource.id}\n${createdSecond(resource.createdAt) ?? ''}\n${event}`;
  const name = createHash('sha256').update(change).digest('hex').slice(0, 24);
  const text = JSON.stringify({
    id: `evt_poll_${name}`,
    event,
    createdAt: isoTime(now),
    data: toEventData(resource),
  });
  const body = new TextEncoder().encode(text);
  return {
    body,
    headers: [
      ...baseEventHeaders,
      [options.signatureHeader, signAt({ secret, body, now })],
      [syntheticHeader, 'poll'],
    ],
  };
}
