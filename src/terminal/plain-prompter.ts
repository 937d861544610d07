/**
 * The prompter for a terminal that moves no cursor (`TERM=dumb`, as in an editor): a question is a line, and so is its
 * answer, which the terminal itself shows and lets the user correct.
 */
import { createInterface } from 'node:readline';
import { StringDecoder } from 'node:string_decoder';
import { discardTyped, type Keyboard, muteErrors } from './discard-typed.ts';
import { makeVisible } from './escape.ts';
import type { Io } from './io.ts';
import {
  canAsk,
  nobodyToAsk,
  type Prompter,
  type PrompterOptions,
  questionInterruptedError,
} from './prompter.ts';

/** Creates a prompter that rejects as that of `createPrompter` does. */
export function createPlainPrompter(io: Io, options: PrompterOptions): Prompter {
  const asks = canAsk(io, options);

  /**
   * Asks again until `read` accepts the line; a string that it throws says what is wrong. That, and what stands `above`
   * the question, may be answered as soon as it is on the screen.
   */
  async function ask<T>(
    message: string,
    hint: string,
    read: (line: string) => T,
    { reading = shown, above = '' }: { reading?: Reading; above?: string } = {},
  ): Promise<T> {
    if (!asks) throw nobodyToAsk(message);
    for (let before = above; ; ) {
      await discardTyped(io.stdin, options.signal);
      const answer = nextLine(io.stdin, options.signal, reading);
      // Only now that no typing is shown, if none may be.
      const question = makeVisible(`${message.replace(/:$/, '')}${hint === '' ? '' : ` (${hint})`}: `);
      io.stderr.write(before + question);
      const line = await answer.catch((cause: unknown) => {
        io.stderr.write('\n');
        throw cause;
      });
      if (reading === hidden) io.stderr.write('\n');
      try {
        return read(line);
      } catch (wrong) {
        if (typeof wrong !== 'string') throw wrong;
        before = `${makeVisible(wrong)}\n`;
      }
    }
  }

  function choose<T>(
    message: string,
    choices: readonly { name: string }[],
    hint: string,
    read: (line: string) => T,
  ) {
    if (!asks) throw nobodyToAsk(message);
    const names = choices.map(({ name }, at) => `  ${at + 1}  ${makeVisible(name)}\n`).join('');
    return ask('Number', hint, read, { above: `${makeVisible(message)}\n${names}` });
  }

  return {
    canAsk: asks,
    input: ({ message, validate }) => ask(message, '', (line) => checked(line, validate)),
    secret: ({ message, validate }) =>
      ask(message, 'not shown', (line) => checked(line, validate), { reading: hidden }),
    confirm: ({ message, default: preset = false }) =>
      ask(message, preset ? 'Y/n' : 'y/N', (line) => yes(line.trim().toLowerCase(), preset)),
    select: async ({ message, choices }) =>
      choose(message, choices, choices.length === 1 ? '1' : `1 to ${choices.length}`, (line) =>
        chosen(line, choices),
      ),
    checkbox: async ({ message, choices, validate }) => {
      const checkedNow = choices.flatMap(({ checked: on }, at) => (on === true ? [at + 1] : []));
      return choose(
        message,
        choices,
        `several with commas; Enter for ${checkedNow.join(',') || 'none'}`,
        (line) => {
          const numbers = line.trim() === '' ? checkedNow.map(String) : line.split(',');
          const values = new Set(numbers.map((number) => chosen(number, choices)));
          return checked([...values], validate);
        },
      );
    },
  };
}

function checked<T>(value: T, validate?: (value: T) => true | string): T {
  const fault = validate?.(value) ?? true;
  if (fault !== true) throw fault;
  return value;
}

function yes(answer: string, preset: boolean): boolean {
  if (answer === '') return preset;
  if (answer === 'y' || answer === 'yes') return true;
  if (answer === 'n' || answer === 'no') return false;
  throw 'Answer y or n.';
}

function chosen<T>(number: string, choices: readonly { value: T }[]): T {
  const choice = /^\s*\d+\s*$/.test(number) ? choices[Number(number) - 1] : undefined;
  if (choice === undefined) throw `Answer with a number from 1 to ${choices.length}.`;
  return choice.value;
}

/** A way to read a line: calls `done` with it, once; returns a function that stops the reading. */
type Reading = (stdin: Keyboard, done: (line: string) => void, giveUp: () => void) => () => void;

/**
 * The next line of stdin. Rejects with `interrupted` (130) at the end of input (Ctrl-D), with `terminated` (143) if the
 * terminal goes away, and as the signal says. A line without its line break is no answer.
 */
function nextLine(stdin: Keyboard, signal: AbortSignal | undefined, reading: Reading): Promise<string> {
  return new Promise((resolve, reject) => {
    const { errored } = stdin;
    if (signal?.aborted === true || stdin.readableEnded || stdin.destroyed)
      return reject(questionInterruptedError(signal?.reason ?? (errored && 'SIGHUP'), errored));
    const giveUp = () => leave(() => reject(questionInterruptedError(signal?.reason)));
    const fail = (cause: unknown) => leave(() => reject(questionInterruptedError('SIGHUP', cause)));
    const leave = (tell: () => void) => {
      signal?.removeEventListener('abort', giveUp);
      stdin.off('end', giveUp).off('close', giveUp).off('error', fail);
      stop();
      tell();
    };
    muteErrors(stdin);
    // Before `reading` listens, which would take an unfinished line for a whole one.
    stdin.once('end', giveUp).once('close', giveUp).once('error', fail);
    signal?.addEventListener('abort', giveUp, { once: true });
    const stop = reading(stdin, (line) => leave(() => resolve(line)), giveUp);
  });
}

const shown: Reading = (stdin, done) => {
  const lines = createInterface({ input: stdin, terminal: false });
  lines.once('line', done).on('error', () => {});
  return () => lines.close();
};

/** Reads keys one by one, none of which the terminal shows. Ctrl-C is a key here. */
const hidden: Reading = (stdin, done, giveUp) => {
  const decoder = new StringDecoder('utf8');
  let text = '';
  const take = (chunk: Buffer) => {
    for (const key of decoder.write(chunk)) {
      if (key === '\r' || key === '\n') return done(text);
      if (key === '\x03' || key === '\x04') return giveUp();
      text = key === '\b' || key === '\x7f' ? [...text].slice(0, -1).join('') : text + key;
    }
  };
  stdin.setRawMode?.(true);
  stdin.on('data', take).resume();
  return () => {
    stdin.off('data', take).pause();
    stdin.setRawMode?.(false);
  };
};
