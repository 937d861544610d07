/** The state of an event's forwarding, and how its last attempt ended. */
import { Badge, type Tone } from '../../page/detail.tsx';
import type { Entry } from './source.ts';

const tones: Readonly<Record<Entry['state'], Tone>> = {
  NONE: 'plain',
  WAITING: 'wait',
  DELIVERED: 'good',
  GIVEN_UP: 'bad',
};

export const State = ({ state }: Pick<Entry, 'state'>) => (
  <Badge tone={tones[state]}>{state === 'NONE' ? 'KEPT' : state}</Badge>
);

/** Says it in a word or two. */
export const outcomeOf = ({ status, error }: Pick<Entry, 'status' | 'error'>): string =>
  status === null ? (error ?? '') : `HTTP ${status}`;
