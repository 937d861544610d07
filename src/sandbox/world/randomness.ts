/**
 * Unpredictable bytes for what a sandbox draws as it starts: its key, its tokens, its first ids. They come from the
 * kernel's own source if that is a file. `node:crypto`, which reads the same one, takes 4 ms to load, a tenth of a
 * sandbox's start.
 */
import { randomBytes as fromNode } from 'node:crypto';
import { closeSync, fstatSync, openSync, readSync } from 'node:fs';

export const randomBytes = (length: number): Buffer => fromSystem(length) ?? fromNode(length);

/** Returns a version 4 UUID. */
export function randomUuid(): string {
  const bytes = randomBytes(16);
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x40;
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80;
  return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
}

/** Reads from the system's device. Null if there is none, or something else stands there. */
function fromSystem(length: number): Buffer | null {
  let file: number | undefined;
  try {
    file = openSync('/dev/urandom', 'r');
    const bytes = Buffer.alloc(length);
    const isDevice = fstatSync(file).isCharacterDevice();
    return isDevice && readSync(file, bytes, 0, length, null) === length ? bytes : null;
  } catch {
    return null;
  } finally {
    if (file !== undefined) closeSync(file);
  }
}
