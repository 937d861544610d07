/** All that a pipe or a terminal gives, up to its end, which may never come. */
import type { Readable } from 'node:stream';
import { endedBy, PixctlError } from '../errors.ts';

export interface ReadAllOptions {
  /** What is read, for the error. */
  readonly what: string;
  /** Once there are more bytes than this, no more is read. */
  readonly atMost?: number;
  readonly signal?: AbortSignal | undefined;
}

/** Throws `interrupted` (130) or `terminated` (143) once `signal` is aborted. */
export async function readAll(
  stream: Readable,
  { what, atMost = Number.POSITIVE_INFINITY, signal }: ReadAllOptions,
): Promise<Uint8Array> {
  const interrupted = () =>
    new PixctlError(
      endedBy(signal?.reason),
      'INTERRUPTED',
      `Interrupted while ${what} was read. Nothing was sent.`,
    );
  const stop = () => stream.destroy(interrupted());
  if (signal?.aborted === true) stop();
  signal?.addEventListener('abort', stop, { once: true });
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  try {
    for await (const chunk of stream) {
      chunks.push(chunk as Uint8Array);
      bytes += (chunk as Uint8Array).length;
      if (bytes > atMost) break;
    }
  } finally {
    signal?.removeEventListener('abort', stop);
  }
  // Ctrl-C ends the program behind a pipe too, whose end can be told before the signal: what came is not the whole.
  if (signal !== undefined) await new Promise((resolve) => setImmediate(resolve));
  if (signal?.aborted === true) throw interrupted();
  return Buffer.concat(chunks);
}
