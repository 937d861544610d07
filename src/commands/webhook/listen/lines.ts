/** Formats what `webhook listen` writes: one line per event, for people or as columns. */
import { formatCents } from '../../../contract/money.ts';
import type { ForwardResult, Report } from '../../../listener/report.ts';
import { makeVisible } from '../../../terminal/escape.ts';
import { paint } from '../../../terminal/paint.ts';
import type { View } from '../../../terminal/view.ts';

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
    { key: 'body', header: 'Body', value: (line) => ('body' in line ? line.body : null), named: true },
  ],
};

const flat = (value: unknown) =>
  typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' ? value : null;

const answerOf = (forward: ForwardResult | null): string | number | null =>
  forward === null ? null : 'status' in forward ? forward.status : forward.error;

export interface LineStyle {
  readonly colour: boolean;
  /** Whether columns are aligned, as on a terminal, or separated by tabs. */
  readonly aligned: boolean;
  /** Time of day at which it was reported. */
  readonly time: string;
}

/** Formats one line without its end. Text from outside is made visible. */
export function lineForPeople(report: Report, { colour, aligned, time }: LineStyle): string {
  const gap = aligned ? '  ' : '\t';
  const cells = (texts: readonly [text: string, width: number][]) =>
    texts.map(([text, width]) => (aligned ? text.padEnd(width) : text)).join(gap);
  if (report.type === 'rejected') {
    const what = `refused with ${report.answered}: ${makeVisible(report.message)}`;
    return `${cells([[time, 8]])}${gap}${paint('red', what, colour)}`;
  }
  const amount = report.type === 'event' && report.amount !== null ? formatCents(report.amount) : '';
  const status = report.type === 'event' ? makeVisible(report.status ?? '') : `attempt ${report.attempt}`;
  const { text, style } = outcomeOf(report);
  const known = cells([
    [time, 8],
    [makeVisible(report.event === '' ? '(no event name)' : report.event), 20],
    [makeVisible(report.id), 20],
    [amount, 12],
    [status, 9],
  ]);
  return `${known}${gap}${paint(style, text, colour)}${extras(report)}`;
}

function outcomeOf(report: Exclude<Report, { type: 'rejected' }>): {
  text: string;
  style: 'green' | 'yellow' | 'red' | 'dim';
} {
  const { forward, state } = report;
  if (report.type === 'event' && report.duplicate) {
    if (state === 'WAITING')
      return { text: 'again; it is still in the queue for your application', style: 'yellow' };
    if (state === 'DELIVERED') return { text: 'again; not forwarded twice', style: 'dim' };
    return report.asked === true
      ? { text: 'again; forwarded to your application once more', style: 'yellow' }
      : { text: 'again; kept', style: 'dim' };
  }
  if (forward === null) {
    return state === 'WAITING'
      ? { text: 'kept, in the queue', style: 'yellow' }
      : { text: 'kept', style: 'dim' };
  }
  const ms = `${Math.round(forward.ms)} ms`;
  const answer =
    'status' in forward ? `${forward.status} in ${ms}` : `your application ${makeVisible(forward.error)}`;
  if (state === 'DELIVERED') return { text: `-> ${answer}`, style: 'green' };
  if (state === 'GIVEN_UP' && report.relayed === true && !isFinal(forward))
    return {
      text: `-> ${answer}; this was passed on to the service, ${whatFollows(forward)}`,
      style: 'yellow',
    };
  if (state === 'GIVEN_UP') return { text: `-> ${answer}; given up, replay it later`, style: 'red' };
  return { text: `-> ${answer}; kept, and will be sent again`, style: 'yellow' };
}

/**
 * Whether the relayed answer is final for the service (document: "Retry policy"). Below 200, or none, is relayed as
 * 502.
 */
const isFinal = (forward: ForwardResult): boolean =>
  'status' in forward && forward.status >= 400 && forward.status < 500;

/** Says what follows. A redirect is not among the outcomes that the document lists. */
const whatFollows = (forward: ForwardResult): string =>
  'status' in forward && forward.status >= 300 && forward.status < 400
    ? 'whose document does not say whether it delivers again after a redirect'
    : 'which delivers it again (3 attempts in all)';

function extras(report: Exclude<Report, { type: 'rejected' }>): string {
  if (report.type === 'forward') return '';
  const synthetic = report.synthetic === undefined ? '' : '  (made here by --poll)';
  return report.odd === undefined ? synthetic : `${synthetic}  (${report.odd})`;
}
