/** What `webhook listen` says of an event, in words that are safe to show. */
import { formatCents } from '../../../../contract/money.ts';
import { formatTarget } from '../../../../listener/posting/target.ts';
import type { EventReport, ForwardReport, ForwardResult } from '../../../../listener/report.ts';
import { makeVisible } from '../../../../terminal/escape.ts';

type Reported = EventReport | ForwardReport;

/** The texts of a line. An empty one says nothing. */
export interface LineParts {
  readonly time: string;
  readonly event: string;
  readonly id: string;
  readonly amount: string;
  /** The status of the resource, or which attempt it is. */
  readonly status: string;
  /** Whether that is an attempt: which one it is must not be lost. */
  readonly isAttempt: boolean;
  /** `-> 200 in 12 ms`. */
  readonly outcome: string;
  /** What follows from that. */
  readonly sequel: string;
  /** What is unusual about the event. */
  readonly notes: string;
  readonly style: 'green' | 'yellow' | 'red' | 'dim';
}

/** `time`: the time of day at which it was reported. */
export function linePartsOf(report: Reported, time: string): LineParts {
  return {
    time,
    event: makeVisible(report.event === '' ? '(no event name)' : report.event),
    id: makeVisible(report.id),
    amount: report.type === 'event' && report.amount !== null ? formatCents(report.amount) : '',
    status: report.type === 'event' ? makeVisible(report.status ?? '') : `attempt ${report.attempt}`,
    isAttempt: report.type === 'forward',
    ...outcomeOf(report),
    notes: notesOf(report),
  };
}

type OutcomeParts = Pick<LineParts, 'outcome' | 'sequel' | 'style'>;

function outcomeOf(report: Reported): OutcomeParts {
  const { forward, state } = report;
  const to = report.target === undefined ? '' : `${formatTarget(report.target)}: `;
  if (report.takenOver === true)
    return { outcome: `-> ${to}taken over`, sequel: 'webhook inbox shows its state', style: 'yellow' };
  if (report.type === 'event' && report.duplicate) return { outcome: 'again', ...sequelOfRepeat(report) };
  if (forward === null)
    return state === 'WAITING'
      ? { outcome: 'kept, in the queue', sequel: '', style: 'yellow' }
      : { outcome: 'kept', sequel: '', style: 'dim' };
  const ms = `${Math.round(forward.ms)} ms`;
  const outcome = `-> ${to}${'status' in forward ? `${forward.status} in ${ms}` : `your application ${makeVisible(forward.error)}`}`;
  if (state === 'DELIVERED') return { outcome, sequel: '', style: 'green' };
  if (state !== 'GIVEN_UP') return { outcome, sequel: 'kept, and will be sent again', style: 'yellow' };
  if (report.relayed !== true || isFinal(forward))
    return { outcome, sequel: 'given up, replay it later', style: 'red' };
  return { outcome, sequel: `this was passed on to the service, ${whatFollows(forward)}`, style: 'yellow' };
}

function sequelOfRepeat({ state, asked }: EventReport): Omit<OutcomeParts, 'outcome'> {
  if (state === 'WAITING') return { sequel: 'it is in the queue for your application', style: 'yellow' };
  if (state === 'DELIVERED') return { sequel: 'not forwarded twice', style: 'dim' };
  return asked === true
    ? { sequel: 'forwarded to your application once more', style: 'yellow' }
    : { sequel: 'kept', style: 'dim' };
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

function notesOf(report: Reported): string {
  if (report.type === 'forward') return '';
  const synthetic = report.synthetic === undefined ? [] : ['(made here by --poll)'];
  return [...synthetic, ...(report.odd === undefined ? [] : [`(${report.odd})`])].join('  ');
}
