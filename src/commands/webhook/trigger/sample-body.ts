/** Makes the body of an event of our own: a documented sample, or given data. */
import { randomUUID } from 'node:crypto';
import { eventOf } from '../../../contract/event-samples.ts';

/** Returns compact JSON, as the service is likely to send it. */
export function bodyOf(name: string, data: object | null, now: number): Uint8Array {
  const newId = () => randomUUID().replaceAll('-', '');
  return new TextEncoder().encode(JSON.stringify(eventOf(name, data, { now, newId })));
}
