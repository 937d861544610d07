/** The state of an event's forwarding, and how its last attempt ended. */
import { shownState } from '../../forward/forward.ts';
import { Badge, type Tone } from '../../page/detail.tsx';
import { formatTarget } from '../posting/target.ts';
import type { InboxEntry } from '../store.ts';

const tones: Readonly<Record<InboxEntry['state'], Tone>> = {
  NONE: 'plain',
  WAITING: 'wait',
  DELIVERED: 'good',
  GIVEN_UP: 'bad',
};

export const State = ({ state }: Pick<InboxEntry, 'state'>) => (
  <Badge tone={tones[state]}>{shownState(state)}</Badge>
);

/** With `--ack app`, the application may be working on it just now. */
const untried = ({ state }: Pick<InboxEntry, 'state'>): string =>
  state === 'WAITING' ? 'waiting' : 'no answer recorded';

/** Says it in a word or two; of several applications, for each. */
export const formatOutcome = ({
  status,
  error,
  targets,
}: Pick<InboxEntry, 'status' | 'error' | 'targets'>): string => {
  if (targets !== undefined)
    return targets
      .map((owed) => `${formatTarget(owed.target)}: ${formatOutcome(owed) || untried(owed)}`)
      .join(', ');
  return status === null ? (error ?? '') : `HTTP ${status}`;
};
