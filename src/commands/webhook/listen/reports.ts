/** Passes what the listener reports on to the lines, the count and the page. */
import type { Clock } from '../../../clock.ts';
import type { Inspector } from '../../../listener/inspector/start-inspector.tsx';
import type { Report } from '../../../listener/report.ts';
import { makeVisible } from '../../../terminal/escape.ts';
import { formatCount } from '../../../terminal/format-count.ts';
import type { LineQueue } from './lines/line-queue.ts';
import type { TimedLine } from './lines/lines.ts';
import type { ListenOptions } from './options.ts';
import type { Tally } from './tally.ts';

export interface Reports {
  readonly tell: (report: Report) => void;
  /** From now on, the page gets reports as well. */
  showOn(inspector: Inspector): void;
  /** The ready line is on its way. What came earlier and waited for it follows. */
  begin(): void;
  /** How many events came before that. */
  countUnreported(): number;
}

/** How many refused deliveries are kept until the ready line. Before it, a listener refuses whatever anybody sends. */
const mostRefused = 1_000;

interface TimedReport extends TimedLine {
  readonly line: Report;
}

export function createReports(
  { events }: Pick<ListenOptions, 'events'>,
  lines: Pick<LineQueue, 'push'>,
  tally: Tally,
  { clock, warn }: { readonly clock: Pick<Clock, 'now'>; readonly warn: (text: string) => void },
): Reports {
  let early: TimedReport[] | null = [];
  let refused = 0;
  let page: Inspector | null = null;
  const warned = new Set<string>();
  /** Warns of a filtered name that may be the meant one: only here does one see how the service spells its own. */
  const tellHidden = (event: string) => {
    const meant = events?.find((name) => lettersOf(name) === lettersOf(event));
    if (meant === undefined || warned.has(event)) return;
    warned.add(event);
    warn(
      `${makeVisible(event)} came, which --events ${meant} does not name: it is kept, but neither shown nor forwarded. Leave out --events, or name it there; pixctl webhook inbox lists what came, pixctl webhook replay <event id> forwards it.`,
    );
  };
  const keep = (waiting: TimedReport[], timed: TimedReport) => {
    if (timed.line.type === 'rejected' && ++refused > mostRefused) return;
    waiting.push(timed);
  };
  const isShown = (event: string | null) => events === null || event === null || events.includes(event);
  const tellAs = (timed: TimedReport) => {
    const { line: report } = timed;
    const shown = isShown(report.event);
    if (early !== null && shown) return keep(early, timed);
    page?.note(report);
    if (!shown) return tellHidden(report.event ?? '');
    lines.push(timed);
    tally.note(report);
  };
  return {
    tell: (line) => tellAs({ line, at: clock.now() }),
    showOn(inspector) {
      page = inspector;
    },
    begin() {
      const before = early ?? [];
      early = null;
      before.forEach(tellAs);
      if (refused > mostRefused)
        warn(
          `${formatCount(refused - mostRefused, 'more refused request')} came before this listener was ready; ${refused === mostRefused + 1 ? 'it is' : 'they are'} not listed.`,
        );
    },
    countUnreported: () => (early ?? []).filter(({ line }) => line.type === 'event').length,
  };
}

const lettersOf = (name: string): string => name.toLowerCase().replace(/[^a-z0-9]/g, '');
