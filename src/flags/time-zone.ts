/** Time zones by their IANA names (`America/Sao_Paulo`). */
import { formatterOf } from './wall-time.ts';

/** The zone of what is written for Brazil, wherever it is written. */
export const brazilianZone = 'America/Sao_Paulo';

/** Whether the machine knows a time zone by that name. */
export const isTimeZone = (text: string): boolean => formatterOf(text) !== null;

/** What to do about a `TZ` that has no effect. */
export const zoneRemedy = 'Spell the name exactly, as in TZ=America/Sao_Paulo, or leave TZ unset.';

/** Values that say UTC without naming it, or leave the zone to a file. */
const otherThanName = /^:?\/|^:?localtime$|^:?[A-Za-z]{3,}[+-]?0/;

/**
 * Whether this process follows its `TZ`. Node silently takes a `TZ` that it cannot read (a misspelt name, one in lower
 * case) as UTC. So a zone that moves the clocks was read, and one that leaves them at UTC must say so.
 */
export function isTimeZoneInEffect(TZ: string, now: number): boolean {
  // The cheap test first: the first use of `Intl` takes a fifth of Node's start-up time.
  if (new Date(now).getTimezoneOffset() !== 0 || otherThanName.test(TZ)) return true;
  const { timeZone } = new Intl.DateTimeFormat().resolvedOptions();
  if (timeZone === undefined || timeZone === 'Etc/Unknown') return false;
  return timeZone !== 'UTC' || isTimeZone(TZ.replace(/^:/, ''));
}
