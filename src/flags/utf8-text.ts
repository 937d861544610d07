/** Text from the bytes of a file or of stdin. One wrong character makes a different key, and nobody sees it. */
import { usageError } from '../errors.ts';

/**
 * Decodes the text, without a byte order mark. Throws a usage error (64) if it is not UTF-8; `what` begins the
 * sentence.
 */
export function decodeUtf8(bytes: Uint8Array, what: string): string {
  const isMarked = /^(fffe|feff)/.test(Buffer.from(bytes.subarray(0, 2)).toString('hex'));
  if (isMarked || bytes.includes(0)) throw wrong(`${what} is UTF-16, or not text`);
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw wrong(`${what} is not UTF-8 text`);
  }
}

const wrong = (words: string) =>
  usageError(
    `${words}. Nothing was sent.`,
    'Save it as UTF-8. In Windows PowerShell > writes UTF-16: use Set-Content -Encoding ascii instead.',
  );
