/**
 * Writes to stdout and stderr without Node's streams, whose loading takes a tenth of a short run. Only where that makes
 * no difference: for a file, the null device, and what a pipe takes without waiting for its reader.
 */
import { fstatSync, type Stats, statSync, writeSync } from 'node:fs';

export interface Descriptor {
  /** Writes `text`, and returns what could not be written this way, for the stream. Throws the system's error. */
  write(text: string | Uint8Array): Uint8Array | null;
}

/** What a pipe takes in one piece, in bytes (POSIX `PIPE_BUF` on Linux): this much in total is written directly. */
const pipeBudget = 4096;

/** Opens the descriptor `fd`; null for a terminal, or anything else that needs a stream. */
export function openDescriptor(fd: number): Descriptor | null {
  const found = look(() => fstatSync(fd));
  if (found === null) return null;
  if (found.isFile() || isNullDevice(found)) return { write: (text) => writeFile(fd, text) };
  if (!found.isFIFO() && !found.isSocket()) return null;
  let left = pipeBudget;
  return {
    write(text) {
      const bytes = Buffer.from(text);
      if (bytes.byteLength > left) {
        left = 0;
        return bytes;
      }
      left -= bytes.byteLength;
      return writeSome(fd, bytes);
    },
  };
}

/**
 * In bytes. A long text goes through the same memory piece by piece; otherwise each page of a list would be garbage.
 */
const pieceSize = 64 * 1024;

function writeFile(fd: number, text: string | Uint8Array): null {
  if (typeof text !== 'string' || text.length < pieceSize) return writeAll(fd, Buffer.from(text));
  const piece = new Uint8Array(pieceSize);
  const encoder = new TextEncoder();
  for (let rest = text; rest.length > 0; ) {
    const { read, written } = encoder.encodeInto(rest, piece);
    writeAll(fd, piece.subarray(0, written));
    rest = rest.slice(read);
  }
  return null;
}

/** Files take whatever they are given, unless the disk is full: then the next write fails. */
function writeAll(fd: number, bytes: Uint8Array): null {
  let written = 0;
  while (written < bytes.byteLength) written += writeSync(fd, bytes, written);
  return null;
}

function writeSome(fd: number, bytes: Uint8Array): Uint8Array | null {
  try {
    const written = bytes.byteLength === 0 ? 0 : writeSync(fd, bytes);
    return written === bytes.byteLength ? null : bytes.subarray(written);
  } catch (error) {
    // Somebody made the pipe non-blocking, and it is full.
    if ((error as NodeJS.ErrnoException).code === 'EAGAIN') return bytes;
    throw error;
  }
}

function isNullDevice(found: Stats): boolean {
  if (!found.isCharacterDevice()) return false;
  const device = look(() => statSync('/dev/null'));
  return device !== null && device.rdev === found.rdev;
}

function look(at: () => Stats): Stats | null {
  try {
    return at();
  } catch {
    return null;
  }
}
