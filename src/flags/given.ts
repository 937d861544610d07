/** Values nobody can mean: empty (an unset variable), or an id with white space around it (a line read whole). */
import type { Argument, Command, Option } from 'commander';
import { usageError } from '../errors.ts';
import { pathOf } from './usage-words.ts';

const meant = new WeakSet<Argument | Option>();

/** Marks an argument or a flag whose text may be empty. */
export function mayBeEmpty<T extends Argument | Option>(it: T): T {
  meant.add(it);
  return it;
}

interface Given {
  readonly it: Argument | Option;
  /** `<id>`, `--customer`. */
  readonly name: string;
  /** `id` of `<id>` and of `--customer <id>`. */
  readonly kind: string;
  readonly texts: readonly string[];
  /** What to do where it is empty. */
  readonly hint: string;
}

/**
 * Throws a usage error (64) for the first argument or flag of the line that is empty or blank, or an id that begins or
 * ends with a space. Taken for a value, it would be no filter, another file, or every record instead of one; and an id
 * that no record has.
 */
export function refuseUnmeant(command: Command): void {
  for (const { it, name, kind, texts, hint } of givenTo(command)) {
    for (const text of texts) {
      if (text.trim() === '' && !meant.has(it)) throw usageError(`${name} is empty. Nothing was sent.`, hint);
      if (text !== text.trim() && isId.test(kind))
        throw usageError(
          `${name} ${JSON.stringify(text)} begins or ends with a space or a line break. Nothing was sent.`,
          `No id does. Without it: ${text.trim()}.`,
        );
    }
  }
}

/** By what the help calls it. */
const isId = /^(?:\w+ )?ids?$|^charge$|^cursor$/;

function* givenTo(command: Command): Generator<Given> {
  for (const [at, it] of command.registeredArguments.entries()) {
    const texts = command.args.slice(at, it.variadic ? undefined : at + 1);
    const hint = `${pathOf(command)} --help shows what it is.`;
    yield { it, name: `<${it.name()}>`, kind: it.name(), texts, hint };
  }
  for (let at: Command | null = command; at !== null; at = at.parent) yield* flagsOf(at);
}

function* flagsOf(command: Command): Generator<Given> {
  for (const it of command.options) {
    const { long, flags } = it;
    const given: unknown[] = [command.getOptionValue(it.attributeName())].flat();
    if (command.getOptionValueSource(it.attributeName()) !== 'cli') continue;
    const texts = given.filter((value) => typeof value === 'string');
    const hint = `Give ${flags.replace(/^-\w, /, '')}, or leave it out.`;
    yield { it, name: long ?? flags, kind: /<(.+)>$/.exec(flags)?.[1] ?? '', texts, hint };
  }
}
