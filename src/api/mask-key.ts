/** Masks our own key in an answer: if a server sends it back, it must not be printed, stored or traced. */
import type { Exchange, Reply } from './exchange.ts';
import { parseJson } from './json.ts';

export const hidden = '[redacted]';

/** Anything shorter is no key, and would be found inside ordinary words. */
const shortest = 8;

/** Masks the key in the exchange's answer, even if JSON has escaped it. */
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
  // Latin-1 preserves every byte, whatever the encoding of the text.
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
