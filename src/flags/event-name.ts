/** Event names on the command line. None is refused, because the document leaves out one of the service's. */
import { eventNames, isEventName } from '../contract/event-names.ts';
import { nearest } from './nearest.ts';
import { shorten } from './shorten.ts';

/** Warns of each name that the document does not show. */
export function warnOfUnknownEvents(names: Iterable<string>, warn: (doubt: string) => void): void {
  for (const name of names) {
    const doubt = unknownEventWarning(name);
    if (doubt !== null) warn(doubt);
  }
}

/** The warning about a name that the document does not show, with what may have been meant; null for a known name. */
export function unknownEventWarning(name: string): string | null {
  if (isEventName(name)) return null;
  const meant = nearest(name.toUpperCase(), eventNames);
  const guess = meant === undefined ? '' : ` Did you mean ${meant}?`;
  return `${shorten(name)} is not a documented event; it is used as it is.${guess}`;
}
