/** API keys as bytes: what one may look like, and how one is read from a file that the user names. */
import { readFileSync } from 'node:fs';
import { configError, PixctlError, usageError } from '../errors.ts';
import { makeReadableHint, unexpandedHome } from '../flags/file-remedies.ts';
import { decodeUtf8 } from '../flags/utf8-text.ts';
import { existsSafely, type FileOwner, type Instead } from './file-safety.ts';

/**
 * Returns a key without surrounding white space. Throws a usage error (64) that does not repeat it; `what` begins its
 * message.
 */
export function parseApiKey(text: string, what = 'The API key'): string {
  const key = text.trim();
  if (key === '') throw usageError(`${what} is empty. Nothing was sent.`, copyAgain);
  if (/^["'`]|["'`]$/.test(key)) {
    throw usageError(
      `${what} begins or ends with a quote, which is not part of it. Nothing was sent.`,
      'Leave the quotes out: docker run --env-file, a file and stdin pass them on as they are.',
    );
  }
  if (!/^[\x21-\x7e]{1,4096}$/.test(key)) {
    throw usageError(
      `${what} has characters that a key cannot have (spaces, line breaks, accents). Nothing was sent.`,
      copyAgain,
    );
  }
  return key;
}

const copyAgain = 'Copy it again from the dashboard: settings, API keys. It starts with svc_.';

/** The key that somebody has saved or piped; `what` begins the error message. */
export const keyIn = (bytes: Uint8Array, what: string): string => parseApiKey(decodeUtf8(bytes, what), what);

/** A key file is the user's own, and so is whatever lies in its place: we must not advise moving it away. */
const named: Instead = {
  ofLink: 'name the file that it points to',
  ofOther: () => 'Name the file that holds the key.',
};

/** Reads the key from a private file (mode 0600, no link). Throws `config` (78) with a remedy. */
export function readKeyFile(path: string, owner: FileOwner): string {
  if (!existsSafely(path, 'file', owner, named)) {
    throw configError(
      'NO_KEY_FILE',
      `The key file ${path} cannot be read: there is no such file. Nothing was sent.`,
      unexpandedHome(path),
    );
  }
  try {
    return keyIn(readFileSync(path), `The key in ${path}`);
  } catch (error) {
    if (error instanceof PixctlError) throw error;
    throw new PixctlError('config', 'UNREADABLE', `The key file ${path} cannot be read. Nothing was sent.`, {
      hint: `Make it yours, and readable only by you: ${makeReadableHint(path)}`,
      cause: error,
    });
  }
}
