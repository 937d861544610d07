/** How a command shows its result, as flags and settings say. */
import { usageError } from '../errors.ts';
import type { Globals } from '../flags/globals.ts';
import type { Runtime } from '../runtime.ts';

/** Throws `usageError` (64) for flags that contradict each other. */
export function outputOptions(globals: Globals) {
  const { jq } = globals;
  const format =
    globals.json === true || (jq !== undefined && globals.output === undefined)
      ? 'json'
      : (globals.output ?? 'table');
  if (globals.json === true && globals.output !== undefined && globals.output !== 'json')
    throw usageError(
      `--json and -o ${globals.output} contradict each other. Nothing was sent.`,
      'Give one of them.',
    );
  if (jq !== undefined && format !== 'json' && format !== 'ndjson')
    throw usageError(
      `--jq filters json, which -o ${format} is not. Nothing was sent.`,
      'Leave -o out, or give -o ndjson to filter each item of a list as it arrives.',
    );
  if (globals.csvLocale === 'pt-BR' && format !== 'csv')
    throw usageError('--csv-locale is for -o csv. Nothing was sent.', 'Give both or none.');
  return {
    format,
    fields: globals.fields === undefined ? null : globals.fields.split(',').map((field) => field.trim()),
    quiet: globals.quiet === true,
    csvLocale: globals.csvLocale ?? 'machine',
  } as const;
}

/**
 * The zone of times for people: the setting `timeZone`; null for this machine's, which is the one that TZ names if it
 * is set. Only people read local times. Whether a zone of that name is known is not looked up here, because most runs
 * that show no time would wait for it: `formatterOf` tells, and a name that is not known (edited by hand, or set where
 * Node knows more zones) means this machine's, so that it hides no answer.
 */
export async function readTimeZone({ io, config, environment }: Runtime): Promise<string | null> {
  if (environment.TZ || !(io.stdoutIsTerminal || io.stderrIsTerminal)) return null;
  try {
    const set = (await config()).get('timeZone');
    return typeof set === 'string' ? set : null;
  } catch {
    return null;
  }
}

/**
 * For commands whose output is text for people, or a script: throws a usage error (64) if a format or fields were
 * given. `says` begins its message: `pixctl demo tells a story`.
 */
export function refuseFormatFlags(globals: Globals, says: string, hint?: string): void {
  const { json, output, fields, jq } = globals;
  if (json === true || (output ?? 'table') !== 'table' || fields !== undefined || jq !== undefined)
    throw usageError(`${says}: -o, --fields and --jq do not apply. Nothing was sent.`, hint);
  outputOptions(globals);
}
