/** "Did you mean": the known word closest to a typed one, and how to say it. */

/** The known word within two edits (one for words of up to four letters) of `typed`, ignoring case; else undefined. */
export function nearest(typed: string, known: readonly string[]): string | undefined {
  const wanted = typed.toLowerCase();
  const bound = wanted.length <= 4 ? 1 : 2;
  let best: { word: string; distance: number } | undefined;
  for (const word of known) {
    const distance = editDistance(wanted, word.toLowerCase());
    if (distance <= bound && (best === undefined || distance < best.distance)) best = { word, distance };
  }
  return best?.word ?? known.find((word) => wanted.length > 2 && word.toLowerCase().startsWith(wanted));
}

/** How a sentence that refuses a word ends: with what was probably meant, or a full stop. `quote`: around a name. */
export const didYouMean = (meant: string | undefined, quote: '' | '"' = ''): string =>
  meant === undefined ? '.' : `; did you mean ${quote}${meant}${quote}?`;

/**
 * The edits from one to the other, row by row; a swap of two letters is one edit. Long words are not worth the work.
 */
function editDistance(a: string, b: string): number {
  if (Math.abs(a.length - b.length) > 2 || a.length > 64) return 3;
  let row = Array.from({ length: b.length + 1 }, (_, index) => index);
  let before: readonly number[] = row;
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const other = (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      const swapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      const swap = swapped ? (before[j - 2] ?? 0) + 1 : other;
      next.push(Math.min(other, swap, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1));
    }
    before = row;
    row = next;
  }
  return row[b.length] ?? 3;
}
