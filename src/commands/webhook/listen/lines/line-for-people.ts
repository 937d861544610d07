/** Formats a line of `webhook listen` for people: columns at a terminal, tabs elsewhere. */
import type { Report } from '../../../../listener/report.ts';
import { makeVisible } from '../../../../terminal/escape.ts';
import { paint } from '../../../../terminal/paint.ts';
import { wrap } from '../../../../terminal/wrap.ts';
import { endOf, layOutLine } from './line-layout.ts';
import { linePartsOf } from './line-parts.ts';

interface LineStyle {
  readonly colour: boolean;
  /** The width of the terminal; null where there is none, and texts are separated by tabs. */
  readonly columns: number | null;
  /** Time of day at which it was reported. */
  readonly time: string;
}

/** Formats one report without its last line end. Text from outside is made visible. */
export function lineForPeople(report: Report, { colour, columns, time }: LineStyle): string {
  if (report.type === 'rejected') {
    const what = `refused with ${report.answered}: ${makeVisible(report.message)}`;
    const red = (text: string) => paint('red', text, colour);
    if (columns === null) return `${time}\t${red(what)}`;
    const gap = ' '.repeat(10);
    const [first = '', ...more] = wrap(what, Math.max(columns, 20) - gap.length);
    return [`${time.padEnd(10)}${red(first)}`, ...more.map((line) => gap + red(line))].join('\n');
  }
  const parts = linePartsOf(report, time);
  const painted = (text: string) => paint(parts.style, text, colour);
  if (columns !== null) return layOutLine(parts, columns, painted).join('\n');
  const { event, id, amount, status } = parts;
  return [time, event, id, amount, status, endOf(parts, painted)].join('\t');
}
