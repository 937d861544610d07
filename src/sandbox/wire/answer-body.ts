/**
 * The bodies of answers, written into one buffer that is used again and again: a page of charges is some
 * 30 KB, and strings of that size, made, joined and thrown away, were most of what the collector had to do.
 */
export interface AnswerBody {
  /** The body lies from `from` to `to`, and in front of it are `headRoom` bytes that may be written to. */
  readonly bytes: Buffer;
  readonly from: number;
  readonly to: number;
  /** True once the body may outlive its answer: its bytes are not reused. */
  lent: boolean;
}

export const headRoom = 2_048;

let bytes = Buffer.allocUnsafeSlow(64 * 1024);

/** The texts, one after another, in UTF-8. They hold until the next body is written, unless `lendBody` is called. */
export function writeBody(texts: readonly string[]): AnswerBody {
  let to = headRoom;
  for (const text of texts) {
    const most = to + text.length * 3;
    if (most > bytes.length) bytes = Buffer.concat([bytes.subarray(0, to)], Math.max(most, bytes.length * 2));
    to += bytes.write(text, to);
  }
  return { bytes, from: headRoom, to, lent: false };
}

/** The same in memory of its own. */
export function copyBody({ bytes, from, to }: AnswerBody): AnswerBody {
  const copy = Buffer.allocUnsafeSlow(headRoom + to - from);
  bytes.copy(copy, headRoom, from, to);
  return { bytes: copy, from: headRoom, to: copy.length, lent: false };
}

/** The body is still being sent: what is told next is written elsewhere. */
export function lendBody(body: AnswerBody): void {
  body.lent = true;
  if (body.bytes === bytes) bytes = Buffer.allocUnsafeSlow(64 * 1024);
}
