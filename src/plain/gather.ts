/**
 * Bytes that come in pieces, copied to one place: a list of pieces of one byte would take a hundred times as much
 * memory.
 */

export interface Gathered {
  /** Bytes of memory that it takes with so many more. */
  sizeWith(more: number): number;
  add(piece: Uint8Array): void;
  /** In memory of which it uses nearly all: copied where it does not. */
  all(): Buffer;
}

/**
 * @param most bytes that are ever added
 * @param expected bytes that are said to come: memory for them is taken at once, and not again for each doubling
 */
export function gather(most: number, expected = 0): Gathered {
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
