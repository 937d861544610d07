/** The body of a request that `node:http` reads. A stranger may be sending, many at once and a byte at a time. */
import type { IncomingMessage } from 'node:http';
import { gather } from '../../plain/gather.ts';

export interface BodyLimits {
  /** Bytes of one body. */
  readonly each: number;
  /** Bytes; for a body of no more there is always room, in however many pieces: larger than any event. */
  readonly small: number;
  /** Bytes of all larger bodies under way, above the small part of each. */
  readonly together: number;
}

/** Every byte of the body, or why not. Listeners instead of iteration, because this is the hot path. */
export type ReadBody = (
  request: IncomingMessage,
) => Promise<Uint8Array | 'too-large' | 'no-room' | 'aborted'>;

export function createBodyReader({ each, small, together }: BodyLimits): ReadBody {
  let left = together;
  return (request) => {
    if (Number(request.headers['content-length'] ?? 0) > each) return Promise.resolve('too-large');
    return new Promise((resolve) => {
      const body = gather(each);
      let length = 0;
      let held = 0;
      const take = (chunk: Buffer) => {
        length += chunk.byteLength;
        if (length > each) return stop('too-large');
        const more = length <= small ? 0 : body.sizeWith(chunk.byteLength) - small - held;
        if (more > left) return stop('no-room');
        left -= more;
        held += more;
        body.add(chunk);
      };
      const stop = (why: 'too-large' | 'no-room') => {
        request.off('data', take).pause();
        resolve(why);
      };
      request.on('data', take);
      request.on('end', () => resolve(body.all()));
      request.on('close', () => {
        left += held;
        held = 0;
        resolve('aborted');
      });
      request.on('error', () => resolve('aborted'));
    });
  };
}
