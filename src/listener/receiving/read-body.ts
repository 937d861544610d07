/** Reads the body of a request that `node:http` handles. A stranger may be sending many at once, a byte at a time. */
import type { IncomingMessage } from 'node:http';
import { createByteBuffer } from '../../plain/byte-buffer.ts';

interface BodyLimits {
  /** Largest body. Bytes. */
  readonly each: number;
  /** A body of at most this many bytes always has room, in however many pieces. It is larger than any event. */
  readonly small: number;
  /** Total of all larger bodies under way, not counting the small part of each. Bytes. */
  readonly together: number;
}

/**
 * Resolves with the whole body, or why there is none. Uses listeners rather than iteration, because this is the hot
 * path.
 */
export type ReadBody = (
  request: IncomingMessage,
) => Promise<Uint8Array | 'too-large' | 'no-room' | 'aborted'>;

export function createBodyReader({ each, small, together }: BodyLimits): ReadBody {
  let remaining = together;
  return (request) => {
    if (Number(request.headers['content-length'] ?? 0) > each) return Promise.resolve('too-large');
    return new Promise((resolve) => {
      let body = createByteBuffer(each);
      let length = 0;
      let held = 0;
      const giveBack = () => {
        remaining += held;
        held = 0;
      };
      const take = (chunk: Buffer) => {
        length += chunk.byteLength;
        if (length > each) return stop('too-large');
        const more = length <= small ? 0 : body.sizeWith(chunk.byteLength) - small - held;
        if (more > remaining) return stop('no-room');
        remaining -= more;
        held += more;
        body.add(chunk);
      };
      const stop = (why: 'too-large' | 'no-room') => {
        request.off('data', take).off('end', finish).pause();
        // Nobody waits for it any more, but the request may stay open for long.
        giveBack();
        body = createByteBuffer(0);
        resolve(why);
      };
      const finish = () => resolve(body.all());
      request.on('data', take).on('end', finish);
      request.on('close', () => {
        giveBack();
        resolve('aborted');
      });
      request.on('error', () => resolve('aborted'));
    });
  };
}
