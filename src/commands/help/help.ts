/** `help [words...]`. */
import type { Command } from 'commander';
import { usageError } from '../../errors.ts';
import { helpTopics, topicOf } from '../../flags/help-topics.ts';
import { explainMissingCommand, subcommandNames, suggestCommand } from '../../flags/mistakes/suggestions.ts';
import { didYouMean, nearest } from '../../flags/nearest.ts';
import { refuseFormatFlags } from '../../runtime/output-options.ts';
import type { Runtime } from '../../runtime.ts';
import type { View } from '../../terminal/view.ts';
import { environmentText, environmentVariables } from './environment.ts';
import { exitCodeRows, exitCodesText } from './exit-codes.ts';
import { amountsText, outputText } from './topics.ts';
import { wrapToWidth } from './wrap-to-width.ts';

type Row = ReturnType<typeof exitCodeRows>[number];

const variableView: View<(typeof environmentVariables)[number]> = {
  name: 'variable',
  columns: [
    { key: 'name', header: 'Variable' },
    { key: 'does', header: 'What it does' },
  ],
};

const exitCodeView: View<Row> = {
  name: 'exit code',
  columns: [
    { key: 'exit', header: 'Code' },
    { key: 'name', header: 'Name' },
    { key: 'meaning', header: 'Meaning' },
    { key: 'next', header: 'What a script may do' },
  ],
};

/**
 * Shows the help of a command or a topic. `program` must have the named commands loaded. Throws a usage error (64) for
 * an unknown one.
 */
export async function help(runtime: Runtime, words: readonly string[], program: Command): Promise<void> {
  const output = await runtime.output();
  const asText = output.options.format === 'table' && output.options.fields === null;
  const [first] = words;
  const { io } = runtime;
  // In a pipe, lines stay whole, for grep.
  const write = (text: string) =>
    io.write(`${io.stdoutIsTerminal ? wrapToWidth(text, io.size().columns) : text}\n`);
  if (first === 'exit-codes') {
    if (asText) return write(exitCodesText());
    await output.each(exitCodeView, exitCodeRows());
    return;
  }
  if (first === 'commands') {
    const { commandRows, commandView } = await import('./commands.ts');
    await output.each(commandView, commandRows(program));
    return;
  }
  if (first === 'environment') {
    if (asText) return write(environmentText());
    await output.each(variableView, environmentVariables);
    return;
  }
  if (first === 'amounts' || first === 'output') {
    refuseFormatFlags(runtime.globals, `pixctl help ${first} is text`);
    return write(first === 'amounts' ? amountsText() : outputText());
  }
  const command = commandNamed(program, words);
  if (command !== program && !asText) {
    const { commandView, rowsBelow } = await import('./commands.ts');
    await output.each(commandView, rowsBelow(command));
    return;
  }
  refuseFormatFlags(
    runtime.globals,
    'This help is text',
    'For a program: pixctl help commands -o json has all commands, pixctl help charge create -o json has one.',
  );
  command.outputHelp();
}

function commandNamed(program: Command, words: readonly string[]): Command {
  let command = program;
  for (const [at, word] of words.entries()) {
    const child = command.commands.find((each) => each.name() === word);
    if (child === undefined) throw noHelp(command, words, at);
    command = child;
  }
  return command;
}

/**
 * The error for an unknown word. `at`: the first of the words that is unknown below `command`. Its guesses are those
 * after `pixctl <words>`.
 */
function noHelp(command: Command, words: readonly string[], at: number): Error {
  const isRoot = command.parent === null;
  const names = subcommandNames(command);
  const known = isRoot ? [...names, ...helpTopics] : names;
  const word = words[at] ?? '';
  const path = ['pixctl', ...words.slice(0, at)].join(' ');
  const unknown = words.slice(at);
  const why = explainMissingCommand(unknown, path);
  const meant =
    (isRoot ? topicOf(word) : undefined) ??
    suggestCommand(unknown, command, path)?.replace(/^pixctl (help )?/, '') ??
    nearest(word, known);
  return usageError(
    `There is no help on "${words.join(' ')}"${why === undefined ? didYouMean(meant, '"') : `: ${why}.`}`,
    `Known here: ${known.join(', ')}.`,
  );
}
