/** Decides what the faults in force do to one call of the API, once, before the handler runs. */
import type { OperationName } from '../../contract/operations.ts';
import { reasonOf } from '../../plain/answer.ts';
import type { ArmedRule } from './armed-rule.ts';
import { type Answer, rewrite } from './rewrite.ts';
import { type ApiEffect, type ApiRule, codeFor } from './rule.ts';

/** What takes the place of the proper answer. */
export type Substitute =
  | { readonly kind: 'answer'; readonly answer: RawAnswer }
  /** The connection is destroyed. */
  | { readonly kind: 'reset' }
  /** Nothing is answered. The connection is closed after `ms` of real time, or left to the client. */
  | { readonly kind: 'hang'; readonly ms: number | null };

interface RawAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** Text as it is, or a refusal for the service's envelope. */
  readonly body: string | { readonly code: string; readonly message: string };
}

export interface CallPlan {
  /** Ids of the rules that fired on the call, for the request log. */
  readonly fired: readonly string[];
  /** Real milliseconds to wait first. */
  readonly latencyMs: number;
  /** Replaces the handler: nothing takes effect. */
  readonly before: Substitute | null;
  /** Replaces the answer: the handler's effect is committed. */
  readonly after: Substitute | null;
  /** Send only the first half of the answer's bytes, then close. */
  readonly truncate: boolean;
  /** Changes the proper answer if it was a success. Call it once, because it counts what it could act on. */
  readonly rewrite: (answer: Answer) => Rewritten;
}

interface Rewritten extends Answer {
  /** Ids of the rules that fired on this answer. */
  readonly fired: readonly string[];
}

export interface Call {
  readonly operation: OperationName | null;
  readonly query: Readonly<Record<string, unknown>>;
}

const unchanged = (answer: Answer): Rewritten => ({ ...answer, fired: [] });
export const noFault: CallPlan = {
  fired: [],
  latencyMs: 0,
  before: null,
  after: null,
  truncate: false,
  rewrite: unchanged,
};

/**
 * Combines the rules that match: waits add up, rewrites chain, and the first substitute wins while later ones are not
 * used up. Whatever changes the answer is decided once there is one: until then nobody knows whether there is anything
 * to change.
 */
export function planCall(rules: readonly ArmedRule<ApiRule>[], call: Call, now: number): CallPlan {
  let plan = noFault;
  for (const armed of rules) {
    const { effect } = armed.rule;
    const role = roleOf(effect);
    if (!matches(armed.rule, call) || (role === 'substitutes' && hasSubstitute(plan))) continue;
    if (role === 'rewrites') plan = { ...plan, rewrite: chainRewrite(plan.rewrite, armed, call, now) };
    else if (armed.tryFire(now)) plan = { ...add(plan, effect, call), fired: [...plan.fired, armed.id] };
  }
  return plan;
}

/** Chains a rewrite. An answer that the effect leaves unchanged counts as no match. */
function chainRewrite(earlier: CallPlan['rewrite'], armed: ArmedRule<ApiRule>, call: Call, now: number) {
  return (answer: Answer): Rewritten => {
    const before = earlier(answer);
    const changed = rewrite(before, armed.rule.effect, call, armed.memory);
    if (changed === before || !armed.tryFire(now)) return before;
    return { ...changed, fired: [...before.fired, armed.id] };
  };
}

const hasSubstitute = (plan: CallPlan): boolean =>
  plan.before !== null || plan.after !== null || plan.truncate;

/** What an effect does to the answer: it comes later, something else takes its place, or it is changed. */
function roleOf(effect: ApiEffect): 'delays' | 'substitutes' | 'rewrites' {
  switch (effect.kind) {
    case 'latency':
      return 'delays';
    case 'error':
    case 'html':
    case 'rate-limit':
    case 'reset':
    case 'hang':
    case 'truncate':
      return 'substitutes';
    case 'stale-cursor':
      return refusesCursor(effect) ? 'substitutes' : 'rewrites';
    case 'repeat-item':
    case 'unknown-status':
    case 'unknown-field':
      return 'rewrites';
  }
}

const refusesCursor = (effect: ApiEffect): boolean =>
  effect.kind === 'stale-cursor' && effect.mode === 'refuse';

function matches(rule: ApiRule, call: Call): boolean {
  if (rule.operations !== null && (call.operation === null || !rule.operations.includes(call.operation))) {
    return false;
  }
  const paged = typeof call.query.after === 'string' || typeof call.query.before === 'string';
  return !refusesCursor(rule.effect) || paged;
}

function add(plan: CallPlan, effect: ApiEffect, call: Call): CallPlan {
  switch (effect.kind) {
    case 'latency':
      return { ...plan, latencyMs: plan.latencyMs + effect.ms };
    case 'truncate':
      return { ...plan, truncate: true };
    case 'rate-limit':
      return { ...plan, before: failure(429, 'RATE_LIMITED', 'request limit exceeded', effect.retryAfter) };
    case 'error': {
      const code = effect.code ?? codeFor(effect.status);
      return {
        ...plan,
        [effect.when]: failure(effect.status, code, effect.message ?? wordsFor(code)),
      };
    }
    case 'html':
      return { ...plan, [effect.when]: { kind: 'answer', answer: gatewayAnswer(effect) } };
    case 'reset':
      return { ...plan, [effect.when]: { kind: 'reset' } };
    case 'hang':
      return { ...plan, [effect.when]: { kind: 'hang', ms: effect.ms } };
    case 'stale-cursor': {
      const field = typeof call.query.after === 'string' ? 'after' : 'before';
      const message = `${field}: this cursor is no longer valid`;
      return { ...plan, before: failure(400, 'VALIDATION_ERROR', message) };
    }
    case 'repeat-item':
    case 'unknown-status':
    case 'unknown-field':
      return plan;
  }
}

/** Returns the message for a code. A refusal with the code of a server error is worded as a server error. */
const wordsFor = (code: string): string =>
  code === 'INTERNAL_ERROR' ? 'unexpected server error' : `refused with ${code} by a fault of the sandbox`;

function failure(
  status: number,
  code: string,
  message: string,
  retryAfter: number | null = null,
): Substitute {
  const headers: Record<string, string> = { 'content-type': 'application/json' };
  if (retryAfter !== null) headers['retry-after'] = String(retryAfter);
  return { kind: 'answer', answer: { status, headers, body: { code, message } } };
}

type Gateway = Extract<ApiEffect, { kind: 'html' }>;

function gatewayAnswer({ status, body, location }: Gateway): RawAnswer {
  const title = `${status} ${reasonOf(status)}`;
  const page = `<html><head><title>${title}</title></head><body><center><h1>${title}</h1></center></body></html>`;
  return {
    status,
    headers: {
      'content-type': body !== undefined && isJson(body) ? 'application/json' : 'text/html',
      ...(location === undefined ? {} : { location }),
    },
    body: body ?? page,
  };
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
