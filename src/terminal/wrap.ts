/** Breaks text into lines that fit a column, by the width that a terminal draws: a wide character counts as two. */
import stringWidth from 'string-width';

/**
 * Returns lines of at most `width` columns. Breaks at a space if one is near the end of the line, or if the word after
 * it, which may be an id, would fit whole on a line of its own.
 */
export function wrap(text: string, width: number): string[] {
  if (stringWidth(text) <= width) return [text];
  const lines: string[] = [];
  let line = '';
  let used = 0;
  let at = 0;
  for (const segment of drawnOf(text)) {
    const wide = stringWidth(segment);
    if (used + wide > width && line !== '') {
      const space = line.lastIndexOf(' ');
      // No more of it than could fit: without blanks, the word may be all the rest of a long text.
      const [ahead = ''] = text.slice(at, at + width + 1).split(' ', 1);
      const word = line.slice(space + 1) + ahead;
      const isWhole = space > 0 && word.length <= width && stringWidth(word) <= width;
      const rest = isWhole || space > line.length / 2 ? line.slice(space + 1) : '';
      lines.push(rest === '' ? line : line.slice(0, space));
      line = rest;
      used = stringWidth(rest);
    }
    line += segment;
    used += wide;
    at += segment.length;
  }
  return [...lines, line];
}

/** As much of it as one line of `width` columns shows, with dots for the rest. */
export function cutToWidth(text: string, width: number): string {
  if (stringWidth(text) <= width) return text;
  const [line = ''] = wrap(text, Math.max(1, width - 4));
  return `${line} ...`;
}

/**
 * What is drawn as one unit. In plain Latin text that is each character; the tables for everything else load slowly.
 */
function* drawnOf(text: string): Generator<string> {
  if (!/[^\x20-\x7e\xa1-\xac\xae-\xff]/.test(text)) return yield* text;
  const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' });
  for (const { segment } of graphemes.segment(text)) yield segment;
}
