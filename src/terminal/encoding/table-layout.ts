/** How wide each column of a table is, or that the terminal is too narrow for a table at all. */
import stringWidth from 'string-width';

export type Layout =
  | { readonly kind: 'blocks' }
  | {
      readonly kind: 'table';
      /** Indexes of the columns that are drawn. */
      readonly shown: readonly number[];
      /** The widths of these, with padding, without borders. */
      readonly widths: readonly number[];
      /** Indexes of columns that have something to show and are not drawn. */
      readonly left: readonly number[];
    };

export interface Room {
  /** The width of the terminal. */
  readonly columns: number;
  /** By index: whether the column never gives way. */
  readonly whole: readonly boolean[];
  /** By index: `Column.dropPriority`, 0 if it has none; null: every column is wanted, whatever it contains. */
  readonly spare: readonly number[] | null;
}

/** One space on each side of a cell. */
export const padding = 2;
/** Narrower than this, wrapped text is harder to read than one block per record. */
const leastWidth = 12;

/**
 * Lays out natural widths if they fit in `columns`. Otherwise columns that are empty in every row are left out; then
 * the widest column that can break between words gives way until the rest fits; then the most dispensable columns are
 * left out. Only if none of that helps do other columns give way too. A `whole` column never does: an amount that is
 * cut reads as a different one, and an id that is cut cannot be copied. If a column would become unreadably narrow:
 * blocks.
 */
export function layOut(
  heads: readonly string[],
  rows: readonly (readonly string[])[],
  { columns, whole, spare }: Room,
): Layout {
  const places = heads.map((head, at) =>
    placeOf([head, ...rows.map((row) => row[at] ?? '')], whole[at] === true, columns),
  );
  const natural = places.map((place) => place.natural);
  const widthsOf = (shown: readonly number[], mayCut: boolean) =>
    narrowed(
      places.filter((_, at) => shown.includes(at)),
      columns,
      mayCut,
    );
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

interface Place {
  /** On a single line; no more than the terminal has. */
  readonly natural: number;
  /** With its longest word unbroken. */
  readonly unbroken: number;
  /** See `Room`. */
  readonly whole: boolean;
}

/** How wide the column of these cells would be, with padding. */
function placeOf(cells: readonly string[], whole: boolean, columns: number): Place {
  // Not spread into `Math.max`: a cell of a hundred thousand words would overflow the stack.
  const widest = (parts: readonly string[]) =>
    parts.reduce((most, part) => Math.max(most, stringWidth(part)), 0) + padding;
  const parts = whole ? cells : cells.flatMap((cell) => cell.split(' '));
  return {
    natural: Math.min(widest(cells), columns),
    unbroken: Math.max(widest(parts), leastWidth + padding),
    whole,
  };
}

/**
 * Widths at which they fit into `columns`; null if they cannot. The widest gives way, one character at a time: one that
 * can break between words, as long as there is any; then, if `mayCut`, any that need not stay whole.
 */
function narrowed(places: readonly Place[], columns: number, mayCut: boolean): readonly number[] | null {
  const widths = places.map(({ natural }) => natural);
  let excess = widths.reduce((sum, width) => sum + width, places.length + 1) - columns;
  for (; excess > 0; excess -= 1) {
    const between = places.map(({ unbroken }, n) => ((widths[n] ?? 0) > unbroken ? (widths[n] ?? 0) : 0));
    const cut = mayCut && between.every((width) => width === 0);
    const from = cut ? places.map(({ whole }, n) => (whole ? 0 : (widths[n] ?? 0))) : between;
    const widest = Math.max(...from);
    if (widest - 1 < leastWidth + padding) return null;
    widths[from.indexOf(widest)] = widest - 1;
  }
  return widths;
}
