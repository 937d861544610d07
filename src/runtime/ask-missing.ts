/** Completes a command line that lacks something, by asking for it. */
import type { Command } from 'commander';
import { PixctlError } from '../errors.ts';
import { nonInteractiveNoteFor } from '../flags/command-line.ts';
import { helpNotes } from '../flags/help.ts';
import { MissingInputError } from '../flags/mistakes/missing-input-error.ts';
import type { Runtime } from '../runtime.ts';

interface IncompleteCommand {
  readonly command: Command;
  /** The words of the command line. */
  readonly words: readonly string[];
  readonly missing: MissingInputError;
}

/**
 * Asks for what is missing, runs the completed line, and shows that line at the end. Throws the usage error (64) of the
 * original line if the command has no question for it, or nobody can be asked; otherwise whatever `run` throws.
 */
export async function askMissingAndRun(
  runtime: Runtime,
  { command, words, missing }: IncompleteCommand,
  run: (words: readonly string[]) => Promise<void>,
): Promise<void> {
  const whole = await completeWords(runtime, command, missing.inputName, words);
  if (whole === null) throw missing;
  try {
    await run(whole);
  } catch (thrown) {
    if (thrown instanceof MissingInputError && thrown.inputName !== missing.inputName)
      return askMissingAndRun(runtime, { command, words: whole, missing: thrown }, run);
    if (thrown instanceof PixctlError && repeatable.has(thrown.kind))
      await noteCompletedLine(runtime, command, whole);
    throw thrown;
  }
  await noteCompletedLine(runtime, command, whole);
}

/**
 * The failures after which the completed line is shown too. After others (81, 88), running it again would be a mistake.
 */
const repeatable: ReadonlySet<string> = new Set(['later', 'pending', 'endedBadly']);

async function completeWords(
  runtime: Runtime,
  command: Command,
  lacks: string,
  words: readonly string[],
): Promise<readonly string[] | null> {
  const { prompts, view } = helpNotes(command) ?? {};
  const ask = prompts?.[lacks];
  if (ask === undefined || !(await runtime.prompter()).canAsk) return null;
  // Checked first; otherwise an unknown --fields would be refused only after every question had been answered.
  if (view !== undefined) await runtime.output((await view()) as View);
  const answer = await ask(command);
  if (answer === null) return null;
  if (lacks.startsWith('--')) return withFlags(words, [lacks, ...answer]);
  // The service chooses the ids, so an id is never read as a flag.
  const guard = words.includes('--') || answer[0]?.startsWith('-') !== true ? [] : ['--'];
  return [...words, ...guard, ...answer];
}

type View = Parameters<Awaited<ReturnType<Runtime['output']>>['check']>[0];

async function noteCompletedLine(
  runtime: Runtime,
  command: Command,
  words: readonly string[],
): Promise<void> {
  const isAsked = helpNotes(command)?.confirms === true && runtime.globals.yes !== true;
  const line = isAsked ? withFlags(words, ['--yes']) : words;
  (await runtime.output()).note(nonInteractiveNoteFor(['pixctl', ...line]));
}

/** Inserts the flags where the line still takes flags. */
function withFlags(words: readonly string[], flags: readonly string[]): readonly string[] {
  const ended = words.indexOf('--');
  return words.toSpliced(ended < 0 ? words.length : ended, 0, ...flags);
}
