/** Reads the body of a request: bounded, UTF-8, JSON. */
import { isUtf8 } from 'node:buffer';
import type { IncomingMessage } from 'node:http';

/** Far above any body of the contract. */
export const bodyLimit = 64 * 1024;

export type Body = { readonly json: unknown; readonly text: string } | { readonly wrong: string };

/** Hands over the parsed JSON or what is wrong with it, once. Never if the client has gone away. */
export function readBody(request: IncomingMessage, done: (body: Body) => void): void {
  const { 'content-type': type, 'content-length': length, 'content-encoding': coding } = request.headers;
  if (!isJson(type)) {
    done(wrongType);
    return;
  }
  // A request that says so is never plain, so it always comes here.
  if (coding !== undefined && !/^identity$/i.test(coding)) {
    done(compressed(coding));
    return;
  }
  if (Number(length) > bodyLimit) {
    done(tooLargeBody);
    return;
  }
  const chunks: Buffer[] = [];
  let size = 0;
  const take = (chunk: Buffer): void => {
    size += chunk.length;
    if (size <= bodyLimit) return void chunks.push(chunk);
    request.off('data', take).off('end', finish);
    done(tooLargeBody);
  };
  const finish = (): void => {
    const [first = Buffer.alloc(0)] = chunks;
    done(parse(chunks.length < 2 ? first : Buffer.concat(chunks)));
  };
  request.on('data', take).on('end', finish);
}

/** Reads a body that has arrived whole, within the limit. */
export const parseBody = (type: string | undefined, bytes: Buffer): Body =>
  isJson(type) ? parse(bytes) : wrongType;

const isJson = (type: string | undefined): boolean =>
  type !== undefined && /^application\/json\s*(;|$)/i.test(type);
const wrongType: Body = { wrong: 'Content-Type: must be application/json' };
/** A body was announced, and nothing came. */
export const emptyBody: Body = { wrong: 'body: is not JSON' };
export const tooLargeBody: Body = { wrong: `body: must be at most ${bodyLimit} bytes` };

const compressed = (coding: string): Body => ({
  wrong: `body: is compressed with ${coding}; it must be JSON that is not compressed`,
});
const isGzip = (bytes: Buffer): boolean => bytes[0] === 0x1f && bytes[1] === 0x8b;

function parse(bytes: Buffer): Body {
  if (bytes.length === 0) return emptyBody;
  if (!isUtf8(bytes)) return isGzip(bytes) ? compressed('gzip') : { wrong: 'body: is not UTF-8' };
  const text = bytes.toString('utf8');
  try {
    return { json: JSON.parse(text), text };
  } catch {
    return { wrong: 'body: is not JSON' };
  }
}
