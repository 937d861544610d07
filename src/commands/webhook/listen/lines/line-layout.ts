/** Fits an event's line into a terminal: what has no room in the line follows it, indented. */
import stringWidth from 'string-width';
import { wrap } from '../../../../terminal/wrap.ts';
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
  const { time, event, id, outcome, sequel } = parts;
  const most = Math.max(columns, leastColumns);
  const fits = (...texts: string[]) => stringWidth(texts.join(gap)) <= most;
  for (const { start, notes } of startsOf(parts, most - gap.length - usualOutcome)) {
    const end = { outcome, sequel, notes };
    if (fits(start, endOf(end, plain))) return [start + gap + endOf(end, paint)];
    const short = { outcome, sequel, notes: '' };
    if (fits(start, endOf(short, plain))) return [start + gap + endOf(short, paint), ...below(notes, most)];
    if (fits(start, outcome))
      return [start + gap + paint(outcome), ...below(sequel, most, paint), ...below(notes, most)];
  }
  const rest = [...below(sequel, most, paint), ...below(notesWithAttempt(parts), most)];
  const start = [time, event.padEnd(20)].join(gap);
  if (fits(start, outcome)) return [start + gap + paint(outcome), ...below(id, most), ...rest];
  return [
    ...wrap([time, event].join(gap), most),
    ...below(id, most),
    ...below(outcome, most, paint),
    ...rest,
  ];
}

const plain = (text: string) => text;

/** The beginnings that a line may have, the fullest that fits into `room` first, each with the notes for its end. */
function startsOf(parts: LineParts, room: number) {
  const { time, event, id, amount, status, notes } = parts;
  const least = [time.padEnd(8), event.padEnd(20), id.padEnd(20)];
  const withAmount = [...least, amount.padEnd(12)];
  const short = notesWithAttempt(parts);
  const aligned = [
    { start: [...withAmount, status.padEnd(9)].join(gap), notes },
    { start: withAmount.join(gap), notes: short },
    { start: least.join(gap), notes: short },
  ].find(({ start }) => stringWidth(start) <= room);
  const tight = { start: [time, event, id].join(gap), notes: short };
  return aligned === undefined ? [tight] : [aligned, tight];
}

/** Without the column of the status, the notes say which attempt it is. */
const notesWithAttempt = ({ isAttempt, status, notes }: LineParts): string =>
  [isAttempt ? `(${status})` : '', notes].filter(Boolean).join(gap);

/** Says what became of an event, in one text. */
export const endOf = (
  { outcome, sequel, notes }: Pick<LineParts, 'outcome' | 'sequel' | 'notes'>,
  paint: (text: string) => string,
): string => paint(sequel === '' ? outcome : `${outcome}; ${sequel}`) + (notes === '' ? '' : gap + notes);

function below(text: string, columns: number, paint = plain): string[] {
  if (text === '') return [];
  return wrap(text, columns - indent.length).map((line) => indent + paint(line));
}
