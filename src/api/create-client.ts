/** Puts the client together: target, key, transport, retries, verdicts (docs/requests.md). */
import { isObject } from '../contract/json-object.ts';
import { type Operation, type OperationName, operationPath, operations } from '../contract/operations.ts';
import { pagination } from '../contract/pagination.ts';
import { encodeText } from '../contract/percent.ts';
import type { Schema } from '../contract/schema.ts';
import { withdrawal, withdrawalById, withTextId } from '../contract/withdrawal.ts';
import type { Environment } from '../flags/environment.ts';
import { type Answer, answerOf, contractError, replyOf } from './classify.ts';
import type { Api, CallOptions } from './client.ts';
import { idOf } from './describe-reply.ts';
import { pagesOf } from './pages.ts';
import { defaultRemedies, type Remedies } from './remedies.ts';
import { createSender, joinSignals, type SenderOptions } from './sender.ts';
import { parseTarget } from './target.ts';
import { openTransport } from './transport.ts';

export interface ClientOptions extends SenderOptions {
  /** Origin and path prefix of the service. */
  readonly baseUrl: string;
  /** Limit on one exchange, in milliseconds. */
  readonly timeoutMs: number;
  /** Limit on one read of a wait, whose own limit `timeoutMs` may be. By default the same. */
  readonly lookTimeoutMs?: number;
  /** For `HTTPS_PROXY` and `NO_PROXY`. */
  readonly environment: Environment;
  /** What the user can do about the key and the address. */
  readonly remedies?: Remedies;
}

/** Creates the client of one profile. Throws `configError` (78) for a base URL that must not be called. */
export function createClient(options: ClientOptions): Api {
  const { clock, remedies = defaultRemedies } = options;
  const target = parseTarget(options.baseUrl);
  const transport = openTransport({ target, clock, environment: options.environment });
  const { send, sendSafely } = createSender(options, { target, transport, remedies });

  /** Calls `operation` and checks the answer, but returns it as it came, not as it was parsed. */
  const ask = async (name: OperationName, input: LooseInput, call: CallOptions = {}) => {
    const operation: Operation = operations[name];
    const request = {
      method: operation.method,
      path: operationPath(operation, input.path?.id) + queryText(input.query),
      body: input.body === undefined ? undefined : JSON.stringify(input.body),
      timeoutMs: call.timeoutMs ?? options.timeoutMs,
      signal: call.signal,
      uninterrupted: call.uninterrupted,
      beforeFirstByte: call.beforeFirstByte,
    };
    const exchange = await sendSafely(request, call.withinMs);
    const context = {
      ...request,
      path: operation.path,
      sentPath: request.path,
      fields: Object.keys({ ...(input.query ?? {}), ...(input.body ?? {}) }),
      host: target.host,
      success: operation.success,
      now: clock.now(),
      remedies,
      ...(namesNoRecord(input) && { refersTo: namesPage(input) ? ('page' as const) : ('nothing' as const) }),
    };
    const answer = readable(operation, answerOf(context, exchange));
    const wrong = findBreach(operation, answer);
    if (wrong !== null)
      throw contractError(context, `${named(operation, answer)}${wrong}`, { isPermanent: true });
    return answer;
  };
  const askPage = async (name: OperationName, input: LooseInput, call?: CallOptions) => {
    const { data, pagination } = await ask(name, input, call);
    return pagination === undefined || pagination === null
      ? { items: data as never, pagination: onlyPage, isUnpaged: true as const }
      : { items: data as never, pagination: pagination as never };
  };

  return {
    baseUrl: options.baseUrl,
    timeoutMs: options.timeoutMs,
    lookTimeoutMs: options.lookTimeoutMs ?? options.timeoutMs,
    remedies,
    call: async (operation, input, call) => (await ask(operation, input, call)).data as never,
    page: askPage,
    pages(operation, path, { limit, after, before, resumable = false, ...call } = {}) {
      const direction = before === undefined ? 'after' : 'before';
      return pagesOf(
        (cursor, signal) => {
          const query = { limit, ...(cursor === null ? {} : { [direction]: cursor }) };
          const input = { ...(path === undefined ? {} : { path }), query };
          return askPage(operation, input, { ...call, signal: joinSignals(call.signal, signal) });
        },
        { start: before ?? after ?? null, direction, resumable },
      );
    },
    raw: async (request) => replyOf({ ...request, host: target.host, remedies }, await sendSafely(request)),
    send,
    close: () => transport.close(),
  };
}

