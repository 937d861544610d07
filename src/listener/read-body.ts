/** The body of a request that `node:http` reads. A stranger may be sending, many at once and a byte at a time. */
import type { IncomingMessage } from 'node:http';

export interface BodyLimits {
  /** Bytes of one body. */
  readonly each: number;
  /** Bytes for which there is always room: larger than any event. */
  readonly small: number;
  /** Bytes of all bodies under way, above the small part of each. */
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
      // Copied, because what is kept for a chunk is many times a chunk of one byte.
      let body = nothing;
      let length = 0;
      let held = 0;
      const grow = (needed: number): boolean => {
        const size = Math.min(each, Math.max(needed, 2 * body.byteLength));
        const more = Math.max(0, size - small) - held;
        if (more > left) return false;
        left -= more;
        held += more;
        const grown = Buffer.allocUnsafeSlow(size);
        body.copy(grown, 0, 0, length);
        body = grown;
        return true;
      };
      const take = (chunk: Buffer) => {
        const whole = length + chunk.byteLength;
        if (whole > each) return stop('too-large');
        if (whole > body.byteLength && !grow(whole)) return stop('no-room');
        body.set(chunk, length);
        length = whole;
      };
      const stop = (why: 'too-large' | 'no-room') => {
        request.off('data', take).pause();
        body = nothing;
        resolve(why);
      };
      request.on('data', take);
      request.on('end', () =>
        resolve(length === body.byteLength ? body : Buffer.from(body.subarray(0, length))),
      );
      request.on('close', () => {
        left += held;
        held = 0;
        resolve('aborted');
      });
      request.on('error', () => resolve('aborted'));
    });
  };
}

const nothing = Buffer.alloc(0);
