/**
 * Turns what came over the wire into what a handler takes, by the contract's own schemas. A refusal is
 * VALIDATION_ERROR, and its message names the field and the problem (document: "Errors").
 */
import * as z from 'zod/mini';
import { isObject } from '../../contract/json-object.ts';
import { type Input, type Operation, type OperationName, operations } from '../../contract/operations.ts';
import { listQuery, plainListQuery } from '../../contract/pagination.ts';
import { type Schema, schema } from '../../contract/schema.ts';
import type { CreateWithdrawalBody } from '../../contract/withdrawal.ts';
import { describeIssues, type Issue, isAmountBound, isUnknownProperty } from '../input/validation-issues.ts';
import type { Context } from '../rules/handler.ts';
import { assumedRefusal, Refusal } from '../rules/refusal.ts';
import { hasLooseFormat, hasValidCheckDigits, pixKeyFormatHint } from './pix-key-format.ts';

export interface RawInput {
  /** Path parameter, decoded. */
  readonly id: string | null;
  /** The text after `?`. */
  readonly query: string;
  /** The parsed JSON; undefined if none was read. */
  readonly body: unknown;
}

/** How open points are decided: `assume` marks the answer as resting on one, while `world.assume` only looks. */
type AssumptionContext = Pick<Context, 'assume' | 'world'>;

export function validate<K extends OperationName>(
  name: K,
  raw: RawInput,
  context: AssumptionContext,
): Input<K> {
  const operation: Operation = operations[name];
  const query = readQuery(operation, raw.query, context);
  const path = raw.id === null ? undefined : { id: raw.id };
  if (operation.body !== null) {
    return { path, query, body: readBody(name, operation.body(), raw.body, context) } as Input<K>;
  }
  if (raw.body !== undefined) readBody(name, emptyObject(), raw.body, context);
  return { path, query, body: undefined } as Input<K>;
}

function readQuery(operation: Operation, text: string, context: AssumptionContext): unknown {
  if (text === '' && operation.query === null) return undefined;
  const plain = operation.query === listQuery ? plainListQuery(text) : null;
  if (plain !== null) return plain;
  const given: Record<string, unknown> = Object.create(null);
  const repeated: string[] = [];
  for (const [key, value] of new URLSearchParams(text)) {
    if (key in given) repeated.push(key);
    else given[key] = key === 'limit' && /^-?(0|[1-9]\d{0,14})$/.test(value) ? Number(value) : value;
  }
  return checkQuery(operation, given, repeated, context);
}

function checkQuery(
  operation: Operation,
  given: Record<string, unknown>,
  repeated: readonly string[],
  context: AssumptionContext,
): unknown {
  const parsed = (operation.query ?? emptyObject)().safeParse(given);
  const issues: readonly Issue[] = parsed.success ? [] : parsed.error.issues;
  const unknown = unknownIn(issues);
  const twice = repeated.find((key) => !unknown.includes(key));
  if (twice !== undefined) throw refuse(`${twice}: is given more than once`);
  if (parsed.success) return operation.query === null ? undefined : parsed.data;
  if (unknown.length > 0 && ignoresUnknown('unknown-query', issues, context))
    return checkQuery(operation, omit(given, unknown), [], context);
  const message = describeIssues(issues, given, 'query');
  if (issues.every(isEmptyCursor)) throw assumedRefusal(context.assume('bad-cursor-code'), message);
  throw refuse(message);
}

function readBody(name: OperationName, schema: Schema, sent: unknown, context: AssumptionContext): unknown {
  const urlField = name === 'createWebhook' ? context.assume('webhook-url-field') : 'url';
  const body = renameUrlField(sent, urlField, context);
  const parsed = schema.safeParse(body);
  if (parsed.success) {
    if (name === 'createWithdrawal') checkPixKey(parsed.data as CreateWithdrawalBody, context);
    return parsed.data;
  }
  if (isObject(sent) && isUnsafeNumber(sent.amount)) {
    // Replaced by the nearest number that can be counted. That is out of bounds as well, and refused like any such
    // amount.
    const amount = Math.sign(sent.amount) * Number.MAX_SAFE_INTEGER;
    return readBody(name, schema, { ...sent, amount }, context);
  }
  const issues = parsed.error.issues.map((issue) => withSentFieldName(issue, urlField));
  const unknown = unknownIn(issues);
  if (unknown.length > 0 && name !== 'createCharge' && ignoresUnknown('extra-property', issues, context))
    return readBody(name, schema, omit(sent as Record<string, unknown>, unknown), context);
  const message = describeIssues(issues, sent, 'body');
  // Only for withdrawals, whose code the document does not show. For charges the bounds are a business rule.
  if (issues.every(isAmountBound)) throw assumedRefusal(context.assume('withdrawal-amount-code'), message);
  throw refuse(message);
}

const refuse = (message: string) => new Refusal('VALIDATION_ERROR', message);
const emptyObject = schema(() => z.strictObject({}));

function checkPixKey({ pixKey, pixKeyType }: CreateWithdrawalBody, { assume }: AssumptionContext): void {
  const hint = pixKeyFormatHint(pixKey, pixKeyType);
  const isTaken =
    hint === null || (hasLooseFormat(pixKey, pixKeyType) && assume('pix-key-format') === 'loose');
  if (!isTaken) throw refuse(`pixKey: must be ${hint} for pixKeyType ${pixKeyType}`);
  if (!hasValidCheckDigits(pixKey, pixKeyType) && assume('pix-key-format') === 'check-digits')
    throw refuse(`pixKey: has check digits that are wrong for pixKeyType ${pixKeyType}`);
}

/** Renames the URL field. The contract calls it `url`; on the wire it has the assumed name and no other. */
function renameUrlField(body: unknown, name: string, context: AssumptionContext): unknown {
  if (name === 'url' || !isObject(body)) return body;
  const { [name]: url, url: other, ...rest } = body;
  if (url === undefined) throw refuse(`${name}: is required`);
  if (other !== undefined && !ignoresUnknown('extra-property', [], context))
    throw refuse('url: is not an allowed property');
  return { ...rest, url };
}

/** Makes a refusal name the field as it was sent. */
const withSentFieldName = (issue: Issue, urlField: string): Issue =>
  issue.path[0] === 'url' ? { ...issue, path: [urlField] } : issue;

/** Whether a JSON number is too large for JavaScript to count, or becomes infinite (1e400). */
const isUnsafeNumber = (value: unknown): value is number =>
  typeof value === 'number' && Math.abs(value) > Number.MAX_SAFE_INTEGER;

const isEmptyCursor = ({ code, path }: Issue): boolean =>
  code === 'too_small' && (path[0] === 'after' || path[0] === 'before');

/**
 * Whether unknown names are ignored. The answer rests on that assumption, unless they are refused and something else is
 * wrong too, which is VALIDATION_ERROR in any case.
 */
function ignoresUnknown(
  id: 'extra-property' | 'unknown-query',
  issues: readonly Issue[],
  { assume, world }: AssumptionContext,
): boolean {
  const isWrong = (issue: Issue) =>
    !isUnknownProperty(issue) && !isAmountBound(issue) && !isEmptyCursor(issue);
  if (world.assume(id) === 'refuse' && issues.some(isWrong)) return false;
  return assume(id) === 'ignore';
}

const unknownIn = (issues: readonly Issue[]): string[] =>
  issues.filter(isUnknownProperty).flatMap((issue) => issue.keys ?? []);

const omit = (given: Record<string, unknown>, names: readonly string[]): Record<string, unknown> =>
  Object.fromEntries(Object.entries(given).filter(([key]) => !names.includes(key)));
