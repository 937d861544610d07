/**
 * Refuses values that nobody can mean: an empty one (an unset variable), an id with white space around it (a whole line
 * that was read), bytes in another encoding, `--help`; and a flag that is given twice.
 */
import type { Argument, Command, Option } from 'commander';
import { usageError } from '../../errors.ts';
import { pathOf } from '../help.ts';
import { shorten } from '../shorten.ts';
import { refuseMisparsedValue } from './misparsed-value.ts';
import { explainPastedWord, restoreFlag } from './pasted-text.ts';

const emptyAllowed = new WeakSet<Argument | Option>();

/** Marks an argument or a flag whose text may be empty. */
export function allowEmpty<T extends Argument | Option>(it: T): T {
  emptyAllowed.add(it);
  return it;
}

interface GivenValue {
  readonly it: Argument | Option;
  /** `<id>`, `--customer`. */
  readonly name: string;
  /** `id` of `<id>` and of `--customer <id>`. */
  readonly kind: string;
  readonly texts: readonly string[];
  /** What to do if it is empty. */
  readonly hint: string;
}

/**
 * Makes `command` refuse (64) what is no value (`refuseMisparsedValue`), and a flag that is given twice with two
 * values: of two amounts or keys, the first would be dropped silently. The second rule does not apply to the flags of
 * every command, which an alias may set before the line does.
 */
export function addValueChecks(command: Command): void {
  for (const option of command.options) {
    const { long, parseArg = (value: string) => value } = option;
    if (!option.required || option.variadic) continue;
    option.argParser((value: string, before: unknown) => {
      refuseMisparsedValue(option, value, command);
      const taken: unknown = parseArg(value, before as never);
      if (command.parent === null) return taken;
      // A flag that collects its values makes an array or an object of them.
      const isLost = typeof before !== 'object' && before !== taken;
      if (isLost && command.getOptionValueSource(option.attributeName()) === 'cli')
        throw usageError(
          `${long} is given twice: ${shorten(String(before))} and ${shorten(value)}. Nothing was sent.`,
        );
      return taken;
    });
  }
}

/**
 * Throws a usage error (64) for the first argument or flag on the line that is blank, not UTF-8, `--help`, or an id
 * that begins or ends with a space. Taken for a value, a blank would mean no filter, another file, or every record
 * instead of one; the payer could not read broken text; `--help` would be a key that nobody chose; and no record has
 * such an id.
 */
export function refuseUnintendedValues(command: Command): void {
  for (const given of givenValues(command)) {
    for (const text of given.texts) refuseUnintended(text, given, command);
  }
}

function refuseUnintended(text: string, { it, name, kind, hint }: GivenValue, command: Command): void {
  if (text.trim() === '' && !emptyAllowed.has(it))
    throw usageError(`${name} is empty. Nothing was sent.`, hint);
  if (name.startsWith('<') && restoreFlag(text, command) !== undefined)
    throw usageError(`${explainPastedWord([text], command)} Nothing was sent.`);
  // The user asks for help and wants nothing done; as the value of a flag, it would become the key of an order.
  if (text === '--help' && name.startsWith('-'))
    throw usageError(`${name} needs a value before --help. Nothing was sent.`, hint);
  // Node puts it where a byte of the command line is not UTF-8.
  if (text.includes('\ufffd'))
    throw usageError(
      `${name} is not UTF-8 text: some of its characters would be lost. Nothing was sent.`,
      'Save the script or list it comes from as UTF-8, or set the terminal to UTF-8.',
    );
  if (text !== text.trim() && idNamePattern.test(kind))
    throw usageError(
      `${name} ${JSON.stringify(text)} begins or ends with a space or a line break. Nothing was sent.`,
      `No id does. Without it: ${text.trim()}.`,
    );
}

/** Recognised by the name that the help gives it. */
const idNamePattern = /^(?:\w+ )?ids?$|^charge$|^cursor$/;

function* givenValues(command: Command): Generator<GivenValue> {
  for (const [at, it] of command.registeredArguments.entries()) {
    const texts = command.args.slice(at, it.variadic ? undefined : at + 1);
    const hint = `${pathOf(command)} --help shows what it is.`;
    yield { it, name: `<${it.name()}>`, kind: it.name(), texts, hint };
  }
  for (let at: Command | null = command; at !== null; at = at.parent) yield* flagsOf(at);
}

function* flagsOf(command: Command): Generator<GivenValue> {
  for (const it of command.options) {
    const { long, flags } = it;
    const given: unknown[] = [command.getOptionValue(it.attributeName())].flat();
    if (command.getOptionValueSource(it.attributeName()) !== 'cli') continue;
    const texts = given.filter((value) => typeof value === 'string');
    const hint = `Give ${flags.replace(/^-\w, /, '')}, or leave it out.`;
    yield { it, name: long ?? flags, kind: /<(.+)>$/.exec(flags)?.[1] ?? '', texts, hint };
  }
}
