/** Questions to a person, on stderr. Callers check `canAsk` first: a prompt is never the only way. */
import { kindForSignal, PixctlError, usageError } from '../errors.ts';
import { type Environment, isPipeline } from '../flags/environment.ts';
import { makeVisible } from './escape.ts';
import type { Io } from './io.ts';

export interface Prompter {
  /** True when stdin and stderr are terminals, `--no-input` was not given, and it is no pipeline (`CI`). */
  readonly canAsk: boolean;
  /** Free text; `validate` returns true, or what is wrong, while the person types. */
  input(question: { message: string; validate?: (text: string) => true | string }): Promise<string>;
  /** Masked text, for keys. */
  secret(question: { message: string; validate?: (text: string) => true | string }): Promise<string>;
  confirm(question: { message: string; default?: boolean }): Promise<boolean>;
  select<T extends string>(question: {
    message: string;
    choices: readonly { value: T; name: string }[];
  }): Promise<T>;
  checkbox<T extends string>(question: {
    message: string;
    choices: readonly { value: T; name: string; checked?: boolean }[];
    validate?: (values: readonly T[]) => true | string;
  }): Promise<T[]>;
}

export interface PrompterOptions {
  /** `--no-input`, or a pipeline. */
  readonly noInput: boolean;
  /** The terminal shows ASCII alone. */
  readonly ascii?: boolean;
  /** Ends an open question. */
  readonly signal?: AbortSignal;
}

/** In this order, because finding out what stdin is builds its stream, which takes a fifth of a short run. */
export const canAsk = (io: Io, { noInput }: PrompterOptions): boolean =>
  !noInput && io.stderrIsTerminal && io.stdinIsTerminal;

/** Whether a person could be asked if `CI` were not set, which may be left over in their own shell. */
export const isSilencedByCi = (io: Io, environment: Environment, options: PrompterOptions): boolean =>
  isPipeline(environment) && canAsk(io, options);

/** The usage error (64) for a question that came up although nobody can answer. */
export const nobodyToAsk = (message: string): PixctlError =>
  usageError(
    `An answer is missing (${makeVisible(message)}), and there is nobody to ask. Nothing was sent.`,
    'Give it as a flag; --help lists them.',
  );

/** `reason`: the signal that ended the question; without one, the person pressed a key. */
export const questionInterruptedError = (reason: unknown, cause?: unknown): PixctlError =>
  new PixctlError(kindForSignal(reason), 'INTERRUPTED', 'Interrupted at a question; nothing was sent.', {
    cause,
  });
