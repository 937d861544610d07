/** The state of an event's forwarding, and how its last attempt ended. */
import { Badge, type Tone } from '../../page/detail.tsx';
import type { InboxEntry } from './dependencies.ts';

const tones: Readonly<Record<InboxEntry['state'], Tone>> = {
  NONE: 'plain',
  WAITING: 'wait',
  DELIVERED: 'good',
  GIVEN_UP: 'bad',
};

export const State = ({ state }: Pick<InboxEntry, 'state'>) => (
  <Badge tone={tones[state]}>{state === 'NONE' ? 'KEPT' : state}</Badge>
);

/** Says it in a word or two. */
export const formatOutcome = ({ status, error }: Pick<InboxEntry, 'status' | 'error'>): string =>
  status === null ? (error ?? '') : `HTTP ${status}`;
