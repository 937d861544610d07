/** What was given and says nothing: mostly a variable that a script did not set, in quotes. */
import type { Argument, Command, Option } from 'commander';
import { usageError } from '../errors.ts';
import { pathOf } from './usage-words.ts';

const meant = new WeakSet<Argument | Option>();

/** For a text that may be none at all. */
export function mayBeEmpty<T extends Argument | Option>(it: T): T {
  meant.add(it);
  return it;
}

/**
 * Throws a usage error (64) for the first argument or flag of the line whose value is empty or blank: taken for a
 * value it would be no filter, another file, or every record instead of one.
 */
export function refuseEmpty(command: Command): void {
  for (const [at, argument] of command.registeredArguments.entries()) {
    const given = command.args.slice(at, argument.variadic ? undefined : at + 1);
    if (!given.some(isBlank) || meant.has(argument)) continue;
    throw usageError(
      `<${argument.name()}> is empty. Nothing was sent.`,
      `${pathOf(command)} --help shows what it is.`,
    );
  }
  for (let at: Command | null = command; at !== null; at = at.parent) refuseEmptyFlags(at);
}

function refuseEmptyFlags(command: Command): void {
  for (const option of command.options) {
    const name = option.attributeName();
    const given: unknown = command.getOptionValueSource(name) === 'cli' ? command.getOptionValue(name) : null;
    if (![given].flat().some(isBlank) || meant.has(option)) continue;
    throw usageError(
      `${option.long} is empty. Nothing was sent.`,
      `Give ${option.flags.replace(/^-\w, /, '')}, or leave it out.`,
    );
  }
}

const isBlank = (value: unknown): boolean => typeof value === 'string' && value.trim() === '';
