/** What a command does before it sends something that changes the world: it says where to, and asks. */
import { addNothingSent, PixctlError, rewordError } from '../errors.ts';
import type { Runtime } from '../runtime.ts';
import { isSilencedByCi } from '../terminal/prompter.ts';
import type { CompletedAction } from './completed-action.ts';
import { missingYesError } from './confirm.ts';

/** Where it goes, for people: `profile acme (api.example.com)`. */
async function describeProfile(runtime: Runtime): Promise<string> {
  const { name, baseUrl } = (await runtime.config()).profile();
  return `profile ${name} (${new URL(baseUrl).host})`;
}

/** Says on stderr what is about to be sent, and to whom. */
export async function announce(runtime: Runtime, what: string): Promise<void> {
  (await runtime.output()).note(`${what}, ${await describeProfile(runtime)}`);
}

/**
 * Asks a person for confirmation. With `--yes`, or if nobody can be asked, it counts as given. Throws `policy` (87) if
 * the answer is no, and 64 if a person seems to be there who is not asked because `CI` is set, or who cannot be asked
 * about an `irrevocable` change.
 */
export async function confirmSending(
  runtime: Runtime,
  question: string,
  { irrevocable = false }: { readonly irrevocable?: boolean } = {},
): Promise<void> {
  if (runtime.globals.yes === true) return;
  const prompter = await runtime.prompter();
  const { io, environment, globals } = runtime;
  const isSilenced = isSilencedByCi(io, environment, { noInput: globals.input === false });
  if (!prompter.canAsk && (isSilenced || (irrevocable && isAttended(runtime))))
    throw missingYesError('sent', `The question: ${question}`);
  if (!prompter.canAsk || (await prompter.confirm({ message: question }))) return;
  throw new PixctlError('policy', 'NOT_CONFIRMED', 'Not confirmed. Nothing was sent.');
}

/** Whether there is a terminal, or `--no-input` was given; in cron there is neither. */
const isAttended = ({ globals, io }: Runtime): boolean =>
  globals.input === false || io.stderrIsTerminal || io.stdoutIsTerminal || io.stdinIsTerminal;

/**
 * Runs work that must not be cut short: after an interruption it says that it waits, and waits. `done` turns the answer
 * into what was done, for a run that cannot show it; null if nothing was done.
 */
export async function runToCompletion<T>(
  runtime: Runtime,
  work: () => Promise<T>,
  done: (answer: T) => CompletedAction | null,
): Promise<T> {
  const output = await runtime.output();
  const { flight } = runtime;
  const tell = () => {
    // Before anything has left, the work stops at once and says so itself.
    if (flight.hasSent)
      output.warn(
        'Interrupted after it was sent: waiting for the answer. Interrupt again to stop at once (exit 81).',
      );
  };
  runtime.signal.addEventListener('abort', tell, { once: true });
  flight.hasSent = false;
  flight.outcomeUnknown = true;
  try {
    const answer = await work();
    flight.completed = done(answer);
    return answer;
  } finally {
    flight.outcomeUnknown = false;
    runtime.signal.removeEventListener('abort', tell);
  }
}

/** Rethrows the same error, which now says that nothing was sent, because the run ends before its send. */
export function rethrowUnsent(error: unknown): never {
  throw error instanceof PixctlError ? rewordError(error, { message: addNothingSent(error.message) }) : error;
}
