/** How wide each column of a table is, or that the terminal is too narrow for a table at all. */
import stringWidth from 'string-width';

export type Layout =
  | { readonly kind: 'blocks' }
  | {
      readonly kind: 'table';
      /** Places of the columns that are drawn. */
      readonly shown: readonly number[];
      /** Of each of these, with padding, without borders. */
      readonly widths: readonly number[];
      /** Places of columns that have something to show and are not drawn. */
      readonly left: readonly number[];
    };

export interface Room {
  /** Of the terminal. */
  readonly columns: number;
  /** By place: whether it never gives way. */
  readonly whole: readonly boolean[];
  /** By place: `Column.spare`, 0 where it has none; null: every column is wanted, whatever is in it. */
  readonly spare: readonly number[] | null;
}

/** A space on each side of a cell. */
export const padding = 2;
/** Narrower than this, wrapped text is harder to read than a block a record. */
const leastWidth = 12;

/**
 * Natural widths where they fit in `columns`. Else what is empty in every row is left out, then the widest column that
 * can break between words gives way until the rest fits, then the sparest columns are left out. Only where all that
 * does not help, other columns give way too: an id that is cut cannot be copied. A column of `whole` never does: an
 * amount that is cut reads as another one. Where a column would fall below a readable width, blocks.
 */
export function layOut(
  heads: readonly string[],
  rows: readonly (readonly string[])[],
  { columns, whole, spare }: Room,
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
  /** Null where they do not fit. */
  const widthsOf = (shown: readonly number[], mayCut: boolean): readonly number[] | null => {
    const widths = shown.map((at) => natural[at] ?? 0);
    let excess = widths.reduce((sum, width) => sum + width, shown.length + 1) - columns;
    while (excess > 0) {
      const between = widths.map((width, n) => (width > (unbroken[shown[n] ?? 0] ?? 0) ? width : 0));
      const cut = mayCut && between.every((width) => width === 0);
      const from = cut ? widths.map((width, n) => (whole[shown[n] ?? 0] === true ? 0 : width)) : between;
      const giving = from.indexOf(Math.max(...from));
      const width = (from[giving] ?? 0) - 1;
      if (width < leastWidth + padding) return null;
      widths[giving] = width;
      excess -= 1;
    }
    return widths;
  };
  const every = heads.map((_, at) => at);
  const total = natural.reduce((sum, width) => sum + width, heads.length + 1);
  if (total <= columns) return { kind: 'table', shown: every, widths: natural, left: [] };
  const filled = spare === null ? every : every.filter((at) => rows.some((row) => row[at] !== ''));
  let shown = filled;
  while (shown.length > 0) {
    const widths = widthsOf(shown, false);
    if (widths !== null)
      return { kind: 'table', shown, widths, left: filled.filter((at) => !shown.includes(at)) };
    const sparest = Math.max(...shown.map((at) => spare?.[at] ?? 0));
    if (sparest === 0) break;
    shown = shown.filter((at) => spare?.[at] !== sparest);
  }
  const widths = widthsOf(filled, true);
  return widths === null ? { kind: 'blocks' } : { kind: 'table', shown: filled, widths, left: [] };
}
