/** Characters that turn the direction of text: with them a key, an amount or an address reads as another one. */

const bidiMarks = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;

/** What stands between two tags; a text area holds what a form sends, so that it must stay what it is. */
const texts = /(<textarea\b[^>]*>[^<]*<\/textarea>)|>[^<]+/g;

/**
 * Markup of ours, in which text has no raw `<` or `>`, with these characters in its texts as `\u{202e}`, as they are
 * shown on a terminal. Attributes stay: what is copied and what a form carries is what came.
 */
export const showBidiMarks = (html: string): string =>
  html.search(bidiMarks) === -1
    ? html
    : html.replace(
        texts,
        (text, area?: string) => area ?? text.replace(bidiMarks, (mark) => `\\u{${codeOf(mark)}}`),
      );

/** The same characters in JSON as its own escapes, which a receiver reads as what came. */
export const escapeBidiMarks = (json: string): string =>
  json.replace(bidiMarks, (mark) => `\\u${codeOf(mark).padStart(4, '0')}`);

const codeOf = (mark: string): string => mark.charCodeAt(0).toString(16);
