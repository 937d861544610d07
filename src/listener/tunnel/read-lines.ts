/** Reads the lines of a program's output. Of a line without an end, only the beginning is kept. */
import type { Readable } from 'node:stream';

const longest = 16 * 1024;

export function readLines(stream: Readable, onLine: (line: string) => void): void {
  let rest = '';
  stream.setEncoding('utf8');
  stream.on('data', (text: string) => {
    const lines = text.split('\n');
    lines[0] = rest + lines[0];
    rest = (lines.pop() ?? '').slice(0, longest);
    for (const line of lines) onLine(line.slice(0, longest).trim());
  });
  stream.on('end', () => {
    if (rest !== '') onLine(rest.trim());
  });
}
