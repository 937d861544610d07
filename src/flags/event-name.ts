/** Event names on the command line. The document leaves out one of the service's, so no name is refused. */
import { eventNames, isEventName } from '../contract/event.ts';
import { nearest } from './nearest.ts';

/** Warns of each name that the document does not show. */
export function warnOfDoubts(names: Iterable<string>, warn: (doubt: string) => void): void {
  for (const name of names) {
    const doubt = doubtAbout(name);
    if (doubt !== null) warn(doubt);
  }
}

/** What to warn of a name that the document does not show, with what may have been meant; null for a known one. */
export function doubtAbout(name: string): string | null {
  if (isEventName(name)) return null;
  const meant = nearest(name.toUpperCase(), eventNames);
  const guess = meant === undefined ? '' : ` Did you mean ${meant}?`;
  return `${name} is not a documented event; it is used as it is.${guess}`;
}
