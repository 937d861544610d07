/** What the listener reports, on its way to the lines, to the count, and to the page. */
import type { Inspector } from '../../../listener/inspector/start.tsx';
import type { Report } from '../../../listener/report.ts';
import { makeVisible } from '../../../terminal/escape.ts';
import type { LineQueue } from './line-queue.ts';
import type { Line } from './lines.ts';
import type { ListenOptions } from './options.ts';
import type { Tally } from './tally.ts';

export interface Reports {
  readonly tell: (report: Report) => void;
  /** From now on the page is told, too. */
  showOn(inspector: Inspector | null): void;
  /** The ready line is on its way: what came before it, and has waited for it, follows. */
  begin(): void;
  /** Events that came before that. */
  untold(): number;
}

export function createReports(
  { events }: Pick<ListenOptions, 'events'>,
  lines: Pick<LineQueue<Line>, 'push'>,
  tally: Tally,
  warn: (text: string) => void,
): Reports {
  let early: Report[] | null = [];
  let page: Inspector | null = null;
  const told = new Set<string>();
  /** A name that may be meant is not passed over in silence: how the service spells its own is seen only here. */
  const tellHidden = (event: string) => {
    const meant = events?.find((name) => lettersOf(name) === lettersOf(event));
    if (meant === undefined || told.has(event)) return;
    told.add(event);
    warn(
      `${makeVisible(event)} came, which --events ${meant} does not name: it is kept, and neither shown nor forwarded. Leave out --events, or name it so; pixctl webhook inbox lists what came, pixctl webhook replay <event id> forwards it.`,
    );
  };
  const isShown = (event: string | null) => events === null || event === null || events.includes(event);
  const tell = (report: Report) => {
    page?.note(report);
    if (!isShown(report.event)) return tellHidden(report.event ?? '');
    if (early !== null) return void early.push(report);
    lines.push(report);
    tally.note(report);
  };
  return {
    tell,
    showOn(inspector) {
      page = inspector;
    },
    begin() {
      const before = early ?? [];
      early = null;
      before.forEach(tell);
    },
    untold: () => (early ?? []).filter(({ type }) => type === 'event').length,
  };
}

const lettersOf = (name: string): string => name.toLowerCase().replace(/[^a-z0-9]/g, '');
