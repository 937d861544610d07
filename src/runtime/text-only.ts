/** Commands whose output is text for people, or a script: no format of data would say the same. */
import { usageError } from '../errors.ts';
import type { Globals } from '../flags/globals.ts';

/** Throws a usage error (64) where a format or a choice of fields was given. `says`: `pixctl demo tells a story`. */
export function refuseFormat({ json, output, fields }: Globals, says: string): void {
  if (json === true || (output ?? 'table') !== 'table' || fields !== undefined)
    throw usageError(`${says}: -o and --fields do not apply. Nothing was sent.`);
}
