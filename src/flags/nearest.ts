/** "Did you mean": the known word closest to a typed one. */

/** The known word within two edits (one for short words) of `typed`, ignoring case; else undefined. */
export function nearest(typed: string, known: readonly string[]): string | undefined {
  const wanted = typed.toLowerCase();
  const bound = wanted.length < 4 ? 1 : 2;
  let best: { word: string; distance: number } | undefined;
  for (const word of known) {
    const distance = edits(wanted, word.toLowerCase());
    if (distance <= bound && (best === undefined || distance < best.distance)) best = { word, distance };
  }
  return best?.word ?? known.find((word) => wanted.length > 2 && word.toLowerCase().startsWith(wanted));
}

/** Levenshtein distance, a row at a time. Long words are not worth the work. */
function edits(a: string, b: string): number {
  if (Math.abs(a.length - b.length) > 2 || a.length > 64) return 3;
  let row = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const swap = (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      next.push(Math.min(swap, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row[b.length] ?? 3;
}
