/**
 * A QR code as terminal text. Each character shows two modules as an upper half block with an explicit foreground and
 * background, so that it scans on dark and on light themes; the quiet zone is 2.
 */
import type { Matrix } from '../qr/matrix.ts';

/** Light modules on each side; terminals add light or dark margins of their own. */
const quiet = 2;

type TerminalQr =
  | { fits: true; text: string }
  /** Show this number and the text code instead. */
  | { fits: false; columns: number };

/** Renders lines with a final newline, or returns the columns that the terminal would need. */
export function renderQr({ size, modules }: Matrix, { columns }: { columns: number }): TerminalQr {
  const side = size + 2 * quiet;
  if (side > columns) return { fits: false, columns: side };
  const dark = (row: number, column: number): boolean =>
    row >= quiet &&
    column >= quiet &&
    row < size + quiet &&
    column < size + quiet &&
    modules[(row - quiet) * size + column - quiet] === 1;
  let text = '';
  for (let row = 0; row < side; row += 2) {
    let style = '';
    for (let column = 0; column < side; column++) {
      const next = styleOf(dark(row, column), dark(row + 1, column));
      if (next !== style) text += next;
      style = next;
      text += '▀';
    }
    text += '\u001b[0m\n';
  }
  return { fits: true, text };
}

/**
 * Colours of the fixed 256-colour cube, which themes do not remap as they do the sixteen named ones:
 * 16 is black, 231 is white. A line gap shows the terminal's own background, never an inverted module.
 */
const styleOf = (upper: boolean, lower: boolean): string =>
  `\u001b[38;5;${upper ? 16 : 231};48;5;${lower ? 16 : 231}m`;
