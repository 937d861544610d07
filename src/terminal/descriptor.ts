/**
 * stdout and stderr without Node's streams, whose loading takes a tenth of a short run. Only where nothing
 * differs: a file, the null device, and what a pipe takes without waiting for its reader.
 */
import { fstatSync, type Stats, statSync, writeSync } from 'node:fs';

export interface Descriptor {
  /** Writes `text`; what could not be written so is returned, for the stream. Throws what the system says. */
  write(text: string | Uint8Array): Uint8Array | null;
}

/** What a pipe takes as a whole, bytes (POSIX `PIPE_BUF` on Linux): so much in all is written directly. */
const pipeBudget = 4096;

/** The open descriptor `fd`; null for a terminal, or whatever else needs a stream. */
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

/** So much of a long text is put into the same memory after the other: each page of a list would be garbage. Bytes. */
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

/** Files take what they are given, unless the disk is full: then the next write says so. */
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
