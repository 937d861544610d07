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
 * Natural widths where they fit in `columns`; else the widest column gives way until the rest fits. An id
 * cut into many lines helps nobody: where a column would fall below a readable width, blocks.
 */
export function layOut(
  heads: readonly string[],
  rows: readonly (readonly string[])[],
  columns: number,
): Layout {
  const natural = heads.map((head, at) => {
    const cells = rows.map((row) => stringWidth(row[at] ?? ''));
    return Math.max(stringWidth(head), ...cells) + padding;
  });
  const borders = heads.length + 1;
  let excess = natural.reduce((sum, width) => sum + width, borders) - columns;
  const widths = [...natural];
  while (excess > 0) {
    const widest = widths.indexOf(Math.max(...widths));
    const width = (widths[widest] ?? 0) - 1;
    if (width < leastWidth + padding) return { kind: 'blocks' };
    widths[widest] = width;
    excess -= 1;
  }
  return { kind: 'table', widths };
}
