/** How help looks: what commander calls options are flags here, and a default stands as it is typed. */
import { type Command, Help, type Option } from 'commander';

/** Dresses the help of one command; commander's own words stay where they say the same. */
export function dressHelp(command: Command): void {
  command
    .usage(
      command.usage().replace('[options] [command]', '<command> [flags]').replace('[options]', '[flags]'),
    )
    .helpOption('-h, --help', 'show this help')
    .configureHelp({
      styleTitle: (title) => title.replace('Options:', 'Flags:'),
      subcommandTerm: (child) => [child.name(), ...child.registeredArguments.map(term)].join(' '),
      optionDescription: optionText,
      ...(command.parent === null ? { formatHelp: commandsFirst } : {}),
    });
}

/** What help and documents say of a flag, its choices and its default included. */
export function optionText({ description, argChoices, defaultValue, negate }: Option): string {
  const silent = defaultValue === undefined || defaultValue === false || negate || isEmpty(defaultValue);
  return `${description}${choicesText(argChoices)}${silent ? '' : ` (default: ${String(defaultValue)})`}`;
}

export const choicesText = (of: readonly string[] | undefined): string =>
  of === undefined ? '' : ` (${of.join(', ')})`;

const isEmpty = (value: unknown): boolean => Array.isArray(value) && value.length === 0;

const term = (argument: Command['registeredArguments'][number]): string =>
  `${argument.required ? '<' : '['}${argument.name()}${argument.variadic ? '...' : ''}${argument.required ? '>' : ']'}`;

/** The commands before the flags of every command: they are what is looked for. */
function commandsFirst(command: Command, help: Help): string {
  const text = Help.prototype.formatHelp.call(help, command, help);
  const flags = /^Flags:\n(?:.+\n)+\n/m.exec(text)?.[0] ?? '';
  return `${text.replace(flags, () => '')}\n${flags.replace('Flags:', 'Flags of every command:').trimEnd()}\n`;
}
