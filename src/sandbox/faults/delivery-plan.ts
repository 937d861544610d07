/** Decides what the faults in force do to one delivery: when it leaves, how it is signed, what is sent. */
import type { ArmedRule } from './armed-rule.ts';
import type { DeliveryRule } from './rule.ts';

/** Decided for each attempt, just before it is sent. */
export interface AttemptPlan {
  readonly fired: readonly string[];
  /** How many more copies of the same request to send within the attempt. */
  readonly copies: number;
  readonly signature: 'right' | 'bad' | 'wrong-secret';
  /** Added to `t`, in seconds. */
  readonly skewSeconds: number;
  readonly reserialise: boolean;
}

/** Decided once, when the delivery is created. */
export interface SchedulePlan {
  /** Sandbox milliseconds before the first attempt. */
  readonly delayMs: number;
  /** Whether the endpoint's next event releases it earlier. */
  readonly releasedByNext: boolean;
}

export interface DeliveryCall {
  readonly event: string;
  readonly endpoint: string;
  /** Whether an earlier event of the endpoint is held back already. Only one is, or their order would be kept. */
  readonly holding?: boolean;
}

export const properAttempt: AttemptPlan = {
  fired: [],
  copies: 0,
  signature: 'right',
  skewSeconds: 0,
  reserialise: false,
};
export const undelayedSchedule: SchedulePlan = { delayMs: 0, releasedByNext: false };

export function planSchedule(
  rules: readonly ArmedRule<DeliveryRule>[],
  call: DeliveryCall,
  now: number,
): SchedulePlan {
  let plan = undelayedSchedule;
  for (const armed of rules) {
    const { effect } = armed.rule;
    if (effect.kind !== 'delay' && effect.kind !== 'reorder') continue;
    if (effect.kind === 'reorder' && call.holding) continue;
    if (!matches(armed.rule, call) || !armed.tryFire(now)) continue;
    plan = {
      delayMs: plan.delayMs + effect.ms,
      releasedByNext: plan.releasedByNext || effect.kind === 'reorder',
    };
  }
  return plan;
}

export function planAttempt(
  rules: readonly ArmedRule<DeliveryRule>[],
  call: DeliveryCall,
  now: number,
): AttemptPlan {
  let plan = properAttempt;
  for (const armed of rules) {
    const { effect } = armed.rule;
    if (effect.kind === 'delay' || effect.kind === 'reorder') continue;
    if (!matches(armed.rule, call) || !armed.tryFire(now)) continue;
    plan = { ...plan, ...change(plan, effect), fired: [...plan.fired, armed.id] };
  }
  return plan;
}

const matches = (rule: DeliveryRule, call: DeliveryCall): boolean =>
  (rule.events === null || rule.events.includes(call.event)) &&
  (rule.endpoint === null || rule.endpoint === call.endpoint);

function change(plan: AttemptPlan, effect: DeliveryRule['effect']): Partial<AttemptPlan> {
  switch (effect.kind) {
    case 'duplicate':
      return { copies: plan.copies + effect.copies };
    case 'bad-signature':
      return { signature: 'bad' };
    case 'wrong-secret':
      return { signature: 'wrong-secret' };
    case 'stale-timestamp':
      return { skewSeconds: -effect.seconds };
    case 'future-timestamp':
      return { skewSeconds: effect.seconds };
    case 'reserialise':
      return { reserialise: true };
    case 'delay':
    case 'reorder':
      return {};
  }
}
