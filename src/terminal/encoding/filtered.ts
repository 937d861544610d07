/** What the expression of `--jq` makes of items: text as it is, any other value as a line of JSON. */
import { escapeJson, makeVisible } from '../escape.ts';
import type { Failure, Filter } from '../filter.ts';
import type { Encoder } from './encoder.ts';

interface FilteredOptions<T> {
  readonly filter: Filter;
  /** Makes the JSON text that the expression sees. */
  readonly text: (item: T) => string;
  /** Whether a list is one value, an array (json), instead of each of its items (ndjson). */
  readonly whole: boolean;
  /** Whether a terminal is written to, which would obey control characters in text. */
  readonly terminal: boolean;
}

/** Creates the encoder. Stops at the first value on which the expression fails, unless the run goes on. */
export function filteredEncoder<T>({
  filter,
  text,
  whole,
  terminal,
}: FilteredOptions<T>): Encoder<T, Promise<string>> {
  /** The items of a list that is one value. */
  const kept: string[] = [];
  const failures: Failure[] = [];

  async function filtered(values: readonly string[]): Promise<string> {
    let written = '';
    for (const [at, { outputs, error }] of (await filter.apply(values)).entries()) {
      written += outputs.map((output) => `${shown(output, terminal)}\n`).join('');
      if (error === null) continue;
      failures.push({ error, value: values[at] ?? '' });
      if (!filter.runContinues()) break;
    }
    return written;
  }

  return {
    chunk: 1,
    one: (item) => filtered([text(item)]),
    async some(items) {
      const values = items.map(text);
      if (!whole) return filtered(values);
      kept.push(...values);
      return '';
    },
    end: async () => (whole ? filtered([`[${kept.join(',')}]`]) : ''),
    report(single = false) {
      for (const failure of failures.splice(0)) filter.failed(failure, { single });
    },
  };
}

/** `jq -r` on a pipe. On a terminal, text may not do more than be read. */
function shown(output: string, terminal: boolean): string {
  if (!output.startsWith('"')) return escapeJson(output);
  const text: unknown = JSON.parse(output);
  return terminal ? makeVisible(String(text), { keep: 'lines' }) : String(text);
}
