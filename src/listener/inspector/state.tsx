/** How the forwarding of an event stands. */
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
