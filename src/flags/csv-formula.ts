/** Text in a csv file that a spreadsheet would take for a formula. */

/**
 * Puts a `'` before what a spreadsheet would compute if it parted the cells elsewhere: at a `;` in a file with commas,
 * as one set to Brazil does, at a comma or a tab, or at a line break that no quote protects then.
 */
export const escapeInnerFormulas = (text: string): string =>
  isDoubtful.test(text) ? text.replace(inner, "$&'") : text;

const isDoubtful = /[;,\t\r\n]["']*[=+\-@＝＋－＠]/;
/** A plus or minus with nothing but a number behind it, such as a phone's, computes nothing. */
const inner = /[;,\t\r\n](?=["']*(?:[=@＝＠]|[+\-＋－](?![\d .%()-]*(?:[;,\t\r\n]|$))))/g;

/** Does the same, and also at the beginning of the cell. */
export const escapeFormulas = (text: string): string => {
  const escaped = escapeInnerFormulas(text);
  return /^[=+\-@\t\r＝＋－＠]/.test(escaped) ? `'${escaped}` : escaped;
};
