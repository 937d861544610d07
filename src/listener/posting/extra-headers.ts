/**
 * The headers that we add, and the user's own: `--header 'Name: value'` replaces those of that name on what is
 * forwarded. Also checks the name of the signature header.
 */
import { usageError } from '../../errors.ts';
import type { Headers } from '../store.ts';
import type { Post } from './post.ts';

/** Headers of an event that is made here, besides its signature. */
export const baseEventHeaders: Headers = [
  ['Content-Type', 'application/json'],
  ['User-Agent', 'pixctl'],
];

/** Headers that the request itself decides, and those that we sign or mark with. */
const reservedHeader =
  /^(host|content-length|transfer-encoding|connection|keep-alive|expect|te|trailer|upgrade|pixctl-.*)$/i;

/** Parses what `--header` takes. Throws `usageError` (64). */
export function parseHeaders(texts: readonly string[], signatureHeader: string): Headers {
  return texts.map((text) => {
    const [, name = '', value = ''] = /^([!#$%&'*+.^_`|~0-9A-Za-z-]+):[ \t]*(.*?)[ \t]*$/s.exec(text) ?? [];
    if (name === '' || /[^\t\x20-\x7e\x80-\xff]/.test(value)) {
      throw usageError('A --header is "Name: value" on one line, as HTTP takes it. Nothing was sent.');
    }
    if (reservedHeader.test(name) || name.toLowerCase() === signatureHeader.toLowerCase()) {
      throw usageError(
        `--header cannot set ${name}, which pixctl decides itself. Nothing was sent.`,
        'Leave it out.',
      );
    }
    return [name, value] as const;
  });
}

/**
 * Reads `--signature-header`. Throws `usageError` (64) for a header that the request itself decides, because it would
 * not be sent. An empty value is refused as for any flag.
 */
export function readSignatureHeader(name: string): string {
  if (/^[!#$%&'*+.^_`|~0-9A-Za-z-]{0,100}$/.test(name) && !reservedHeader.test(name)) return name;
  throw usageError(
    `"${name}" cannot be the name of the signature header. Nothing was sent.`,
    'Give the name alone, like Service-Signature, and none that pixctl decides itself, like Host.',
  );
}

export function withHeaders(post: Post, extra: Headers): Post {
  if (extra.length === 0) return post;
  const names = new Set(extra.map(([name]) => name.toLowerCase()));
  return (outgoing) => {
    const others = outgoing.headers.filter(([name]) => !names.has(name.toLowerCase()));
    return post({ ...outgoing, headers: [...others, ...extra] });
  };
}
