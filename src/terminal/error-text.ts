/** An error as words: what happened and whether anything was sent, then what to do. Nothing raw, no secret. */
import { asSentence, hideSecrets, type PixctlError } from '../errors.ts';
import { shortenQuoted } from '../flags/shorten.ts';
import { wrapSentence } from '../flags/wrap-sentence.ts';
import { escapeJson, linesInAscii, makeVisible } from './escape.ts';
import { withLocalTimes } from './local-times.ts';
import { paint } from './paint.ts';

interface ErrorTextOptions {
  /** As one JSON object instead of sentences (`-o json` and `-o ndjson`). */
  readonly json: boolean;
  readonly colour: boolean;
  /** Includes the stack and its causes. */
  readonly debug: boolean;
  /** Of the terminal that it is written to; without them lines stay whole, for grep, and times as json has them. */
  readonly columns?: number | undefined;
  /** As in `OutputOptions`. */
  readonly timeZone?: string | null;
  /** As in `OutputOptions`. */
  readonly reword?: (words: string) => string;
  /** Whether what it is written to shows ASCII alone. */
  readonly ascii?: boolean;
  /** The words of the command line. What a refusal of one of them repeats is cut if it is long. */
  readonly typed?: readonly string[];
}

/** One JSON object or lines for people, without a final newline; secrets masked, control characters visible. */
export function errorText(error: PixctlError, options: ErrorTextOptions): string {
  const { code, kind, httpStatus, serviceCode, exit } = error;
  const { reword = (words) => words, typed = [] } = options;
  const whole = hideSecrets(error.message.replace(guessedCommand, reword));
  const isRefusal = kind === 'usage' || kind === 'config';
  const message = isRefusal ? shortenQuoted(whole, typed.map(hideSecrets)) : whole;
  const hint = error.hint === undefined ? undefined : hideSecrets(reword(error.hint));
  if (options.json) {
    // Of a misspelt flag it is what was typed.
    const field = error.field === undefined ? undefined : hideSecrets(error.field);
    const body = { code, message, field, hint, httpStatus, serviceCode, exitCode: exit };
    return escapeJson(JSON.stringify({ error: body }));
  }
  const label = paint('red', 'error:', options.colour);
  // Whoever pressed Ctrl-C knows that; it is no error.
  const asked = kind === 'interrupted' || kind === 'terminated';
  const said = asSentence(makeVisible(message));
  const { columns, timeZone = null, ascii = false } = options;
  const fitted = (text: string, indent: number) => {
    const shown = ascii ? linesInAscii(text) : text;
    return columns === undefined ? shown : wrapSentence(withLocalTimes(shown, timeZone), { columns, indent });
  };
  const lines = [asked ? fitted(said, 0) : `${label} ${fitted(said, 'error: '.length)}`];
  if (hint !== undefined) lines.push(`  ${fitted(makeVisible(hint), 2)}`);
  if (options.debug) for (const line of stackLines(error)) lines.push(`  ${makeVisible(hideSecrets(line))}`);
  return lines.join('\n');
}

/** What a message proposes itself; other lines to run are in hints. */
const guessedCommand = /(?<=did you mean )pixctl [^?]+/g;

function* stackLines(error: unknown): Generator<string> {
  for (let at = error; at instanceof Error; at = at.cause) {
    yield* (at.stack ?? at.message).split('\n').map((line) => line.trim());
  }
}
