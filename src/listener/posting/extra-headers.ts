/**
 * Headers of ours, and of one's own: `--header 'Name: value'` on what is forwarded, in the place of those of that name;
 * and the name of the one that signs.
 */
import { usageError } from '../../errors.ts';
import type { Headers } from '../store.ts';
import type { Post } from './post.ts';

/** Of an event that is made here, besides its signature. */
export const ownHeaders: Headers = [
  ['Content-Type', 'application/json'],
  ['User-Agent', 'pixctl'],
];

/** What the request decides itself, and what is signed or marked by us. */
const refused =
  /^(host|content-length|transfer-encoding|connection|keep-alive|expect|te|trailer|upgrade|pixctl-.*)$/i;

/** Throws `usageError` (64). */
export function readHeaders(texts: readonly string[], signatureHeader: string): Headers {
  return texts.map((text) => {
    const [, name = '', value = ''] = /^([!#$%&'*+.^_`|~0-9A-Za-z-]+):[ \t]*(.*?)[ \t]*$/s.exec(text) ?? [];
    if (name === '' || /[^\t\x20-\x7e\x80-\xff]/.test(value)) {
      throw usageError('A --header is "Name: value" on one line, as HTTP takes it. Nothing was sent.');
    }
    if (refused.test(name) || name.toLowerCase() === signatureHeader.toLowerCase()) {
      throw usageError(`The header ${name} cannot be set. Nothing was sent.`);
    }
    return [name, value] as const;
  });
}

/**
 * Reads `--signature-header`. Throws `usageError` (64) for a header that the request itself decides, which would not be
 * sent. An empty value is refused like that of any flag.
 */
export function readSignatureHeader(name: string): string {
  if (/^[!#$%&'*+.^_`|~0-9A-Za-z-]{0,100}$/.test(name) && !refused.test(name)) return name;
  throw usageError(`"${name}" cannot be the name of the signature header. Nothing was sent.`);
}

export function withHeaders(post: Post, extra: Headers): Post {
  if (extra.length === 0) return post;
  const names = new Set(extra.map(([name]) => name.toLowerCase()));
  return (outgoing) => {
    const others = outgoing.headers.filter(([name]) => !names.has(name.toLowerCase()));
    return post({ ...outgoing, headers: [...others, ...extra] });
  };
}
