/**
 * Gathers bytes that come in pieces in one place: a list of one-byte pieces would take a hundred times as much memory.
 */

interface ByteBuffer {
  /** The bytes of memory it would take with that many more. */
  sizeWith(more: number): number;
  add(piece: Uint8Array): void;
  /** All bytes, in memory of which they use nearly all: copied if need be. */
  all(): Buffer;
}

/**
 * @param most the most bytes that are ever added
 * @param expected bytes that are announced: memory for them is allocated at once, instead of doubling step by step
 */
export function createByteBuffer(most: number, expected = 0): ByteBuffer {
  let bytes = Buffer.alloc(0);
  let length = 0;
  const sizeWith = (more: number): number =>
    length + more <= bytes.byteLength
      ? bytes.byteLength
      : Math.min(most, Math.max(length + more, expected, 2 * bytes.byteLength));
  return {
    sizeWith,
    add(piece) {
      const size = sizeWith(piece.byteLength);
      if (size > bytes.byteLength) {
        const larger = Buffer.allocUnsafeSlow(size);
        bytes.copy(larger, 0, 0, length);
        bytes = larger;
      }
      bytes.set(piece, length);
      length += piece.byteLength;
    },
    all() {
      const used = bytes.subarray(0, length);
      return bytes.byteLength - length > length >> 3 ? Buffer.from(used) : used;
    },
  };
}
