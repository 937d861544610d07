/** How wide each column of a table is, or that the terminal is too narrow for a table at all. */
import stringWidth from 'string-width';

export type Layout =
  | { readonly kind: 'blocks' }
  | { readonly kind: 'table' /** With padding, without borders. */; readonly widths: readonly number[] };

/** A space on each side of a cell. */
export const padding = 2;
/** Narrower than this, wrapped text is harder to read than a block a record. */
const leastWidth = 12;

/**
 * Natural widths where they fit in `columns`; else the widest column gives way until the rest fits, first of
 * those that can break between words: an id that is cut cannot be copied. A column of `whole` never gives way: an
 * amount that is cut reads as another one. Where a column would fall below a readable width, blocks.
 */
export function layOut(
  heads: readonly string[],
  rows: readonly (readonly string[])[],
  { columns, whole }: { readonly columns: number; readonly whole: readonly boolean[] },
): Layout {
  const widest = (at: number, partsOf: (cell: string) => string[]): number =>
    Math.max(
      ...[heads[at] ?? '', ...rows.map((row) => row[at] ?? '')]
        .flatMap(partsOf)
        .map((part) => stringWidth(part)),
    ) + padding;
  const natural = heads.map((_, at) => widest(at, (cell) => [cell]));
  const unbroken = heads.map((_, at) =>
    Math.max(
      widest(at, (cell) => (whole[at] === true ? [cell] : cell.split(' '))),
      leastWidth + padding,
    ),
  );
  const borders = heads.length + 1;
  let excess = natural.reduce((sum, width) => sum + width, borders) - columns;
  const widths = [...natural];
  while (excess > 0) {
    const spare = widths.map((width, at) => (width > (unbroken[at] ?? 0) ? width : 0));
    const from = spare.some((width) => width > 0)
      ? spare
      : widths.map((width, at) => (whole[at] === true ? 0 : width));
    const giving = from.indexOf(Math.max(...from));
    const width = (from[giving] ?? 0) - 1;
    if (width < leastWidth + padding) return { kind: 'blocks' };
    widths[giving] = width;
    excess -= 1;
  }
  return { kind: 'table', widths };
}
