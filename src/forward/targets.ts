/**
 * An event that goes to several applications. What is owed to each has a key of its own and is claimed, tried and
 * settled by itself: the first under the key of the event, the others under that key and their place.
 */
import type { ForwardState } from './forward.ts';

/** To how many applications an event may go: a place is one digit. */
export const maxTargets = 9;

/** The key of what is owed to the application at this place, from 0. */
export const targetKeyOf = (eventKey: string, at: number): string =>
  at === 0 ? eventKey : `${eventKey}.${at + 1}`;

/** The key of the event, of which `key` may be a part. */
export function eventKeyOf(key: string): string {
  const dot = key.indexOf('.');
  return dot < 0 ? key : key.slice(0, dot);
}

/** The state of the whole event: settled once nothing is owed, delivered once every application accepted it. */
export const overallState = (states: readonly ForwardState[]): ForwardState =>
  (['WAITING', 'GIVEN_UP', 'NONE'] as const).find((state) => states.includes(state)) ?? 'DELIVERED';
