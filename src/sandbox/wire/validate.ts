/**
 * From what came over the wire to what a handler takes, by the contract's own schemas. A refusal is
 * VALIDATION_ERROR, and its message names the field and the problem (document: "Errors").
 */
import * as z from 'zod/mini';
import { isObject } from '../../contract/json-object.ts';
import { type Input, type Operation, type OperationName, operations } from '../../contract/operations.ts';
import { listQuery, plainListQuery } from '../../contract/pagination.ts';
import { type Schema, schema } from '../../contract/schema.ts';
import type { CreateWithdrawalBody } from '../../contract/withdrawal.ts';
import { describeIssues, type Issue, isAmountBound, isUnknownProperty } from '../input/validation-issues.ts';
import { amountOutOfBounds } from '../rules/charge-amount.ts';
import { type Assume, assumedRefusal, Refusal } from '../rules/refusal.ts';
import { pixKeyFormatHint } from './pix-key-format.ts';

export interface RawInput {
  /** Path parameter, decoded. */
  readonly id: string | null;
  /** The text behind `?`. */
  readonly query: string;
  /** The parsed JSON; undefined where none was looked at. */
  readonly body: unknown;
}

export function validate<K extends OperationName>(name: K, raw: RawInput, assume: Assume): Input<K> {
  const operation: Operation = operations[name];
  const query = readQuery(operation, raw.query, assume);
  const path = raw.id === null ? undefined : { id: raw.id };
  if (operation.body !== null) {
    return { path, query, body: readBody(name, operation.body(), raw.body, assume) } as Input<K>;
  }
  if (raw.body !== undefined) readBody(name, nothing(), raw.body, assume);
  return { path, query, body: undefined } as Input<K>;
}

function readQuery(operation: Operation, text: string, assume: Assume): unknown {
  if (text === '' && operation.query === null) return undefined;
  const plain = operation.query === listQuery ? plainListQuery(text) : null;
  if (plain !== null) return plain;
  const given: Record<string, unknown> = Object.create(null);
  for (const [key, value] of new URLSearchParams(text)) {
    if (key in given) throw refuse(`${key}: is given more than once`);
    given[key] = key === 'limit' && /^-?(0|[1-9]\d{0,14})$/.test(value) ? Number(value) : value;
  }
  const schema = (operation.query ?? nothing)();
  const parsed = schema.safeParse(given);
  if (parsed.success) return operation.query === null ? undefined : parsed.data;
  const issues: readonly Issue[] = parsed.error.issues;
  if (!issues.every(isUnknownProperty)) throw refuse(describeIssues(issues, given, 'query'));
  if (assume('unknown-query') === 'refuse') throw refuse(describeIssues(issues, given, 'query'));
  return schema.parse(without(given, issues));
}

function readBody(name: OperationName, schema: Schema, sent: unknown, assume: Assume): unknown {
  const body = name === 'createWebhook' ? renameUrlField(sent, assume('webhook-url-field')) : sent;
  const parsed = schema.safeParse(body);
  if (parsed.success) {
    if (name === 'createWithdrawal') checkPixKey(parsed.data as CreateWithdrawalBody);
    return parsed.data;
  }
  const issues: readonly Issue[] = parsed.error.issues;
  const message = describeIssues(issues, body, 'body');
  if (issues.every(isAmountBound)) {
    // For withdrawals the document shows no code.
    if (name === 'createCharge') throw amountOutOfBounds();
    throw assumedRefusal(assume('withdrawal-amount-code'), message);
  }
  if (name === 'createCharge' || !issues.every(isUnknownProperty)) throw refuse(message);
  if (assume('extra-property') === 'refuse') throw refuse(message);
  return readBody(name, schema, without(sent as Record<string, unknown>, issues), assume);
}

const refuse = (message: string) => new Refusal('VALIDATION_ERROR', message);
const nothing = schema(() => z.strictObject({}));

function checkPixKey({ pixKey, pixKeyType }: CreateWithdrawalBody): void {
  const hint = pixKeyFormatHint(pixKey, pixKeyType);
  if (hint !== null) throw refuse(`pixKey: must be ${hint} for pixKeyType ${pixKeyType}`);
}

/** The contract calls the field `url`; on the wire it has the assumed name, and no other. */
function renameUrlField(body: unknown, name: string): unknown {
  if (name === 'url' || !isObject(body)) return body;
  const { [name]: url, url: other, ...rest } = body;
  if (url === undefined) throw refuse(`${name}: is required`);
  if (other !== undefined) throw refuse('url: is not an allowed property');
  return { ...rest, url };
}

function without(given: Record<string, unknown>, issues: readonly Issue[]): Record<string, unknown> {
  const unknown = issues.flatMap((issue) => issue.keys ?? []);
  return Object.fromEntries(Object.entries(given).filter(([key]) => !unknown.includes(key)));
}
