/** `--set data.amount=1`: a copy of a body with fields that exist changed. */
import { dataError, usageError } from '../../errors.ts';

/** Bytes of the edited copy. A path that is not in the body is an error (64), never a new field. */
export function editBody(body: Uint8Array, edits: readonly string[]): Uint8Array {
  const parsed = parseObject(body);
  for (const edit of edits) {
    const [, path = '', text = ''] = /^([^=]+)=([\s\S]*)$/.exec(edit) ?? [];
    if (path === '') throw usageError(`"${edit}" is not path=value.`, 'Like --set data.amount=5000.');
    setExisting(parsed, path, jsonOrText(text));
  }
  return new TextEncoder().encode(JSON.stringify(parsed));
}

function parseObject(body: Uint8Array): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(new TextDecoder().decode(body));
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) {
      return value as Record<string, unknown>;
    }
  } catch {
    // Told below.
  }
  throw dataError('NOT_JSON', 'The body of this event is not a JSON object, so no field of it can be set.');
}

function setExisting(root: Record<string, unknown>, path: string, value: unknown): void {
  const steps = path.split('.');
  const last = steps.pop() ?? '';
  let at: unknown = root;
  for (const step of steps) at = isContainer(at) && Object.hasOwn(at, step) ? at[step] : undefined;
  if (!isContainer(at) || !Object.hasOwn(at, last)) {
    const known = isContainer(at) ? Object.keys(at).join(', ') : Object.keys(root).join(', ');
    throw usageError(`The body has no ${path}. Nothing was sent.`, `There are: ${known}.`);
  }
  at[last] = value;
}

const isContainer = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null;

/** JSON where it is JSON, else text: `5000`, `true`, `null`, `"5000"`, `PAID`. */
function jsonOrText(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
