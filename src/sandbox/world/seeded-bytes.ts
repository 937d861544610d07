/**
 * The same bytes for the same seed: sfc32 on a state hashed from it (cyrb128). They must be the same in every run and
 * need not be secret, so no digest is needed, and `node:crypto` is not loaded.
 */

/** Returns a source that draws 64 bytes at a time. */
export function seededBytes(seed: string): () => Buffer {
  let [a, b, c, counter] = hash(seed);
  const next = (): number => {
    const sum = (a + b + counter) | 0;
    counter = (counter + 1) | 0;
    a = b ^ (b >>> 9);
    b = (c + (c << 3)) | 0;
    c = (((c << 21) | (c >>> 11)) + sum) | 0;
    return sum;
  };
  // Until every bit of the state depends on every other.
  for (let round = 0; round < 20; round++) next();
  return () => {
    const bytes = Buffer.alloc(64);
    for (let at = 0; at < bytes.length; at += 4) bytes.writeInt32LE(next(), at);
    return bytes;
  };
}

function hash(text: string): [number, number, number, number] {
  let [a, b, c, d] = [1779033703, 3144134277, 1013904242, 2773480762];
  for (const byte of Buffer.from(text)) {
    a = b ^ Math.imul(a ^ byte, 597399067);
    b = c ^ Math.imul(b ^ byte, 2869860233);
    c = d ^ Math.imul(c ^ byte, 951274213);
    d = a ^ Math.imul(d ^ byte, 2716044179);
  }
  a = Math.imul(c ^ (a >>> 18), 597399067);
  b = Math.imul(d ^ (b >>> 22), 2869860233);
  c = Math.imul(a ^ (c >>> 17), 951274213);
  d = Math.imul(b ^ (d >>> 19), 2716044179);
  return [a ^ b ^ c ^ d, a ^ b, a ^ c, a ^ d];
}
