/** Reads all that a pipe or a terminal gives, up to its end, which may never come. */
import type { Readable } from 'node:stream';
import { kindForSignal, messageOf, PixctlError, usageError } from '../../errors.ts';
import { tooLargeError } from '../../flags/input.ts';

export interface ReadAllOptions {
  /** What is read, for the error. */
  readonly what: string;
  /** Whatever has more bytes than this is refused. */
  readonly atMost: number;
  /** A line that begins with this byte ends the input, and is not part of it. */
  readonly endByte?: number | undefined;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Reads to the end. Throws `interrupted` (130) or `terminated` (143) once `signal` is aborted, `data` (65) once there
 * are too many bytes, without reading on, and a usage error (64) if the system cannot read it.
 */
export async function readAll(
  stream: Readable,
  { what, atMost, endByte, signal }: ReadAllOptions,
): Promise<Uint8Array> {
  const interrupted = () =>
    new PixctlError(
      kindForSignal(signal?.reason),
      'INTERRUPTED',
      `Interrupted while ${what} was read. Nothing was sent.`,
    );
  const stop = () => stream.destroy(interrupted());
  if (signal?.aborted === true) stop();
  signal?.addEventListener('abort', stop, { once: true });
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  let failure: unknown;
  try {
    for await (const chunk of stream as AsyncIterable<Uint8Array>) {
      const end = endByte === undefined ? -1 : endIn(chunk, endByte, chunks.at(-1)?.at(-1));
      chunks.push(end < 0 ? chunk : chunk.subarray(0, end));
      bytes += chunk.length;
      if (bytes > atMost) throw tooLargeError(what, atMost);
      if (end >= 0) break;
    }
  } catch (cause) {
    failure = cause;
  } finally {
    signal?.removeEventListener('abort', stop);
  }
  // Ctrl-C also ends the program at the other end of a pipe, and that end may arrive before the signal: what came is
  // not the whole. So may the error of a terminal that is gone.
  if (signal !== undefined) await new Promise((resolve) => setImmediate(resolve));
  if (signal?.aborted === true) throw interrupted();
  if (failure !== undefined) throw failure instanceof PixctlError ? failure : unreadableError(what, failure);
  return Buffer.concat(chunks);
}

const unreadableError = (what: string, cause: unknown): PixctlError =>
  usageError(
    `The input (${what}) cannot be read: ${(cause as NodeJS.ErrnoException).code ?? messageOf(cause)}. Nothing was sent.`,
  );

const newline = 0x0a;

/** Where a line begins with that byte; -1 if none does. `before`: the byte before the chunk, if there is one. */
function endIn(chunk: Uint8Array, byte: number, before = newline): number {
  return chunk.findIndex((it, at) => it === byte && (chunk[at - 1] ?? before) === newline);
}
