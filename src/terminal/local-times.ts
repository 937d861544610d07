/** Times in sentences for people: as tables show them, and with their zone, which a sentence has no heading to say. */
import { isoTime } from '../clock.ts';
import { wallTimeAt } from '../flags/time-zone.ts';

/**
 * `text` with `2026-01-02 00:04:05 -03:00` for `2026-01-02T03:04:05.000Z`, in `timeZone` (null: this machine's). Only
 * after a word that a time follows in our own sentences: an idempotency key or the value of a flag may look like a
 * time, and stays as it is.
 */
export const withLocalTimes = (text: string, timeZone: string | null): string =>
  text.replace(timeInSentence, (iso) => {
    const at = Date.parse(iso);
    // The service's own words may be in the sentence.
    return Number.isNaN(at) ? iso : zonedTime(at, timeZone);
  });

/** Whether `withLocalTimes` would change the text. */
export const namesTime = (text: string): boolean => text.search(timeInSentence) !== -1;

const timeInSentence =
  /(?<=(?:^|[ (])(?:sent|created|at|after|from|time) \(?)\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z/g;

/** `2026-01-02 00:04:05 -03:00` for an instant in milliseconds since the epoch. */
export function zonedTime(at: number, timeZone: string | null): string {
  const wall = wallTimeAt(at, timeZone);
  const minutes = Math.round((wall - at) / 60_000);
  const two = (number: number) => String(Math.floor(number)).padStart(2, '0');
  const ahead = Math.abs(minutes);
  const zone = minutes === 0 ? 'UTC' : `${minutes < 0 ? '-' : '+'}${two(ahead / 60)}:${two(ahead % 60)}`;
  return `${isoTime(wall).slice(0, 19).replace('T', ' ')} ${zone}`;
}
