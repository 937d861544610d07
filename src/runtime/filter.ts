/** `--jq`: judges the expression before anything is sent, and says what a failure on a value means. */
import { dataError, hideSecrets, kindForSignal, PixctlError, usageError } from '../errors.ts';
import type { Runtime } from '../runtime.ts';
import { makeVisible } from '../terminal/escape.ts';
import type { Failure, Filter } from '../terminal/filter.ts';
import { createJq } from '../terminal/jq.ts';

/** Throws a usage error (64) that names the place, if the expression does not compile. */
export async function openFilter(
  { io, clock, signal, flight }: Pick<Runtime, 'io' | 'clock' | 'signal' | 'flight'>,
  expression: string,
): Promise<Filter> {
  const onMessage = (text: string) => io.writeError(makeVisible(hideSecrets(text), { keep: 'lines' }));
  const jq = createJq(expression, { clock, signal, onMessage });
  const problem = await jq.problem();
  if (problem !== null)
    throw usageError(
      `--jq: ${problem}. Nothing was sent.`,
      'The language is that of jq 1.8: https://jqlang.org/manual/v1.8. Quote the expression for the shell.',
    );

  const runContinues = () =>
    flight.continuesOnFilterError === true ||
    flight.hasSent ||
    flight.outcomeUnknown ||
    flight.completed !== null;
  return {
    apply: jq.apply,
    runContinues,
    failed({ error, value }: Failure, { single }) {
      const message = `--jq failed: ${error}`;
      if (runContinues())
        return io.writeError(
          makeVisible(hideSecrets(`warning: ${message}. The whole value:\n${value}`), { keep: 'lines' }),
        );
      const thrown = signal.aborted
        ? new PixctlError(kindForSignal(signal.reason), 'INTERRUPTED', message)
        : dataError('JQ', message, hintFor(error));
      if (!single) throw thrown;
      flight.filterError ??= thrown;
    },
  };
}

const hintFor = (error: string): string =>
  /memory/.test(error)
    ? 'With -o ndjson the expression is applied to each item of a list, not to the list as a whole.'
    : '-o json without --jq shows the value.';
