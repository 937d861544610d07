/** `--set data.amount=1`, `--add data.note=x`, `--remove data.customer`: copies a body, and edits its fields. */
import { parseJson } from '../../api/json.ts';
import { isShallow } from '../../contract/json-depth.ts';
import { isObject } from '../../contract/json-object.ts';
import { formatCents, parseAmount } from '../../contract/money.ts';
import { dataError, type PixctlError, usageError } from '../../errors.ts';
import { nearest } from '../../flags/nearest.ts';

/**
 * Returns the bytes of the edited copy: `edits` are made first, then the fields in `added`, then the paths in `removed`
 * are taken out. Only `added` makes new fields: a misspelt path elsewhere is an error (64).
 */
export function editBody(
  body: Uint8Array,
  edits: readonly string[],
  { added = [], removed = [] }: { added?: readonly string[]; removed?: readonly string[] } = {},
): Uint8Array {
  const parsed = parseObject(body);
  for (const edit of edits) {
    const [path, text] = readEdit(edit, '--set data.amount=5000');
    refuseRemovedEdit(`--set ${edit}`, path, removed);
    setExisting(parsed, path, jsonOrText(text));
  }
  for (const edit of added) {
    const [path, text] = readEdit(edit, '--add data.note=hello');
    refuseRemovedEdit(`--add ${edit}`, path, removed);
    addField(parsed, path, jsonOrText(text));
  }
  removeExisting(parsed, removed);
  return new TextEncoder().encode(JSON.stringify(parsed));
}

/**
 * Says what to note about edits that give an amount as flags take it (10,50), where an event has cents. The edits are
 * made as requested, because that may be just what a receiver is to be tried with.
 */
export const reaisWarnings = (flag: '--set' | '--add', edits: readonly string[]): readonly string[] =>
  edits.flatMap((edit) => {
    const [, path = '', text = ''] = /^([^=]*\b(?:amount|fee))=(.+)$/.exec(edit) ?? [];
    const read = /^\d+$/.test(text) ? null : parseAmount(text);
    if (read === null || !read.ok) return [];
    return `${flag} ${edit} is sent as it is. Amounts in an event are cents: ${formatCents(read.cents)} is ${flag} ${path}=${read.cents}.`;
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

function readEdit(edit: string, example: string): [path: string, text: string] {
  const [, path = '', text = ''] = /^([^=]+)=([\s\S]*)$/.exec(edit) ?? [];
  if (path === '')
    throw usageError(`"${edit}" is not path=value. Nothing was sent.`, `For example, ${example}.`);
  return [path, text];
}

function addField(root: Record<string, unknown>, path: string, value: unknown): void {
  const at = path.lastIndexOf('.');
  const step = path.slice(at + 1);
  const within = at < 0 ? 'The body' : path.slice(0, at);
  const found = at < 0 ? null : findExisting(root, path.slice(0, at));
  const parent = found === null ? root : found.parent[found.step];
  if (!isObject(parent))
    throw usageError(
      `${within} is no object, so it takes no field ${step}. Nothing was sent.`,
      `A whole value is given by --set ${within}=...`,
    );
  if (Object.hasOwn(parent, step))
    throw usageError(`The body has ${path} already. Nothing was sent.`, `To change it: --set ${path}=...`);
  // Assigned, `__proto__` would be no field.
  Object.defineProperty(parent, step, { value, enumerable: true, configurable: true, writable: true });
}

function setExisting(root: Record<string, unknown>, path: string, value: unknown): void {
  const { parent, step } = findExisting(root, path);
  parent[step] = value;
}

/** All paths are found before the first is removed: each means the body as it is sent without `--remove`. */
function removeExisting(root: Record<string, unknown>, paths: readonly string[]): void {
  for (const path of paths) refuseEnvelopeField(path);
  const found = paths.map((path) => findExisting(root, path));
  const emptied = new Set<unknown[]>();
  for (const { parent, step } of found) {
    delete parent[step];
    if (Array.isArray(parent)) emptied.add(parent);
  }
  // A removed item leaves a hole, which would be sent as null.
  for (const items of emptied) items.splice(0, items.length, ...items.filter((_, index) => index in items));
}

/** Every event has these (document: "Event delivery body"). */
const envelope: readonly string[] = ['id', 'event', 'createdAt', 'data'];

function refuseEnvelopeField(path: string): void {
  if (!envelope.includes(path)) return;
  throw usageError(
    `--remove ${path} would leave no event: each has ${envelope.join(', ')}. Nothing was sent.`,
    path === 'data' ? "For an event without data: --data '{}'." : `For another one: --set ${path}=...`,
  );
}

function refuseRemovedEdit(flag: string, path: string, removed: readonly string[]): void {
  const by = removed.find((each) => path === each || path.startsWith(`${each}.`));
  if (by !== undefined)
    throw usageError(`${flag} and --remove ${by} contradict each other. Nothing was sent.`);
}

function findExisting(root: Record<string, unknown>, path: string) {
  const steps = path.split('.');
  let parent: unknown = root;
  for (const [index, step] of steps.entries()) {
    if (!isContainer(parent) || !isFieldOf(parent, step)) throw unknownPath(parent, steps, index);
    if (index === steps.length - 1) return { parent, step };
    parent = parent[step];
  }
  throw unknownPath(root, steps, 0);
}

/** The length of an array is a property of it, and no item. */
const isFieldOf = (parent: Record<string, unknown>, step: string): boolean =>
  Object.hasOwn(parent, step) && !(Array.isArray(parent) && step === 'length');

function unknownPath(at: unknown, steps: readonly string[], index: number): PixctlError {
  const known = isContainer(at) ? Object.keys(at) : [];
  const step = steps[index] ?? '';
  // `amount`, as in the service's answers, is `data.amount` in an event.
  const around = isContainer(at)
    ? known.find((key) => isContainer(at[key]) && isFieldOf(at[key], step))
    : undefined;
  const near = around === undefined ? nearest(step, known) : `${around}.${step}`;
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
