/** Masks our own key in an answer: a server that sends it back must not get it printed, stored or traced. */
import type { Exchange, Reply } from './exchange.ts';
import { parseJson } from './json.ts';

export const hidden = '[redacted]';

/** A shorter text is no key, and would be found inside ordinary words. */
const shortest = 8;

/** The exchange with the key masked in the answer, also where JSON escapes it. */
export function maskKey(exchange: Exchange, key: string): Exchange {
  if (exchange.kind !== 'reply' || key.length < shortest) return exchange;
  const { status, headers, body } = exchange.reply;
  const reply: Reply = { status, headers: maskHeaders(headers, key), body: maskBody(body, key) };
  return { ...exchange, reply };
}

const maskHeaders = (headers: Reply['headers'], key: string): Reply['headers'] =>
  Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [
      name,
      typeof value === 'string'
        ? value.replaceAll(key, hidden)
        : value.map((one) => one.replaceAll(key, hidden)),
    ]),
  );

function maskBody(body: Uint8Array, key: string): Uint8Array {
  const bytes = Buffer.from(body.buffer, body.byteOffset, body.byteLength);
  // Latin-1 gives each byte back as it was, whatever the text is encoded in.
  const masked = bytes.includes(key)
    ? Buffer.from(bytes.toString('latin1').replaceAll(key, hidden), 'latin1')
    : bytes;
  if (!masked.includes('\\')) return masked;
  try {
    const written = JSON.stringify(parseJson(masked));
    return written.includes(key) ? Buffer.from(written.replaceAll(key, hidden)) : masked;
  } catch {
    return masked;
  }
}
