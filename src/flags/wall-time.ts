/** From what clocks show to the instant at which they do, and back. */

/** What the clocks of `zone`, or of this machine for null, show at an instant: milliseconds, as if they showed UTC. */
export const wallTimeAt = (at: number, zone: string | null): number => at + offsetsOf(zone)(at);

/**
 * The instant (milliseconds since the epoch) at which the clocks of `zone`, or of this machine for null, first show
 * `wall`, which is given as if they showed UTC. A wall time that a clock change skips is read later by the length
 * of the gap.
 */
export function instantOf(wall: number, zone: string | null): number {
  const offsetAt = offsetsOf(zone);
  // A day before and a day after: where the clocks change in between, the two differ.
  const before = offsetAt(wall - dayMs);
  const after = offsetAt(wall + dayMs);
  const isShown = (offset: number) => offsetAt(wall - offset) === offset;
  return isShown(before) || !isShown(after) ? wall - before : wall - after;
}

const dayMs = 86_400_000;

/**
 * Between these, what `Intl` shows of a time can be read again: years of four digits. Before the first one no zone
 * changes its clocks; after the last one they stand as on it.
 */
const readable = { first: Date.UTC(1001, 0, 1), last: Date.UTC(9999, 11, 30) };

/** How far the clocks of a zone are ahead of UTC at an instant, milliseconds. */
function offsetsOf(zone: string | null): (at: number) => number {
  // Without `Intl`, whose first use takes a fifth of the time that Node takes to start.
  if (zone === null) return (at) => -60_000 * new Date(at).getTimezoneOffset();
  const format = new Intl.DateTimeFormat('sv-SE', {
    timeZone: zone,
    dateStyle: 'short',
    timeStyle: 'medium',
  });
  return (at) => {
    const second = Math.floor(Math.min(Math.max(at, readable.first), readable.last) / 1_000) * 1_000;
    return Date.parse(`${format.format(second).replace(' ', 'T')}Z`) - second;
  };
}
