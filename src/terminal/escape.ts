/**
 * The one sanitiser at the render boundary. Text from the network or a file is never written raw to a terminal: every
 * character that could move the cursor, recolour, hide, reorder or retitle is made visible.
 */

/**
 * Control (C0, DEL, C1: with ESC and CSI gone no escape sequence survives), format (bidi controls,
 * zero-width, tags), lone surrogates, line separators, and whatever else draws nothing. The two variation
 * selectors that only choose between a text and an emoji form stay.
 */
const unsafe = () => {
  built ??= /[[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]--[\ufe0e\ufe0f]]/gv;
  return built;
};
let built: RegExp | undefined;

/**
 * Runs of characters that may contain an unsafe one. Most text has none, and the sets above take long to build and to
 * search with. A run is bounded, because an unbounded repetition can overflow the stack; the second half of a surrogate
 * pair stays with its first.
 */
const doubtful = /[^\n\x20-\x7e\xa1-\xac\xae-\xff]{1,255}[\udc00-\udfff]?/g;
const isDoubtful = /[^\n\x20-\x7e\xa1-\xac\xae-\xff]/;

const replaced = (text: string, by: (character: string) => string): string =>
  isDoubtful.test(text) ? text.replace(doubtful, (some) => some.replace(unsafe(), by)) : text;

const named: Readonly<Record<string, string>> = { '\t': '\\t', '\r': '\\r', '\b': '\\b' };

/**
 * Returns `text` with every unsafe character as `\x1b`, `\u{202e}`, `\n` and the like. `keep: 'lines'` leaves newline
 * and tab as they are, for text of several lines.
 */
export function makeVisible(text: string, { keep }: { keep?: 'lines' } = {}): string {
  const inLine = keep === 'lines' ? text : text.replaceAll('\n', '\\n');
  return replaced(inLine, (character) =>
    keep === 'lines' && character === '\t' ? character : (named[character] ?? numbered(character)),
  );
}

function numbered(character: string): string {
  const code = (character.codePointAt(0) ?? 0).toString(16);
  return code.length <= 2 ? `\\x${code.padStart(2, '0')}` : `\\u{${code}}`;
}

/** Writes the same characters in JSON text as `\uXXXX`: safe to look at, and lossless to a parser. */
export const escapeJson = (json: string): string => replaced(json, jsonEscape);

/**
 * Writes whatever is not ASCII as `\uXXXX`, for a terminal of another encoding than UTF-8: it takes some bytes of UTF-8
 * for control characters. JSON stays what it was.
 */
export const inAscii = (text: string): string => text.replace(/[^\p{ASCII}]+/gu, jsonEscape);

/**
 * The same of text that may hold a line to copy: a word in single quotes becomes what bash, zsh and ksh read as the
 * same bytes (`$'caf\303\251'`, as GNU programs write it), where `\u00e9` would be another word. Not for JSON.
 */
export const linesInAscii = (text: string): string =>
  inAscii(text.replace(quotedWord, (word) => (isAscii.test(word) ? word : bytesQuoted(word))));

const isAscii = /^\p{ASCII}*$/u;
/** As `commandLine` quotes a word. A single quote within a word of a sentence is an apostrophe. */
const quotedWord = /(?<=^|[\s=(])'[^']*'(?:\\''[^']*')*/g;

function bytesQuoted(word: string): string {
  const said = word.slice(1, -1).replaceAll("'\\''", "'");
  const octal = (some: string) =>
    [...Buffer.from(some)].map((byte) => `\\${byte.toString(8).padStart(3, '0')}`).join('');
  return `$'${said.replace(/[^\p{ASCII}]+|['\\]/gu, octal)}'`;
}

function jsonEscape(characters: string): string {
  let escaped = '';
  for (let at = 0; at < characters.length; at++) {
    escaped += `\\u${characters.charCodeAt(at).toString(16).padStart(4, '0')}`;
  }
  return escaped;
}
