/**
 * Writes the bodies of answers into one buffer that is used again and again. A page of charges is some 30 KB, and
 * building, joining and dropping strings of that size was most of the garbage collector's work.
 */
export interface AnswerBody {
  /** The body lies between `from` and `to`, with `headRoom` writable bytes in front of it. */
  readonly bytes: Buffer;
  readonly from: number;
  readonly to: number;
  /** True once the body may outlive its answer, so that its bytes are not reused. */
  isRetained: boolean;
}

export const headRoom = 2_048;

let bytes = Buffer.allocUnsafeSlow(64 * 1024);

/**
 * Writes the texts one after another, in UTF-8. They hold until the next body is written, unless `retainBody` is
 * called.
 */
export function writeBody(texts: readonly string[]): AnswerBody {
  let to = headRoom;
  for (const text of texts) {
    const most = to + text.length * 3;
    if (most > bytes.length) bytes = Buffer.concat([bytes.subarray(0, to)], Math.max(most, bytes.length * 2));
    to += bytes.write(text, to);
  }
  return { bytes, from: headRoom, to, isRetained: false };
}

/** Copies a body into memory of its own. */
export function copyBody({ bytes, from, to }: AnswerBody): AnswerBody {
  const copy = Buffer.allocUnsafeSlow(headRoom + to - from);
  bytes.copy(copy, headRoom, from, to);
  return { bytes: copy, from: headRoom, to: copy.length, isRetained: false };
}

/** Marks a body as still being sent: the next one is written elsewhere. */
export function retainBody(body: AnswerBody): void {
  body.isRetained = true;
  if (body.bytes === bytes) bytes = Buffer.allocUnsafeSlow(64 * 1024);
}
