/** Puts the client together: target, key, transport, retries, verdicts (docs/requests.md). */
import { type Operation, operations, pathOf } from '../contract/operations.ts';
import { pagination } from '../contract/pagination.ts';
import { encodeText } from '../contract/percent.ts';
import type { Schema } from '../contract/schema.ts';
import { withdrawal, withTextId } from '../contract/withdrawal.ts';
import type { Environment } from '../flags/environment.ts';
import { type Answer, answerOf, breach, replyOf } from './classify.ts';
import type { Api, CallOptions } from './client.ts';
import { pagesOf } from './pages.ts';
import { anyonesRemedies, type Remedies } from './remedies.ts';
import { createSender, join, type SenderOptions } from './sender.ts';
import { parseTarget } from './target.ts';
import { openTransport } from './transport.ts';

export interface ClientOptions extends SenderOptions {
  /** Origin and path prefix of the service. */
  readonly baseUrl: string;
  /** Bound on one exchange, milliseconds. */
  readonly timeoutMs: number;
  /** For `HTTPS_PROXY` and `NO_PROXY`. */
  readonly environment: Environment;
  /** What its user can do about the key and the address. */
  readonly remedies?: Remedies;
}

/** The client of one profile. Throws `configError` (78) for a base URL that must not be called. */
export function createClient(options: ClientOptions): Api {
  const { clock, remedies = anyonesRemedies } = options;
  const target = parseTarget(options.baseUrl);
  const transport = openTransport({ target, clock, environment: options.environment });
  const { send, sendSafely } = createSender(options, { target, transport, remedies });

  /** Calls `operation` and checks the answer, which is returned as it came, not as it was parsed. */
  const ask = async (name: string, input: LooseInput, call: CallOptions = {}) => {
    const operation: Operation = operations[name as keyof typeof operations];
    const request = {
      method: operation.method,
      path: pathOf(operation, input.path?.id) + queryText(input.query),
      body: input.body === undefined ? undefined : JSON.stringify(input.body),
      timeoutMs: call.timeoutMs ?? options.timeoutMs,
      signal: call.signal,
      uninterrupted: call.uninterrupted,
      beforeFirstByte: call.beforeFirstByte,
    };
    const exchange = await sendSafely(request, call.withinMs);
    const asked = {
      ...request,
      path: operation.path,
      host: target.host,
      success: operation.success,
      now: clock.now(),
      remedies,
    };
    const answer = readable(operation, answerOf(asked, exchange));
    const wrong = findBreach(operation, answer);
    if (wrong !== null) throw breach(asked, wrong);
    return answer;
  };
  const askPage = async (name: string, input: LooseInput, call?: CallOptions) => {
    const { data, pagination } = await ask(name, input, call);
    return pagination === undefined
      ? { items: data as never, pagination: onlyPage, isUnpaged: true as const }
      : { items: data as never, pagination: pagination as never };
  };

  return {
    baseUrl: options.baseUrl,
    timeoutMs: options.timeoutMs,
    remedies,
    call: async (operation, input, call) => (await ask(operation, input, call)).data as never,
    page: askPage,
    pages(operation, path, { limit, after, before, resumable = false, ...call } = {}) {
      const direction = before === undefined ? 'after' : 'before';
      return pagesOf(
        (cursor, signal) => {
          const query = { limit, ...(cursor === null ? {} : { [direction]: cursor }) };
          const input = { ...(path === undefined ? {} : { path }), query };
          return askPage(operation, input, { ...call, signal: join(call.signal, signal) as AbortSignal });
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

/** `?a=1&b=2`, or nothing. */
function queryText(query: unknown): string {
  const pairs = Object.entries(query ?? {}).filter(([, value]) => value !== undefined);
  if (pairs.length === 0) return '';
  return `?${pairs.map(([name, value]) => `${name}=${encodeText(String(value))}`).join('&')}`;
}

/** Ids are compared, kept and typed as text: that of a withdrawal, whose field is not shown, may come as a number. */
function readable(operation: Operation, answer: Answer): Answer {
  if (operation.data !== withdrawal) return answer;
  const { data } = answer;
  return { ...answer, data: Array.isArray(data) ? data.map(withTextId) : withTextId(data) };
}

/** Of a list that came without `pagination`. */
const onlyPage = { hasMore: false };

/** From this many items on, it is quicker to let zod compile the schema. */
const worthCompiling = 50;

/** What in the answer does not fit the contract, in words; null when all of it does. */
function findBreach(operation: Operation, answer: Answer): string | null {
  if (operation.shape === 'list' && !Array.isArray(answer.data)) return 'holds no list';
  const items = operation.shape === 'list' ? (answer.data as unknown[]) : [answer.data];
  const schema = operation.data();
  for (const item of items) {
    const wrong = firstIssue(schema.safeParse(item, { jitless: items.length < worthCompiling }));
    if (wrong !== null) return `does not fit the contract at data${wrong}`;
  }
  if (operation.shape !== 'list') return null;
  if (operation.isMaybeUnpaged === true && answer.pagination === undefined) return null;
  const wrong = firstIssue(pagination().safeParse(answer.pagination, { jitless: true }));
  return wrong === null ? null : `does not fit the contract at pagination${wrong}`;
}

type Parsed = ReturnType<Schema['safeParse']>;

const firstIssue = (parsed: Parsed): string | null => {
  if (parsed.success) return null;
  const [issue] = parsed.error.issues;
  return `${(issue?.path ?? []).map((part) => `.${String(part)}`).join('')} (${issue?.code ?? 'invalid'})`;
};
