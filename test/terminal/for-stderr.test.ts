/** What is said on stderr at a terminal, and in a pipe. */
import { describe, expect, it } from 'vitest';
import { forStderr } from '../../src/terminal/for-stderr.ts';

describe('several lines on stderr', () => {
  const size = () => ({ columns: 44, rows: 24 });
  const text = [
    'Everything is kept in memory. Ctrl-C stops it, and then it is gone.',
    '  NOTE what is kept is gone once this command is stopped.',
    '  pixctl charge create --amount 10,50 --description Coffee',
    '',
  ].join('\n');

  it('are broken each behind its own indent, the first behind what stands before it', () => {
    expect(forStderr({ stderrIsTerminal: true, size }, text, 9).split('\n')).toEqual([
      'Everything is kept in memory.',
      '         Ctrl-C stops it, and then it is',
      '         gone.',
      '  NOTE what is kept is gone once this',
      '  command is stopped.',
      '  pixctl charge create --amount 10,50 --description Coffee',
      '',
    ]);
  });

  it('stay as they are in a pipe', () => {
    expect(forStderr({ stderrIsTerminal: false, size }, text, 9)).toBe(text);
  });
});
