/** What a text program or a web page has made of a command line that was copied from it. */
import type { Command } from 'commander';
import { isKnownFlag } from './misparsed-value.ts';

/** Hyphens, dashes and minus signs other than the one that begins a flag. */
const longDash = /^-?[\u2010-\u2015\u2212\ufe58\ufe63\uff0d]-?/;
/** Spaces at which a shell does not split words. */
const hardSpace = /[\u00a0\u1680\u2000-\u200a\u202f\u205f\u3000]/;

/** The flag that a word was before its hyphens were replaced; undefined for any other word. */
export function restoreFlag(word: string, command: Command): string | undefined {
  const flag = `--${word.replace(longDash, '').replace(/=.*/s, '')}`;
  return longDash.test(word) && isKnownFlag(flag, command) ? flag : undefined;
}

/** What is odd about the first of `words` that was copied like this; undefined if none was. */
export function explainPastedWord(words: readonly string[], command: Command): string | undefined {
  const dashed = words.find((word) => restoreFlag(word, command) !== undefined);
  if (dashed !== undefined)
    return `"${dashed}" begins with a long dash, as word processors write it; did you mean ${restoreFlag(dashed, command)}?`;
  const spaced = words.find((word) => hardSpace.test(word));
  if (spaced === undefined) return undefined;
  return `"${spaced}" is one word: the space in it is a special one, as web pages and word processors have; type that space again.`;
}

/** Strips surrounding typographic quotes, which a shell takes for letters. */
export const stripTypographicQuotes = (text: string): string =>
  text.replace(/^[\u2018\u201c-\u201e\u00ab](.+)[\u2019\u201c\u201d\u00bb]$/s, '$1');
