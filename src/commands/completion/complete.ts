/** Prints candidates for what is being typed, by describing the command tree to the completion library. */
import tab, { ShellCompDirective, type Command as TabCommand } from '@bomb.sh/tab';
import { Argument, type Command, type Option } from 'commander';
import type { Runtime } from '../../runtime.ts';
import { watchStdout } from './script.ts';
import { type Candidate, type TypedLine, takesFile, valuesOf } from './values.ts';

/**
 * Completes the words that are `given`, those after the program's name, of which the last is unfinished (maybe empty).
 * Prints and never fails.
 */
export async function complete(runtime: Runtime, given: readonly string[], program: Command): Promise<void> {
  const words = withDefaultVerb(given);
  const typed = { command: commandOf(program, words), words };
  await describe(runtime, tab, program, [], typed);
  for (const [path, command] of pathsBelow(program)) {
    const described = tab.command(path, command.summary() || command.description());
    await describe(runtime, described, command, optionsOf(program), typed);
  }
  watchStdout(runtime);
  tab.parse(withFlag(words));
}

/** Passes a value with `=` in it together with its flag, because the library takes a last word with `=` for a flag. */
function withFlag(words: readonly string[]): string[] {
  const [flag = '', value = ''] = words.slice(-2);
  const isValue = /^--[^=]+$/.test(flag) && /^[^-].*=/.test(value);
  return isValue ? [...words.slice(0, -2), `${flag}=${value}`] : [...words];
}

/** Inserts the verb that `webhook inbox` stands for where a flag follows: the flags are those of the verb. */
function withDefaultVerb(words: readonly string[]): readonly string[] {
  const at = words.indexOf('inbox');
  const isNoun = words[at - 1] === 'webhook' && words[at + 1]?.startsWith('-') === true;
  return isNoun ? words.toSpliced(at + 1, 0, 'list') : words;
}

/** Returns the deepest command that the words name. */
function commandOf(program: Command, words: readonly string[]): Command {
  let command = program;
  for (const word of words.slice(0, -1)) {
    command = visible(command).find((each) => each.name() === word) ?? command;
  }
  return command;
}

function* pathsBelow(command: Command, above = ''): Generator<[string, Command]> {
  for (const child of visible(command)) {
    const path = above === '' ? child.name() : `${above} ${child.name()}`;
    yield [path, child];
    yield* pathsBelow(child, path);
  }
}

const visible = (command: Command): Command[] => command.createHelp().visibleCommands(command);
const optionsOf = (command: Command): Option[] => command.createHelp().visibleOptions(command);

/**
 * Describes a command. Values are fetched only for the one that is typed: profiles for `profile use`, not for every
 * command.
 */
async function describe(
  runtime: Runtime,
  into: TabCommand,
  command: Command,
  inherited: readonly Option[],
  typed: TypedLine,
): Promise<void> {
  const offer = async (thing: Option | Argument): Promise<CandidateHandler> =>
    takesFile(thing)
      ? leaveToShell
      : createCandidateHandler(
          command === typed.command ? withDescriptions(await valuesOf(runtime, typed, thing), thing) : [],
          typed,
        );
  for (const option of [...optionsOf(command), ...inherited]) {
    const name = option.long?.slice(2);
    if (name === undefined || into.options.has(name)) continue;
    const short = option.short?.slice(1);
    if (option.required || option.optional) {
      into.option(name, option.description, await offer(option), short);
    } else if (short === undefined) into.option(name, option.description);
    else into.option(name, option.description, short);
  }
  for (const argument of command.registeredArguments) {
    into.argument(argument.name(), await offer(argument), argument.variadic);
  }
}

/** Describes a value with nothing to say about it by its kind, because zsh would write a dash with nothing after it. */
const withDescriptions = (candidates: readonly Candidate[], thing: Option | Argument): readonly Candidate[] =>
  candidates.map(([value, about]) => [value, about || kindOf(thing)]);

/** Returns `status` for `--status <a,b>`, `shell` for `<shell>`. */
const kindOf = (thing: Option | Argument): string =>
  thing instanceof Argument ? thing.name().toLowerCase() : (thing.long ?? '').slice(2);

/** Called by the library for the one value that is being typed. */
type CandidateHandler = (add: (value: string, about: string) => void) => void;

const createCandidateHandler =
  (candidates: readonly Candidate[], { words }: TypedLine): CandidateHandler =>
  (add) => {
    for (const [value, about] of candidates) add(value, about);
    const begun = (words.at(-1) ?? '').replace(/^--[a-z-]+=/, '');
    const fitting = candidates.filter(([value]) => value.startsWith(begun));
    if (fitting.length > 0 && fitting.every(([value]) => /[=:]$/.test(value))) answerWith(noSpaceDirective);
  };

/** Leaves file names to the shell. */
const leaveToShell: CandidateHandler = () => answerWith(ShellCompDirective.ShellCompDirectiveDefault);

/** Adds no blank, because what is completed needs more after its last character. */
const noSpaceDirective =
  ShellCompDirective.ShellCompDirectiveNoSpace | ShellCompDirective.ShellCompDirectiveNoFileComp;

/** Sets the directive of the answer. The library ends every answer with "no files", whatever was set before. */
function answerWith(directive: number): void {
  Object.defineProperty(tab, 'directive', { get: () => directive, set: () => {} });
}
