import { describe, expect, it } from 'vitest';
import { wrapToWidth } from '../../../src/commands/help/wrap-to-width.ts';

describe('a help topic on a narrow terminal', () => {
  it.each([
    [
      'a paragraph',
      'Nothing is read from the working directory.',
      'Nothing is read from the\nworking directory.',
    ],
    ['an empty line', 'one\n\ntwo', 'one\n\ntwo'],
    ['a command line, which is pasted whole', '  pixctl charge list --all -o ndjson', undefined],
    [
      'what is said of a term that has no room beside it',
      '  NO_COLOR  no colour, when not empty',
      '  NO_COLOR\n      no colour, when not\n      empty',
    ],
  ])('breaks between words: %s', (_what, text, expected = text) => {
    expect(wrapToWidth(text, 28)).toBe(expected);
  });

  it('keeps what is said of a term in its column', () => {
    expect(
      wrapToWidth('  81  it may have had an effect, or none\n      -> run the same command again', 34),
    ).toBe('  81  it may have had an effect,\n      or none\n      -> run the same command\n         again');
  });
});
