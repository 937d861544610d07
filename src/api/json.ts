/** JSON from the network: lossless where JavaScript numbers are not, and not deeper than we can walk. */

const maxDepth = 100;

/**
 * Parses a body. A number that a JavaScript number would change is kept as it was written (a raw JSON
 * value), so that printing it again loses nothing; as an amount of money it does not validate.
 * Throws `SyntaxError` for bytes that are not UTF-8, not JSON, or nested deeper than 100.
 */
export function parseJson(body: Uint8Array): unknown {
  const text = decode(body);
  if (isTooDeep(text)) throw new SyntaxError('nested too deeply');
  return /\d{16}|\d[.eE]/.test(text) ? JSON.parse(text, keepExact as never) : JSON.parse(text);
}

const decode = (body: Uint8Array): string => {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(body);
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

function isTooDeep(text: string): boolean {
  let depth = 0;
  let quoted = false;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (quoted) {
      if (code === 0x5c) at++;
      else if (code === 0x22) quoted = false;
    } else if (code === 0x22) quoted = true;
    else if (code === 0x7b || code === 0x5b) {
      if (++depth > maxDepth) return true;
    } else if (code === 0x7d || code === 0x5d) depth--;
  }
  return false;
}
