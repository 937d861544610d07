/** Sentences for a terminal, broken between words; what may be copied out of them stays on one line. */

export interface Room {
  /** Of the terminal. */
  readonly columns: number;
  /** Before each line but the first, and already used in that one. */
  readonly indent: number;
}

/** Narrower than this beside the indent, a terminal breaks as it will. */
const leastWidth = 12;

/**
 * `text` (one line) as lines of at most `columns`. A command with its flags, a flag with its value, what stands in
 * quotes, and a path or address are never broken: one that is longer than a line is left to the terminal, which copies
 * it as it is. So is a line that wide letters make too long: they count as one column here.
 */
export function wrapSentence(text: string, { columns, indent }: Room): string {
  const room = columns - indent;
  if (room < leastWidth || text.length <= room) return text;
  const lines: string[] = [];
  for (const unit of unitsOf(text)) {
    const last = lines.at(-1);
    const longer = `${last} ${unit}`;
    if (last === undefined || longer.length > room) lines.push(unit);
    else lines[lines.length - 1] = longer;
  }
  return lines.join(`\n${' '.repeat(indent)}`);
}

/**
 * Words, and as one each: a command, from `pixctl`, or what is set before it, to the next mark of the sentence; and a
 * flag with the word after it, which may be its value.
 */
function unitsOf(text: string): string[] {
  const units: string[] = [];
  let isCommand = false;
  let joins = false;
  let end = 0;
  for (const { 0: word, index } of text.matchAll(words)) {
    // Several blanks may be a name's own: of a file, say.
    const between = text.slice(end, index);
    if (units.length > 0 && (joins || between.length > 1)) units[units.length - 1] += `${between}${word}`;
    else units.push(`${units.length === 0 ? between : ''}${word}`);
    end = index + word.length;
    const goesOn = !/[.,;:?!)]$/.test(word);
    isCommand = (isCommand || (begin.test(word) && goesOnAs.test(text.slice(end)))) && goesOn;
    joins = isCommand || (flag.test(word) && goesOn);
  }
  return units;
}

/**
 * What is in quotes belongs to its word, R$ or a unit to its number, and a time to its day and zone. A single quote
 * within a word is an apostrophe.
 */
const words =
  /(?:R\$ (?=\d)|(?<=\d{4}-\d\d-\d\d) (?=\d\d:)|(?<=:\d\d) (?=UTC\b|[+-]\d\d:)|\d (?=(?:ms|s|min|h|[KMG]iB)\b)|[^\s"']|"[^"]*"|(?<=^|[\s=($])'[^']*'|["'])+/g;
const begin = /^\(?(?:pixctl|npx|[A-Z_]+=\S+)$/;
const goesOnAs = /^ (?:[a-z-]|[A-Z_]+=)/;
const flag = /^\(?--?[a-z]/i;