interface LooseInput {
  readonly path?: { readonly id: string };
  readonly query?: unknown;
  readonly body?: unknown;
}

/** Whether the request holds no record's id: then "not found" is about the call itself. */
const namesNoRecord = ({ path, query, body }: LooseInput): boolean =>
  path === undefined &&
  [query, body].every((part) => !isObject(part) || !('id' in part || 'customerId' in part));

const namesPage = ({ query }: LooseInput): boolean =>
  isObject(query) && ('after' in query || 'before' in query);

/** Names what was created even if its answer cannot be used: a user who does not know of it would create another. */
function named({ method }: Operation, { data }: Answer): string {
  const id = method === 'GET' ? null : idOf(data);
  return id === null ? '' : `names ${id}, but `;
}

/** Returns `?a=1&b=2`, or nothing. */
function queryText(query: unknown): string {
  const pairs = Object.entries(query ?? {}).filter(([, value]) => value !== undefined);
  if (pairs.length === 0) return '';
  return `?${pairs.map(([name, value]) => `${name}=${encodeText(String(value))}`).join('&')}`;
}

/** Ids are compared, stored and typed as text, but a withdrawal's, whose field is not shown, may come as a number. */
function readable(operation: Operation, answer: Answer): Answer {
  if (operation.data !== withdrawal && operation.data !== withdrawalById) return answer;
  const { data } = answer;
  return { ...answer, data: Array.isArray(data) ? data.map(withTextId) : withTextId(data) };
}

/** Stands in for the `pagination` that a list came without. */
const onlyPage = { hasMore: false };

/** From this many items on, letting zod compile the schema is quicker. */
const worthCompiling = 50;

/** What in the answer does not fit the contract, in words; null if all of it fits. */
function findBreach(operation: Operation, answer: Answer): string | null {
  if (operation.shape === 'list' && !Array.isArray(answer.data)) return 'holds no list';
  const items = operation.shape === 'list' ? (answer.data as unknown[]) : [answer.data];
  const schema = operation.data();
  for (const [index, item] of items.entries()) {
    const wrong = firstIssue(schema.safeParse(item, { jitless: items.length < worthCompiling }), item);
    if (wrong === null) continue;
    if (operation.shape === 'item') return `does not fit the contract at data${wrong}`;
    const id = idOf(item);
    return `does not fit the contract at data[${index}]${wrong}${id === null ? '' : `, in ${id}`}`;
  }
  if (operation.shape !== 'list') return null;
  if (operation.isMaybeUnpaged === true && (answer.pagination ?? null) === null) return null;
  const wrong = firstIssue(pagination().safeParse(answer.pagination, { jitless: true }), answer.pagination);
  return wrong === null ? null : `does not fit the contract at pagination${wrong}`;
}

type Parsed = ReturnType<Schema['safeParse']>;

/** Says where `whole` does not fit, and how: `.amount (expected number, found string)`. */
function firstIssue(parsed: Parsed, whole: unknown): string | null {
  if (parsed.success) return null;
  const [issue] = parsed.error.issues;
  const path = issue?.path ?? [];
  const how =
    issue?.code === 'invalid_type'
      ? `expected ${issue.expected}, found ${kindOf(path.reduce<unknown>(member, whole))}`
      : (issue?.code ?? 'invalid');
  return `${path.map((part) => `.${String(part)}`).join('')} (${how})`;
}

const member = (of: unknown, name: PropertyKey): unknown =>
  isObject(of) || Array.isArray(of) ? Reflect.get(of, name) : undefined;

function kindOf(value: unknown): string {
  if (value === undefined) return 'nothing';
  if (value === null || Array.isArray(value)) return value === null ? 'null' : 'array';
  if (typeof value === 'object' && !isObject(value)) return 'a number too long to be exact';
  return typeof value === 'number' && !Number.isSafeInteger(value) ? 'another number' : typeof value;
}
