/** Text cut into lines that fit a column, counting what a terminal draws: a wide character is two. */
import stringWidth from 'string-width';

/** Lines of at most `width` columns; breaks at a space where one is near the end of the line. */
export function wrap(text: string, width: number): string[] {
  if (stringWidth(text) <= width) return [text];
  const lines: string[] = [];
  let line = '';
  let used = 0;
  for (const segment of drawnOf(text)) {
    const wide = stringWidth(segment);
    if (used + wide > width && line !== '') {
      const space = line.lastIndexOf(' ');
      const rest = space > line.length / 2 ? line.slice(space + 1) : '';
      lines.push(rest === '' ? line : line.slice(0, space));
      line = rest;
      used = stringWidth(rest);
    }
    line += segment;
    used += wide;
  }
  return [...lines, line];
}

/** What is drawn as one. In Latin letters alone that is each of them: the tables of the others load slowly. */
function* drawnOf(text: string): Generator<string> {
  if (!/[^\x20-\x7e\xa1-\xac\xae-\xff]/.test(text)) return yield* text;
  const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' });
  for (const { segment } of graphemes.segment(text)) yield segment;
}
