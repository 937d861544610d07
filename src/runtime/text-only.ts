/** For commands whose output is text for people, or a script: no data format would fit. */
import { usageError } from '../errors.ts';
import type { Globals } from '../flags/globals.ts';
import { outputOptions } from './output-options.ts';

/**
 * Throws a usage error (64) if a format or fields were given. `says` begins its message: `pixctl demo tells a story`.
 */
export function refuseFormatFlags(globals: Globals, says: string, hint?: string): void {
  const { json, output, fields, jq } = globals;
  if (json === true || (output ?? 'table') !== 'table' || fields !== undefined || jq !== undefined)
    throw usageError(`${says}: -o, --fields and --jq do not apply. Nothing was sent.`, hint);
  outputOptions(globals);
}
