/** The columns of endpoints, inbox entries and replays. What the listener reports is in listen/lines/lines.ts. */
import type { WebhookEndpoint } from '../../contract/webhook.ts';
import type { InboxEntry, ShownState, TargetOutcome } from '../../inbox/inbox.ts';
import { formatTarget } from '../../listener/posting/target.ts';
import type { ForwardResult } from '../../listener/report.ts';
import type { View } from '../../terminal/view.ts';

export const addedView: View<WebhookEndpoint> = {
  name: 'endpoint',
  columns: [
    { key: 'id', header: 'Endpoint', kind: 'id' },
    { key: 'url', header: 'Address' },
    { key: 'events', header: 'Events', value: ({ events }) => events?.join(', ') },
    { key: 'secret', header: 'Secret (shown once)' },
  ],
};

/** An inbox entry as it is shown, with times as ISO text. */
export interface ShownEntry extends Omit<InboxEntry, 'state' | 'receivedAt' | 'nextAt' | 'targets'> {
  readonly state: ShownState;
  /** The event id again, under the name that listen, replay and trigger give it in json. */
  readonly id: string;
  readonly receivedAt: string;
  readonly nextAt: string | null;
  readonly targets?: readonly ShownOutcome[];
  /** As `readBody` has it, where it is shown. */
  readonly body?: unknown;
}

export interface ShownOutcome extends Omit<TargetOutcome, 'state' | 'nextAt'> {
  readonly state: ShownState;
  readonly nextAt: string | null;
}

export const entryView: View<ShownEntry> = {
  name: 'event',
  columns: [
    { key: 'receivedAt', header: 'Received', kind: 'time' },
    { key: 'event', header: 'Event' },
    { key: 'eventId', header: 'Event id', kind: 'id' },
    { key: 'state', header: 'Forwarding', text: allStatesInWords, kind: 'status' },
    { key: 'attempts', header: 'Attempts', dropPriority: 2 },
    { key: 'status', header: 'Answer', dropPriority: 1, text: lastAnswer },
    { key: 'duplicates', header: 'Repeats', dropPriority: 4 },
    { key: 'origin', header: 'Origin', dropPriority: 3, text: originInWords },
    { key: 'nextAt', header: 'Next attempt', kind: 'time', detail: true },
    { key: 'error', header: 'Error', kind: 'text', detail: true },
    { key: 'edits', header: 'Edits', detail: true },
    { key: 'target', header: 'Target', value: targetsInWords, detail: true },
    { key: 'source', header: 'Signer', detail: true },
    { key: 'key', header: 'Key', detail: true },
    { key: 'id', header: 'Event id', kind: 'id', named: true },
    { key: 'targets', header: 'Targets', named: true },
    { key: 'body', header: 'Body', named: true },
  ],
};

/** Of several applications: with how many have accepted it. */
function allStatesInWords({ targets = [], ...entry }: ShownEntry): string {
  const taken = targets.filter(({ state }) => state === 'DELIVERED').length;
  const words = stateInWords(entry);
  const isUntold = targets.length < 2 || (entry.state === 'NOT_FORWARDED' && taken === 0);
  return isUntold ? words : `${words} (${taken} of ${targets.length})`;
}

function targetsInWords({ target, targets }: ShownEntry): string | null {
  return targets?.map((owed) => owed.target).join(' ') ?? target;
}

export function stateInWords({ state, attempts }: Pick<ShownEntry, 'state' | 'attempts'>): string {
  switch (state) {
    case 'NOT_FORWARDED':
      return 'not forwarded';
    case 'WAITING':
      return attempts === 0 ? 'waiting' : 'waiting to try again';
    case 'DELIVERED':
      return 'delivered';
    case 'GIVEN_UP':
      return 'given up';
  }
}

function lastAnswer({ status, error, targets }: Pick<ShownEntry, 'status' | 'error' | 'targets'>): string {
  if (targets !== undefined)
    return targets
      .map((owed) => `${formatTarget(owed.target)}: ${lastAnswer(owed) || untriedInWords(owed)}`)
      .join(', ');
  return status === null ? (error ?? '') : `${status}`;
}

/** With `--ack app`, the application may be working on it just now. */
const untriedInWords = (owed: Pick<ShownEntry, 'state' | 'attempts'>): string =>
  owed.state === 'NOT_FORWARDED' ? 'no answer recorded' : stateInWords(owed);

function originInWords({ origin, edits }: ShownEntry): string {
  if (origin === 'delivery') return 'service';
  return origin === 'poll' ? 'made here (poll)' : `edited: ${edits ?? ''}`;
}

/** One replayed event. */
export interface Replayed {
  readonly id: string;
  readonly event: string;
  readonly url: string;
  readonly forward: ForwardResult;
  readonly state: ShownState;
  readonly signature: 'original' | 'fresh';
  readonly attempts: number;
  readonly edits: string | null;
  readonly key: string;
}

export const replayedView: View<Replayed> = {
  name: 'replay',
  columns: [
    { key: 'id', header: 'Event id', kind: 'id' },
    { key: 'event', header: 'Event' },
    { key: 'url', header: 'To' },
    {
      key: 'forward',
      header: 'Answer',
      value: ({ forward }) => ('status' in forward ? forward.status : forward.error),
    },
    { key: 'state', header: 'Outcome', kind: 'status' },
    { key: 'signature', header: 'Signature' },
    { key: 'attempts', header: 'Attempts', detail: true },
    { key: 'edits', header: 'Edits' },
    { key: 'key', header: 'Key', detail: true },
  ],
};
