/** One request and its answer on the documented plane, faults included. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { readBody, tooLarge } from './body.ts';
import { type Call, call, type Request } from './calls.ts';
import type { CallPlan, Substitute } from './faults/call-plan.ts';
import type { Faults } from './faults/faults.ts';
import { Refusal } from './refusal.ts';
import type { RequestLog } from './request-log.ts';
import { matchRoute } from './routes.ts';
import { writeOutcome } from './wire.ts';
import type { World } from './world.ts';

export interface ExchangeParts {
  readonly world: World;
  readonly faults: Faults;
  readonly log: RequestLog;
  /** Told of what nobody meant: a bug, answered with 500. */
  readonly report: (error: unknown) => void;
  /** False once the sandbox closes: what was delayed until then has no effect. */
  readonly isOpen: () => boolean;
}

interface Exchange extends ExchangeParts {
  readonly target: string;
  readonly request: Request;
  /** The body as text, for the log. */
  readonly sent: string | null;
  readonly response: ServerResponse;
  readonly plan: CallPlan;
}

export function exchange(
  parts: ExchangeParts,
  target: string,
  message: IncomingMessage,
  response: ServerResponse,
): void {
  const mark = target.indexOf('?');
  const method = message.method ?? 'GET';
  const path = mark < 0 ? target : target.slice(0, mark);
  const query = mark < 0 ? '' : target.slice(mark + 1);
  const route = matchRoute(method, path);
  const asked = { method, path, query, route, authorization: message.headers.authorization };
  const operation = route?.operation ?? null;
  const begin = (request: Request, sent: string | null) => {
    const plan = parts.faults.call({ operation, query: query === '' ? {} : parseQuery(query) });
    const act = () => perform({ ...parts, target, request, sent, response, plan });
    if (plan.latencyMs > 0) setTimeout(() => parts.isOpen() && act(), plan.latencyMs);
    else act();
  };
  if (operation === null || !takesBody.has(operation)) {
    begin({ ...asked, body: null }, null);
    return;
  }
  readBody(message, (body) => {
    // What is still to come of it is not read.
    if (body === tooLarge) response.setHeader('connection', 'close');
    begin({ ...asked, body }, 'text' in body ? body.text : null);
  });
}

const takesBody: ReadonlySet<string> = new Set(['createCharge', 'createWithdrawal', 'createWebhook']);
const parseQuery = (query: string) => Object.fromEntries(new URLSearchParams(query));

/** The handler's effect is committed between `before` and `after`. */
function perform(it: Exchange): void {
  const { plan, response } = it;
  if (plan.before !== null) {
    substitute(it, plan.before, null);
    return;
  }
  let made: Call;
  try {
    made = call(it.world, it.request);
  } catch (error) {
    it.report(error);
    const outcome = new Refusal('INTERNAL_ERROR', 'unexpected server error');
    made = { merchantId: null, rests: [], outcome };
  }
  if (plan.after !== null) {
    substitute(it, plan.after, made);
    return;
  }
  const outcome =
    made.outcome instanceof Refusal ? made.outcome : { ...made.outcome, ...plan.rewrite(made.outcome) };
  const { status, body } = writeOutcome(outcome);
  const headers: Record<string, string | number> = {
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(body),
    'x-sandbox': 'pixctl',
  };
  if (made.rests.length > 0) headers['x-sandbox-assumption'] = made.rests.join(',');
  note(it, made, status, body);
  response.writeHead(status, headers);
  if (!plan.truncate) return void response.end(body);
  response.write(Buffer.from(body).subarray(0, body.length / 2), () => response.destroy());
}

function substitute(it: Exchange, instead: Substitute, made: Call | null): void {
  const { response } = it;
  if (instead.kind === 'answer') {
    const { status, headers, body } = instead.answer;
    note(it, made, status, body);
    response.writeHead(status, {
      ...headers,
      'content-length': Buffer.byteLength(body),
      'x-sandbox': 'pixctl',
    });
    return void response.end(body);
  }
  note(it, made, null, null);
  if (instead.kind === 'reset') return void response.socket?.resetAndDestroy();
  if (instead.ms !== null) setTimeout(() => response.destroy(), instead.ms).unref();
}

function note(it: Exchange, made: Call | null, status: number | null, answer: string | null): void {
  it.log.add({
    at: it.world.clock.now(),
    method: it.request.method,
    target: it.target,
    operation: it.request.route?.operation ?? null,
    merchantId: made?.merchantId ?? null,
    request: it.sent,
    status,
    answer,
    assumptions: made?.rests ?? [],
    faults: it.plan.fired,
  });
}
