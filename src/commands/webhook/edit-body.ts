/** `--set data.amount=1`: copies a body and changes fields that exist in it. */
import { parseJson } from '../../api/json.ts';
import { isShallow } from '../../contract/json-depth.ts';
import { isObject } from '../../contract/json-object.ts';
import { formatCents, parseAmount } from '../../contract/money.ts';
import { dataError, type PixctlError, usageError } from '../../errors.ts';
import { nearest } from '../../flags/nearest.ts';

/** Returns the bytes of the edited copy. A path that is not in the body is an error (64), never a new field. */
export function editBody(body: Uint8Array, edits: readonly string[]): Uint8Array {
  const parsed = parseObject(body);
  for (const edit of edits) {
    const [, path = '', text = ''] = /^([^=]+)=([\s\S]*)$/.exec(edit) ?? [];
    if (path === '')
      throw usageError(
        `"${edit}" is not path=value. Nothing was sent.`,
        'For example, --set data.amount=5000.',
      );
    setExisting(parsed, path, jsonOrText(text));
  }
  return new TextEncoder().encode(JSON.stringify(parsed));
}

/**
 * Says what to note about edits that give an amount as flags take it (10,50), where an event has cents. The edits are
 * made as requested, because that may be just what a receiver is to be tried with.
 */
export const reaisWarnings = (edits: readonly string[]): readonly string[] =>
  edits.flatMap((edit) => {
    const [, path = '', text = ''] = /^([^=]*\b(?:amount|fee))=(.+)$/.exec(edit) ?? [];
    const read = /^\d+$/.test(text) ? null : parseAmount(text);
    if (read === null || !read.ok) return [];
    return `--set ${edit} is sent as it is. Amounts in an event are cents: ${formatCents(read.cents)} is --set ${path}=${read.cents}.`;
  });

function parseObject(body: Uint8Array): Record<string, unknown> {
  try {
    const value = parseJson(body);
    if (isObject(value) && isShallow(value)) return value;
  } catch {
    // Reported below.
  }
  throw dataError(
    'NOT_JSON',
    'The body of this event is not a JSON object, or is nested too deeply, so no field of it can be set. Nothing was sent.',
  );
}

function setExisting(root: Record<string, unknown>, path: string, value: unknown): void {
  const steps = path.split('.');
  let at: unknown = root;
  for (const [index, step] of steps.entries()) {
    if (!isContainer(at) || !Object.hasOwn(at, step)) throw unknownPath(at, steps, index);
    if (index === steps.length - 1) at[step] = value;
    else at = at[step];
  }
}

function unknownPath(at: unknown, steps: readonly string[], index: number): PixctlError {
  const known = isContainer(at) ? Object.keys(at) : [];
  const near = nearest(steps[index] ?? '', known);
  const meant = near === undefined ? '' : ` Did you mean ${steps.toSpliced(index, 1, near).join('.')}?`;
  const parent = steps.slice(0, index).join('.') || 'The body';
  return usageError(
    `The body has no ${steps.join('.')}.${meant} Nothing was sent.`,
    known.length === 0 ? `${parent} has no fields.` : `${parent} has: ${known.join(', ')}.`,
  );
}

const isContainer = (value: unknown): value is Record<string, unknown> =>
  isObject(value) || Array.isArray(value);

/** Parses a value as JSON if it is JSON, otherwise as text: `5000`, `true`, `null`, `"5000"`, `PAID`. */
function jsonOrText(text: string): unknown {
  try {
    return parseJson(new TextEncoder().encode(text));
  } catch {
    return text;
  }
}
