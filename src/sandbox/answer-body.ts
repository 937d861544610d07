/**
 * The bodies of answers, written into one buffer that is used again and again: a page of charges is some
 * 30 KB, and strings of that size, made, joined and thrown away, were most of what the collector had to do.
 */
export interface AnswerBody {
  /** The body lies from `from` to `to`, and in front of it are `headRoom` bytes that may be written to. */
  readonly bytes: Buffer;
  readonly from: number;
  readonly to: number;
  /** The same as text, where it is short: it shares its parts with others that hold them. */
  readonly text: string | null;
}

export const headRoom = 2_048;

let bytes = Buffer.allocUnsafeSlow(64 * 1024);

/** The texts, one after another, in UTF-8. They hold until the next body is written, unless `keepBody` is called. */
export function writeBody(first: string, ...others: readonly string[]): AnswerBody {
  let to = headRoom;
  for (const text of [first, ...others]) {
    const most = to + text.length * 3;
    if (most > bytes.length) bytes = Buffer.concat([bytes.subarray(0, to)], Math.max(most, bytes.length * 2));
    to += bytes.write(text, to);
  }
  const [second = '', third = ''] = others;
  return { bytes, from: headRoom, to, text: others.length < 3 ? first + second + third : null };
}

/** The body is still being sent: the next one is written elsewhere. */
export function keepBody(body: AnswerBody): void {
  if (body.bytes === bytes) bytes = Buffer.allocUnsafeSlow(64 * 1024);
}

/** The body as text, cut to `limit` bytes; whole characters only. */
export function beginningOf({ bytes, from, to, text }: AnswerBody, limit: number): string {
  if (to - from <= limit) return text ?? bytes.toString('utf8', from, to);
  return `${bytes.toString('utf8', from, from + limit).replace(/\uFFFD$/, '')}...`;
}
