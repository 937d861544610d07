/** The prompter over @inquirer/prompts, loaded for the first question and drawn on stderr. */
import { wrapSentence } from '../flags/wrap-sentence.ts';
import { asciiTheme } from './ascii-theme.ts';
import { discardTyped, type Keyboard } from './discard-typed.ts';
import { inAscii, makeVisible } from './escape.ts';
import type { Io } from './io.ts';
import {
  canAsk,
  nobodyToAsk,
  type Prompter,
  type PrompterOptions,
  questionInterruptedError,
} from './prompter.ts';

/**
 * Asks a person. Rejects with `interrupted` (130) if the answer is Ctrl-C or Ctrl-D, and with `terminated` (143) if the
 * terminal goes away.
 */
export function createPrompter(io: Io, options: PrompterOptions): Prompter {
  const asks = canAsk(io, options);
  let open = 0;
  const shown = (text: string) => (options.ascii === true ? inAscii(makeVisible(text)) : makeVisible(text));
  const dress = options.ascii === true ? { theme: asciiTheme } : {};
  const choicesOf = <C extends { name: string }>(choices: readonly C[]) =>
    choices.map((choice) => ({ ...choice, name: shown(choice.name) }));
  // Behind `? ` and before the hint: the library breaks what is longer in the middle of a word.
  const fitted = (message: string) =>
    wrapSentence(shown(message), { columns: io.size().columns - ' (y/N) '.length, indent: 2 });
  const ask = async <T>(message: string, question: Question<T>): Promise<T> => {
    if (!asks) throw nobodyToAsk(message);
    const prompts = await import('@inquirer/prompts');
    // Counted from before the discarding, in whose raw mode the end of the last question must not meddle.
    open += 1;
    try {
      await discardTyped(io.stdin, options.signal);
      return await drawn(prompts, question);
    } finally {
      open -= 1;
    }
  };
  const drawn = async <T>(prompts: Prompts, question: Question<T>): Promise<T> => {
    const { stdin: input, stderr: output } = io;
    const watch = watchTerminal(input, () => open > 0);
    // A list hides the cursor whenever it is drawn, and the shell shall have it back.
    const stopWatching = io.onSuspend(
      () => void output.write('\x1b[?25h'),
      () => {},
    );
    const signal = AbortSignal.any([watch.signal, ...(options.signal === undefined ? [] : [options.signal])]);
    try {
      const answer = question(prompts, { input, output, signal });
      watch.muteErrors();
      return await answer;
    } catch (error) {
      throw translate(error, signal.reason);
    } finally {
      stopWatching();
      watch.stop();
    }
  };

  return {
    canAsk: asks,
    input: ({ message, validate }) =>
      ask(message, ({ input }, context) =>
        input({ message: fitted(message), ...dress, ...optional({ validate }) }, context),
      ),
    secret: ({ message, validate }) =>
      ask(message, ({ password }, context) =>
        password({ message: fitted(message), ...dress, mask: '*', ...optional({ validate }) }, context),
      ),
    confirm: ({ message, default: preset = false }) =>
      ask(message, ({ confirm }, context) =>
        confirm({ message: fitted(message), ...dress, default: preset }, context),
      ),
    select: ({ message, choices }) =>
      ask(message, ({ select }, context) =>
        select({ message: fitted(message), ...dress, choices: choicesOf(choices) }, context),
      ),
    checkbox: ({ message, choices, validate }) =>
      ask(message, ({ checkbox }, context) =>
        checkbox(
          {
            message: fitted(message),
            ...dress,
            choices: choicesOf(choices),
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
type Question<T> = (prompts: Prompts, context: Context) => Promise<T>;
type Context = { readonly input: Io['stdin']; readonly output: Io['stderr']; readonly signal: AbortSignal };

/** `signal` ends the open question once no answer can come any more, which the library does not report. */
function watchTerminal(input: Keyboard, isAsking: () => boolean) {
  const gone = new AbortController();
  let isOver = false;
  // While a question is open the terminal is raw, so Ctrl-D is a key: an `end` means that the terminal is gone. Its
  // SIGHUP comes later, or to others only.
  const hangUp = () => gone.abort('SIGHUP');
  // readline pauses at Ctrl-D, after leaving raw mode; and at `fg` after Ctrl-Z, after which nobody makes it read on.
  const look = () => {
    // What was typed before the `fg` was read before readline heard of it, and made an ended question's terminal raw.
    if (isOver) return void (isAsking() || input.isRaw !== true || input.setRawMode?.(false));
    if (input.isRaw === true) input.resume();
    else gone.abort();
  };
  const paused = () => setImmediate(look);
  input.on('end', hangUp).on('close', hangUp).on('pause', paused);
  if (input.readableEnded || input.destroyed) hangUp();
  return {
    signal: gone.signal,
    /**
     * A hung-up terminal refuses even to leave raw mode, and readline would let that error reach nobody, which ends
     * Node.
     */
    muteErrors: () => input.removeAllListeners('error').on('error', () => {}),
    stop() {
      isOver = true;
      input.off('end', hangUp).off('close', hangUp).off('pause', paused);
      // Since `fg`, readline takes its input for paused and leaves it alone, and the process would read on for ever.
      input.pause();
    },
  };
}

/** Only the entries that are set: inquirer distinguishes an absent option from an undefined one. */
const optional = <T extends Record<string, unknown>>(
  entries: T,
): { [K in keyof T]?: Exclude<T[K], undefined> } =>
  Object.fromEntries(Object.entries(entries).filter(([, value]) => value !== undefined)) as never;

function translate(error: unknown, reason: unknown): unknown {
  const { name, code } = error instanceof Error ? (error as NodeJS.ErrnoException) : { name: '', code: '' };
  if (code === 'EIO') return questionInterruptedError('SIGHUP', error);
  if (name !== 'ExitPromptError' && name !== 'AbortPromptError' && name !== 'CancelPromptError') return error;
  return questionInterruptedError(reason, error);
}
