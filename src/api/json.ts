/** JSON from the network: lossless where JavaScript numbers are not, and not deeper than we can walk. */

const maxDepth = 100;

/**
 * Parses a body. A number that JavaScript cannot represent exactly is kept as it was written (a raw JSON value), so
 * that printing it again loses nothing; it does not validate as an amount of money. Throws `SyntaxError` for bytes that
 * are not UTF-8, not JSON, or nested deeper than 100.
 */
export const parseJson = (body: Uint8Array): unknown => parseJsonText(decode(body));

/** The same of a text. */
export function parseJsonText(text: string): unknown {
  const { tooDeep, exact } = survey(text);
  if (tooDeep) throw new SyntaxError('nested too deeply');
  return exact ? JSON.parse(text) : JSON.parse(text, keepExact as never);
}

/** Whether `body` nests deeper than `parseJson` accepts. */
export const isTooDeep = (body: Uint8Array): boolean => survey(new TextDecoder().decode(body)).tooDeep;

const utf8 = new TextDecoder('utf-8', { fatal: true });

const decode = (body: Uint8Array): string => {
  try {
    return utf8.decode(body);
  } catch (cause) {
    throw new SyntaxError('not UTF-8', { cause });
  }
};

const { rawJSON } = JSON as unknown as { rawJSON: (text: string) => object };

const keepExact = (_key: string, value: unknown, context?: { source?: string }): unknown =>
  typeof value === 'number' && context?.source !== undefined && !isExact(value, context.source)
    ? rawJSON(context.source)
    : value;

const isExact = (value: number, source: string): boolean =>
  Number.isSafeInteger(value) || String(value) === source;

/** Scans a JSON text outside its strings: how deeply it nests, and whether a number may be inexact. */
// biome-ignore lint/complexity/noExcessiveCognitiveComplexity: measured: it looks at every character of an answer.
function survey(text: string): { tooDeep: boolean; exact: boolean } {
  let depth = 0;
  let digits = 0;
  let exact = true;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code >= 0x30 && code <= 0x39) {
      if (++digits > 15) exact = false;
      continue;
    }
    if (digits > 0 && (code === 0x2e || code === 0x65 || code === 0x45)) exact = false;
    digits = 0;
    if (code === 0x22) at = endOfString(text, at + 1);
    else if (code === 0x7b || code === 0x5b) {
      if (++depth > maxDepth) return { tooDeep: true, exact };
    } else if (code === 0x7d || code === 0x5d) depth--;
  }
  return { tooDeep: false, exact };
}

/** Where the string that begins at `from` ends: its closing quote, or the end of a text that is not JSON. */
function endOfString(text: string, from: number): number {
  for (let at = text.indexOf('"', from); at >= 0; at = text.indexOf('"', at + 1)) {
    let escapes = 0;
    while (at - 1 - escapes >= from && text.charCodeAt(at - 1 - escapes) === 0x5c) escapes++;
    if (escapes % 2 === 0) return at;
  }
  return text.length;
}
