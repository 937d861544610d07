/** How help looks: commander's options are called flags here, and a default is shown as it is typed. */
import { type Command, Help, type Option } from 'commander';

/** Formats the help of one command; commander's own words stay where they say the same. */
export function applyHelpFormat(command: Command): void {
  command
    .usage(
      command
        .usage()
        .replace('[options] [command]', '<command> [flags]')
        // As people type it: what a command acts on comes first.
        .replace(/^\[options\](?: (.+))?$/, (_, operands?: string) =>
          [operands, '[flags]'].filter(Boolean).join(' '),
        ),
    )
    .helpOption('-h, --help', 'show this help')
    .configureHelp({
      styleTitle: (title) => title.replace('Options:', 'Flags:'),
      subcommandTerm: (child) => [child.name(), ...child.registeredArguments.map(term)].join(' '),
      optionDescription: optionText,
      minWidthToWrap: minWrapWidth,
      formatItem: itemText,
      ...(command.parent === null ? { formatHelp: commandsFirst } : {}),
    });
}

/** What help and the documents say of a flag, including its choices and its default. */
export function optionText({ description, argChoices, defaultValue, negate }: Option): string {
  const silent = defaultValue === undefined || defaultValue === false || negate || isEmpty(defaultValue);
  return `${description}${choicesText(argChoices)}${silent ? '' : ` (default: ${String(defaultValue)})`}`;
}

/** ` (a, b)`; empty if anything may be given. */
export const choicesText = (of: readonly string[] | undefined): string =>
  of === undefined ? '' : ` (${of.join(', ')})`;

/** Text is never wrapped more narrowly than this. */
const minWrapWidth = 12;
/** A description goes below its term if it would have less room than this beside it. */
const minDescriptionWidth = 40;

function itemText(this: Help, term: string, termWidth: number, description: string, help: Help): string {
  const width = this.helpWidth ?? 80;
  if (description === '' || width - termWidth - 4 >= minDescriptionWidth)
    return Help.prototype.formatItem.call(this, term, termWidth, description, help);
  const below = help.boxWrap(description, width - 6);
  return `  ${term}\n${below.replace(/^/gm, '      ')}`;
}

const isEmpty = (value: unknown): boolean => Array.isArray(value) && value.length === 0;

const term = (argument: Command['registeredArguments'][number]): string =>
  `${argument.required ? '<' : '['}${argument.name()}${argument.variadic ? '...' : ''}${argument.required ? '>' : ']'}`;

/** Puts the commands before the flags of every command, because people look for commands. */
function commandsFirst(command: Command, help: Help): string {
  const text = Help.prototype.formatHelp.call(help, command, help);
  const flags = /^Flags:\n(?:.+\n)+\n/m.exec(text)?.[0] ?? '';
  return `${text.replace(flags, () => '')}\n${flags.replace('Flags:', 'Flags of every command:').trimEnd()}\n`;
}
