/** Makes the body of an event of our own: a documented sample, or given data. */
import { randomUUID } from 'node:crypto';
import { isoTime } from '../../../clock.ts';
import { isEventName } from '../../../contract/event-names.ts';
import { sampleEvent } from '../../../contract/event-samples.ts';

/** Returns compact JSON, as the service is likely to send it. */
export function bodyOf(name: string, data: object | null, now: number): Uint8Array {
  const newId = () => randomUUID().replaceAll('-', '');
  const made =
    data === null && isEventName(name)
      ? sampleEvent(name, { now, newId })
      : { id: `evt_${newId()}`, event: name, createdAt: isoTime(now), data };
  return new TextEncoder().encode(JSON.stringify(made));
}
