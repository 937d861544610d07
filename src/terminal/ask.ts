/** The prompter over @inquirer/prompts: loaded when the first question is asked, drawn on stderr. */
import { PixctlError, usageError } from '../errors.ts';
import { makeVisible } from './escape.ts';
import type { Io } from './io.ts';
import type { Prompter } from './prompter.ts';

export interface PrompterOptions {
  /** `--no-input`. */
  readonly noInput: boolean;
  /** Ends an open question. */
  readonly signal?: AbortSignal;
}

/** Questions to a person. Rejects with `interrupted` (130) when answered by Ctrl-C or Ctrl-D. */
export function createPrompter(io: Io, options: PrompterOptions): Prompter {
  // In this order, because what stdin is can only be told by building its stream, a fifth of a short run.
  const canAsk = !options.noInput && io.stderrIsTerminal && io.stdinIsTerminal;
  const ask = async <T>(
    message: string,
    question: (prompts: Prompts, context: Context) => Promise<T>,
  ): Promise<T> => {
    if (!canAsk) throw nobodyToAsk(message);
    const prompts = await import('@inquirer/prompts');
    // The library sees Ctrl-D only when the process exits, too late to close what is open.
    const left = new AbortController();
    const leave = () => left.abort();
    const { stdin: input, stderr: output } = io;
    const signal = AbortSignal.any([left.signal, ...(options.signal === undefined ? [] : [options.signal])]);
    input.once('pause', leave);
    try {
      return await question(prompts, { input, output, signal });
    } catch (error) {
      throw translate(error);
    } finally {
      input.off('pause', leave);
    }
  };

  return {
    canAsk,
    input: ({ message, default: preset, validate }) =>
      ask(message, ({ input }, context) =>
        input({ message: makeVisible(message), ...optional({ default: preset, validate }) }, context),
      ),
    secret: ({ message, validate }) =>
      ask(message, ({ password }, context) =>
        password({ message: makeVisible(message), mask: '*', ...optional({ validate }) }, context),
      ),
    confirm: ({ message, default: preset = false }) =>
      ask(message, ({ confirm }, context) =>
        confirm({ message: makeVisible(message), default: preset }, context),
      ),
    select: ({ message, choices }) =>
      ask(message, ({ select }, context) =>
        select({ message: makeVisible(message), choices: choices.map(safeChoice) }, context),
      ),
    checkbox: ({ message, choices, validate }) =>
      ask(message, ({ checkbox }, context) =>
        checkbox(
          {
            message: makeVisible(message),
            choices: choices.map(safeChoice),
            ...optional({
              validate:
                validate &&
                ((chosen: readonly { value: (typeof choices)[number]['value'] }[]) =>
                  validate(chosen.map(({ value }) => value))),
            }),
          },
          context,
        ),
      ),
  };
}

type Prompts = typeof import('@inquirer/prompts');
type Context = { input: Io['stdin']; output: Io['stderr']; signal: AbortSignal };

const safeChoice = <C extends { name: string }>(choice: C): C => ({
  ...choice,
  name: makeVisible(choice.name),
});

/** The entries that are there: inquirer tells an absent option from an undefined one. */
const optional = <T extends Record<string, unknown>>(
  entries: T,
): { [K in keyof T]?: Exclude<T[K], undefined> } =>
  Object.fromEntries(Object.entries(entries).filter(([, value]) => value !== undefined)) as never;

const nobodyToAsk = (message: string): PixctlError =>
  usageError(
    `An answer is missing (${makeVisible(message)}), and there is nobody to ask. Nothing was sent.`,
    'Give it as a flag; --help lists them.',
  );

function translate(error: unknown): unknown {
  const name = error instanceof Error ? error.name : '';
  if (name !== 'ExitPromptError' && name !== 'AbortPromptError' && name !== 'CancelPromptError') return error;
  return new PixctlError('interrupted', 'INTERRUPTED', 'Interrupted at a question; nothing was sent.', {
    cause: error,
  });
}
