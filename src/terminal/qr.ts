/**
 * A QR code as terminal text. Each character shows two modules as an upper half block with an explicit foreground and
 * background, so that it scans on dark and on light themes; the quiet zone is 2. Where no half block can be shown, a
 * module is two spaces with a background, which take twice the columns and the lines.
 */
import type { Matrix } from '../qr/matrix.ts';

/** Light modules on each side; terminals add light or dark margins of their own. */
const quiet = 2;

type TerminalQr =
  | { fits: true; text: string }
  /** Show this number and the text code instead. */
  | { fits: false; columns: number };

export interface QrRoom {
  /** The width of the terminal. */
  readonly columns: number;
  /** The terminal shows ASCII alone. */
  readonly ascii?: boolean;
}

/** Renders lines with a final newline, or returns the columns that the terminal would need. */
export function renderQr({ size, modules }: Matrix, { columns, ascii = false }: QrRoom): TerminalQr {
  const side = size + 2 * quiet;
  const needed = ascii ? 2 * side : side;
  if (needed > columns) return { fits: false, columns: needed };
  const dark = (row: number, column: number): boolean =>
    row >= quiet &&
    column >= quiet &&
    row < size + quiet &&
    column < size + quiet &&
    modules[(row - quiet) * size + column - quiet] === 1;
  const cellAt = (row: number, column: number): readonly [style: string, drawn: string] =>
    ascii
      ? [`\u001b[48;5;${colourOf(dark(row, column))}m`, '  ']
      : [`\u001b[38;5;${colourOf(dark(row, column))};48;5;${colourOf(dark(row + 1, column))}m`, '▀'];
  let text = '';
  for (let row = 0; row < side; row += ascii ? 1 : 2) {
    let style = '';
    for (let column = 0; column < side; column++) {
      const [next, drawn] = cellAt(row, column);
      if (next !== style) text += next;
      style = next;
      text += drawn;
    }
    text += '\u001b[0m\n';
  }
  return { fits: true, text };
}

/**
 * Colours of the fixed 256-colour cube, which themes do not remap as they do the sixteen named ones:
 * 16 is black, 231 is white. A line gap shows the terminal's own background, never an inverted module.
 */
const colourOf = (dark: boolean): number => (dark ? 16 : 231);
