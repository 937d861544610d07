/**
 * Bytes that nobody can foresee, for what a sandbox draws as it starts: its key, its tokens, its first ids. From
 * the kernel's own source where that is a file; `node:crypto`, which reads the same one, takes 4 ms to load, a
 * tenth of the time in which a sandbox starts.
 */
import { randomBytes as fromNode } from 'node:crypto';
import { closeSync, fstatSync, openSync, readSync } from 'node:fs';

export const randomBytes = (length: number): Buffer => fromSystem(length) ?? fromNode(length);

/** A UUID of version 4. */
export function randomUuid(): string {
  const bytes = randomBytes(16);
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x40;
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80;
  return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
}

/** Null where there is no such device, or what stands there is none. */
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
