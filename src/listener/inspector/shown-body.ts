/**
 * Limits how much of a body a page shows: an open page is rendered again with each delivery, on the thread that answers
 * them.
 */

/** Bytes of a body that a page shows. */
const shownBytes = 64 * 1024;

interface ShownBody {
  /** For people: the beginning of the body, whatever its bytes are. */
  readonly text: string;
  readonly isComplete: boolean;
  /** Text that a form or a shell gives back as the exact bytes; null if none does. */
  readonly exact: string | null;
}

export function toShownBody(body: Uint8Array): ShownBody {
  const whole = body.byteLength <= shownBytes;
  const text = new TextDecoder().decode(body.subarray(0, shownBytes));
  return { text, isComplete: whole, exact: whole ? exactText(body) : null };
}

/** A form turns a CR into a line break of its own, and neither a form nor a shell carries a NUL. */
function exactText(body: Uint8Array): string | null {
  try {
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(body);
    return /[\r\0]/.test(text) ? null : text;
  } catch {
    return null;
  }
}
