/** Which columns are shown, and how a value becomes text for people or for machines. */
import { parseIsoTime } from '../contract/iso-time.ts';
import { formatCents } from '../contract/money.ts';
import { type PixctlError, usageError } from '../errors.ts';
import { didYouMean, nearest } from '../flags/nearest.ts';
import { formatterOf } from '../flags/time-zone.ts';
import { makeVisible } from './escape.ts';
import { type Column, columnValue, type View } from './view.ts';

/**
 * The columns of `--fields`, in that order. If none were named: all except those that must be named, with or without
 * details.
 */
export function columnsOf<T>(
  view: View<T>,
  fields: readonly string[] | null,
  show: 'all' | 'without-details',
): readonly Column<T>[] {
  if (fields === null)
    return view.columns.filter(
      (column) => column.named !== true && (show === 'all' || column.detail !== true),
    );
  return fields.map((field) => {
    const column = view.columns.find(({ key }) => key === field);
    if (column === undefined) throw unknownField(view, field);
    return column;
  });
}

function unknownField<T>(view: View<T>, field: string): PixctlError {
  const known = view.columns.map(({ key }) => key);
  return usageError(
    `"${field}" is not a field here (${view.name})${didYouMean(nearest(field, known), '"')} Nothing was sent.`,
    `Fields: ${known.join(', ')}.`,
  );
}

/** For machines: the plain value, `''` if there is none. */
export function machineText<T>(column: Column<T>, item: T): string {
  const value = columnValue(column, item);
  return value === null || value === undefined ? '' : makeVisible(wordOf(value));
}

/** For people: the column's own words, or else `R$ 10,50` and local time, according to its kind. */
export function peopleText<T>(column: Column<T>, item: T, timeZone: string | null): string {
  if (column.text !== undefined) return makeVisible(column.text(item));
  const value = columnValue(column, item);
  if (value === null || value === undefined) return '';
  if (column.kind === 'cents' && typeof value === 'number') return formatAmount(value);
  if (column.kind === 'time' && typeof value === 'string') return localTime(value, timeZone);
  return makeVisible(wordOf(value));
}

/** For people, when a single item is shown: one line, or several. */
export function peopleLines<T>(column: Column<T>, item: T, timeZone: string | null): readonly string[] {
  if (column.lines === undefined) return [peopleText(column, item, timeZone)];
  return column.lines(item, (iso) => localTime(iso, timeZone)).map((line) => makeVisible(line));
}

/** The text of any value in an answer; an object or array is shown as JSON. */
export const wordOf = (value: unknown): string =>
  typeof value === 'object' ? JSON.stringify(value) : String(value);

/** `R$ 1.234,50`; anything but a whole number of cents is shown as it came. */
export const formatAmount = (cents: number): string =>
  Number.isSafeInteger(cents) ? formatCents(cents) : String(cents);

/** `2026-01-02 00:04:05` in the zone; text that is no time is shown as it came. */
function localTime(text: string, timeZone: string | null): string {
  const ms = parseIsoTime(text);
  if (Number.isNaN(ms)) return makeVisible(text);
  const formatter = timeZone === null ? null : formatterOf(timeZone);
  return formatter === null ? machineTime(new Date(ms)) : formatter.format(ms);
}

/** Avoids `Intl`, whose first use takes a fifth of Node's start-up time. */
function machineTime(at: Date): string {
  const two = (number: number) => String(number).padStart(2, '0');
  const date = `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())}`;
  return `${date} ${two(at.getHours())}:${two(at.getMinutes())}:${two(at.getSeconds())}`;
}
