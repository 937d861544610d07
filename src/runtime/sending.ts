/** What a command does before it sends something that changes the world: say where, and ask. */
import { PixctlError, retold, unsentWords } from '../errors.ts';
import type { Runtime } from '../runtime.ts';
import { missingYes } from './agreed.ts';
import type { Done } from './done.ts';

/** Where it goes, for people: `profile acme (api.example.com)`. */
async function destinationOf(runtime: Runtime): Promise<string> {
  const { name, baseUrl } = (await runtime.config()).profile();
  return `profile ${name} (${new URL(baseUrl).host})`;
}

/** Says on stderr what is about to be sent, and to whom. */
export async function announce(runtime: Runtime, what: string): Promise<void> {
  (await runtime.output()).note(`${what}, ${await destinationOf(runtime)}`);
}

/**
 * Asks a person before it is done. With `--yes`, or if nobody can be asked, it counts as agreed. Throws `policy` (87)
 * on a no, and 64 if it is `irrevocable` and a person seems to be there who cannot be asked.
 */
export async function confirmSending(
  runtime: Runtime,
  question: string,
  { irrevocable = false }: { readonly irrevocable?: boolean } = {},
): Promise<void> {
  if (runtime.globals.yes === true) return;
  const prompter = await runtime.prompter();
  if (!prompter.canAsk && irrevocable && isAttended(runtime))
    throw missingYes('sent', `The question: ${question}`);
  if (!prompter.canAsk || (await prompter.confirm({ message: question }))) return;
  throw new PixctlError('policy', 'NOT_CONFIRMED', 'Not confirmed. Nothing was sent.');
}

/** Somebody sits at a terminal, or has said `--no-input`; cron and CI do neither. */
const isAttended = ({ globals, io }: Runtime): boolean =>
  globals.input === false || io.stderrIsTerminal || io.stdoutIsTerminal || io.stdinIsTerminal;

/**
 * Runs what must not be cut short: after an interruption it says that it waits, and waits. `done` turns the answer into
 * what was done, for a run that cannot show it; null if nothing was.
 */
export async function heardToItsEnd<T>(
  runtime: Runtime,
  work: () => Promise<T>,
  done: (answer: T) => Done | null,
): Promise<T> {
  const output = await runtime.output();
  const { flight } = runtime;
  const tell = () => {
    // Before that it is given up at once, and says so itself.
    if (flight.left)
      output.warn(
        'Interrupted after it was sent: waiting for the answer. Interrupt again to stop at once (exit 81).',
      );
  };
  runtime.signal.addEventListener('abort', tell, { once: true });
  flight.left = false;
  flight.unknown = true;
  try {
    const answer = await work();
    flight.done = done(answer);
    return answer;
  } finally {
    flight.unknown = false;
    runtime.signal.removeEventListener('abort', tell);
  }
}

/** The same error of a run that ends before its send, which says so. */
export const unsent = (error: unknown): unknown =>
  error instanceof PixctlError ? retold(error, { message: unsentWords(error.message) }) : error;
