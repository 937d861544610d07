/** Handles one request and its answer on the documented plane, including faults. */
import { timers } from '../../clock.ts';
import { type OperationName, operations } from '../../contract/operations.ts';
import { type CallPlan, noFault, type Substitute } from '../faults/call-plan.ts';
import type { Faults } from '../faults/faults.ts';
import { Refusal } from '../rules/refusal.ts';
import type { World } from '../world/world.ts';
import { type AnswerBody, writeBody } from './answer-body.ts';
import { findCaller } from './authenticate.ts';
import { type Body, emptyBody } from './body.ts';
import { handleCall, type Request } from './calls.ts';
import { failureText, writeOutcome } from './envelope.ts';
import type { CallResult } from './outcome.ts';
import type { RequestLog } from './request-log.ts';
import type { IncomingRequest, Responder } from './responder.ts';
import { matchRoute } from './routes.ts';

export interface ExchangeParts {
  readonly world: World;
  readonly faults: Faults;
  readonly log: RequestLog;
  /** Told about a bug, which was answered with 500. */
  readonly report: (error: unknown) => void;
  /** False once the sandbox closes: what was delayed until then has no effect. */
  readonly isOpen: () => boolean;
  /** Changes with each reset and restore: what was delayed across one has no effect on the new world. */
  readonly era: () => number;
}

interface Exchange {
  readonly parts: ExchangeParts;
  readonly target: string;
  readonly request: Request;
  /** The body as text, for the log. */
  readonly sent: string | null;
  readonly reply: Responder;
  readonly plan: CallPlan;
}

export function handleRequest(parts: ExchangeParts, asked: IncomingRequest, reply: Responder): void {
  const { method, target, authorization } = asked;
  const mark = target.indexOf('?');
  const path = mark < 0 ? target : target.slice(0, mark);
  const query = mark < 0 ? '' : target.slice(mark + 1);
  const route = matchRoute(method, path);
  const operation = route?.operation ?? null;
  const begin = (body: Body | null) => {
    const plan = parts.faults.planCall(new LazyCall(operation, query));
    const request = { method, path, query, route, authorization, body };
    const sent = body !== null && 'text' in body ? body.text : null;
    const it = { parts, target, request, sent, reply, plan };
    if (plan.latencyMs > 0) delay(it);
    else perform(it);
  };
  if (operation !== null && operations[operation].body !== null) asked.body(begin);
  // A body sent to an operation that takes none is reported. No bytes are no body, whatever announced them.
  else if (operation !== null && method === 'POST' && asked.hasBody)
    asked.body((body) => begin(body === emptyBody ? null : body));
  else begin(null);
}

/** Its query is parsed only if a fault looks at it. */
class LazyCall {
  readonly operation: OperationName | null;
  readonly #query: string;

  constructor(operation: OperationName | null, query: string) {
    this.operation = operation;
    this.#query = query;
  }

  get query(): Record<string, string> {
    return Object.fromEntries(new URLSearchParams(this.#query));
  }
}

function delay(it: Exchange): void {
  const { parts, plan, reply } = it;
  const era = parts.era();
  const late = () => {
    if (!parts.isOpen()) return;
    if (parts.era() === era) perform(it);
    else reply.reset();
  };
  timers.setTimeout(late, plan.latencyMs).unref();
}

/** Performs the call. The handler's effect is committed between `before` and `after`. */
function perform(it: Exchange): void {
  if (it.plan.before !== null) substitute(it, it.plan.before, null);
  else handleCall(it.parts.world, it.request, (made) => sendOutcome(it, made));
}

function sendOutcome(it: Exchange, made: CallResult): void {
  const { plan, reply } = it;
  if (made.error !== undefined) it.parts.report(made.error);
  if (plan.after !== null) {
    substitute(it, plan.after, made);
    return;
  }
  const { outcome: meant } = made;
  const { status } = meant;
  const changed = plan === noFault || meant instanceof Refusal ? null : plan.rewrite(meant);
  const body = writeOutcome(it.parts.world, changed === null ? meant : { ...meant, ...changed });
  logRequest(it, made, status, body, changed?.fired);
  const headers =
    made.assumptions.length === 0 ? json : { ...json, 'x-sandbox-assumption': made.assumptions.join(',') };
  if (plan.truncate) reply.truncate(status, headers, body);
  else reply.answer(status, headers, body);
}

const marked = { 'x-sandbox': 'pixctl' };
const json = { 'content-type': 'application/json', ...marked };

function substitute(it: Exchange, instead: Substitute, made: CallResult | null): void {
  const { reply } = it;
  if (instead.kind === 'answer') {
    const { status, headers, body } = instead.answer;
    const written = writeBody([typeof body === 'string' ? body : failureText(it.parts.world, body)]);
    logRequest(it, made, status, written);
    reply.answer(status, { ...headers, ...marked }, written);
    return;
  }
  logRequest(it, made, null, null);
  if (instead.kind === 'reset') reply.reset();
  else if (instead.ms !== null) timers.setTimeout(() => reply.destroy(), instead.ms).unref();
}

function logRequest(
  it: Exchange,
  made: CallResult | null,
  status: number | null,
  answer: AnswerBody | null,
  fired: readonly string[] = [],
): void {
  it.parts.log.add({
    at: it.parts.world.clock.now(),
    method: it.request.method,
    target: it.target,
    operation: it.request.route?.operation ?? null,
    merchantId: made === null ? findCaller(it.parts.world, it.request.authorization) : made.merchantId,
    request: it.sent,
    status,
    answer,
    assumptions: made?.assumptions ?? [],
    faults: fired.length === 0 ? it.plan.fired : [...it.plan.fired, ...fired],
  });
}
