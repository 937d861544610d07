/** What `webhook listen` writes, as lines for machines and their columns. For people: `line-for-people.ts`. */
import type { ForwardResult, Report } from '../../../../listener/report.ts';
import type { View } from '../../../../terminal/view.ts';

/** The first line, which says where deliveries are accepted. */
export interface ReadyLine {
  readonly type: 'ready';
  /** Where this listener is on this machine. */
  readonly url: string;
  /** Where the service reaches it, if that is elsewhere. */
  readonly publicUrl: string | null;
  readonly endpoint: string | null;
  readonly events: readonly string[] | null;
  readonly forwardTo: readonly string[];
  readonly ack: 'store' | 'app';
  /** Events from earlier that are owed to the application. */
  readonly waiting: number;
  /** With `--ui`: the page, token included. */
  readonly uiUrl?: string;
  /** With `--print-secret`. */
  readonly secret?: string;
}

export type Line = ReadyLine | Report;

/** A line on its way to a reader that may have stopped. */
export interface TimedLine {
  readonly line: Line;
  /** When it was reported. Milliseconds since the epoch. */
  readonly at: number;
}

const field = (key: string, header: string) => ({
  key,
  header,
  value: (line: Line) => flat(new Map<string, unknown>(Object.entries(line)).get(key)),
});

/** The columns for `--fields` and csv; json has each line in full. */
export const lineView: View<Line> = {
  name: 'line',
  columns: [
    field('type', 'Type'),
    field('id', 'Event id'),
    field('event', 'Event'),
    field('verified', 'Verified'),
    field('duplicate', 'Duplicate'),
    {
      key: 'forward',
      header: 'Answer',
      value: (line) => ('forward' in line ? answerOf(line.forward) : null),
    },
    field('state', 'State'),
    field('amount', 'Amount'),
    field('status', 'Status'),
    field('reason', 'Reason'),
    field('attempt', 'Attempt'),
    field('synthetic', 'Synthetic'),
    field('url', 'Address'),
    field('key', 'Key'),
    field('target', 'Target'),
    { key: 'body', header: 'Body', value: (line) => ('body' in line ? line.body : null), named: true },
  ],
};

const flat = (value: unknown) =>
  typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' ? value : null;

const answerOf = (forward: ForwardResult | null): string | number | null =>
  forward === null ? null : 'status' in forward ? forward.status : forward.error;
