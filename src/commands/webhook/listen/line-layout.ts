/** Fits an event's line into a terminal: what has no room in the line follows it, indented. */
import stringWidth from 'string-width';
import { wrap } from '../../../terminal/wrap.ts';
import type { LineParts } from './line-parts.ts';

/** Between two texts of a line. */
const gap = '  ';
/** Past the time. */
const indent = ' '.repeat(10);
/** `-> 200 in 1234 ms`: columns that leave room for this are shown, so that the lines of a terminal look alike. */
const usualOutcome = 17;
/** Text in a narrower terminal is not fitted any further. */
const leastColumns = 20;

/**
 * Returns the lines, none wider than the terminal's `columns`. If they do not all fit, the status is left out first,
 * then the amount. An id is never cut, because it could not be copied. `paint` colours what became of the event.
 */
export function layOutLine(parts: LineParts, columns: number, paint: (text: string) => string): string[] {
  const { time, event, id, outcome, sequel, notes } = parts;
  const most = Math.max(columns, leastColumns);
  const fits = (...texts: string[]) => stringWidth(texts.join(gap)) <= most;
  const end = endOf(parts, (text) => text);
  const rest = [...below(sequel, most, paint), ...below(notes, most)];
  const cells = fullestCells(parts, most - gap.length - usualOutcome);
  for (const start of [...(cells === null ? [] : [cells]), [time, event, id].join(gap)]) {
    if (fits(start, end)) return [start + gap + endOf(parts, paint)];
    const told = endOf({ ...parts, notes: '' }, (text) => text);
    if (fits(start, told)) return [start + gap + paint(told), ...below(notes, most)];
    if (fits(start, outcome)) return [start + gap + paint(outcome), ...rest];
  }
  const start = [time, event.padEnd(20)].join(gap);
  if (fits(start, outcome)) return [start + gap + paint(outcome), ...below(id, most), ...rest];
  return [
    ...wrap([time, event].join(gap), most),
    ...below(id, most),
    ...below(outcome, most, paint),
    ...rest,
  ];
}

/** Says what became of an event, in one text. */
export const endOf = (
  { outcome, sequel, notes }: Pick<LineParts, 'outcome' | 'sequel' | 'notes'>,
  paint: (text: string) => string,
): string => paint(sequel === '' ? outcome : `${outcome}; ${sequel}`) + (notes === '' ? '' : gap + notes);

/** Returns the aligned columns that fit into `room`; null if not even time, event and id do. */
function fullestCells({ time, event, id, amount, status }: LineParts, room: number): string | null {
  const least = [time.padEnd(8), event.padEnd(20), id.padEnd(20)];
  const withAmount = [...least, amount.padEnd(12)];
  const choices = [[...withAmount, status.padEnd(9)], withAmount, least];
  return choices.map((texts) => texts.join(gap)).find((row) => stringWidth(row) <= room) ?? null;
}

function below(text: string, columns: number, paint = (line: string) => line): string[] {
  if (text === '') return [];
  return wrap(text, columns - indent.length).map((line) => indent + paint(line));
}
