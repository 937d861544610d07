/** What is said on stderr, fitted to a terminal. */
import { wrapSentence } from '../flags/wrap-sentence.ts';
import type { Io } from './io.ts';

/**
 * `text` as stderr gets it: on a terminal, each of its lines is broken between words, behind its own indent; elsewhere
 * they stay whole, for grep. `used`: columns of the first line that stand before `text`.
 */
export function forStderr(io: Pick<Io, 'stderrIsTerminal' | 'size'>, text: string, used = 0): string {
  if (!io.stderrIsTerminal) return text;
  const { columns } = io.size();
  const fit = (line: string, at: number) => {
    const said = line.trimStart();
    const indent = line.length - said.length;
    return line.slice(0, indent) + wrapSentence(said, { columns, indent: at === 0 ? used + indent : indent });
  };
  return text.split('\n').map(fit).join('\n');
}
