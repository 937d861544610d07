/** The faults in force. They live as long as the process: a sandbox that is started again behaves. */
import { isoTime } from '../../clock.ts';
import { isObject } from '../../contract/json-object.ts';
import { dataError } from '../../errors.ts';
import { didYouMean, nearest } from '../../flags/nearest.ts';
import { describeValue } from '../input/property-rules.ts';
import { describeIssues, type Issue } from '../input/validation-issues.ts';
import { type ArmedRule, arm } from './armed-rule.ts';
import { type Call, type CallPlan, noFault, planCall } from './call-plan.ts';
import {
  type AttemptPlan,
  type DeliveryCall,
  planAttempt,
  planSchedule,
  properAttempt,
  type SchedulePlan,
  undelayedSchedule,
} from './delivery-plan.ts';
import { type PresetName, presets } from './presets.ts';
import { type ApiRule, type DeliveryRule, type FaultInput, type FaultRule, faultRule } from './rule.ts';

/** A rule in force, as it is listed. */
export interface Fault {
  readonly id: string;
  readonly rule: FaultRule;
  /** ISO time; null for never. */
  readonly endsAt: string | null;
  readonly matched: number;
  readonly fired: number;
  readonly spent: boolean;
}

/** The terms of a rule other than its effect. */
export type FaultTerms = Partial<
  Omit<Extract<FaultInput, { target: 'api' }>, 'target' | 'effect' | 'preset'>
> &
  Partial<Omit<Extract<FaultInput, { target: 'delivery' }>, 'target' | 'effect' | 'preset'>>;

export interface Faults {
  /** Puts a rule in force. Throws an `Error` with the code `BAD_FAULT` for a rule that makes no sense. */
  add(rule: FaultInput): Fault;
  /**
   * Puts the rules of a preset in force, with some of their terms changed: `{ times: 2, operations: [...] }`. Throws an
   * `Error` with the code `UNKNOWN_PRESET` for a name that is not known.
   */
  preset(name: PresetName, over?: FaultTerms): Fault[];
  /** Spent ones too, the newest 100. */
  list(): Fault[];
  /** Ends one rule, or all. Returns how many ended. */
  clear(id?: string): number;
  planCall(call: Call): CallPlan;
  planSchedule(call: DeliveryCall): SchedulePlan;
  planAttempt(call: DeliveryCall): AttemptPlan;
}

/** How many spent rules are still listed. Every call is compared with each rule, and a sandbox may run for months. */
const keptSpent = 100;

/** @param now sandbox time, milliseconds since the epoch */
export function createFaults(now: () => number): Faults {
  let count = 0;
  const api: ArmedRule<ApiRule>[] = [];
  const delivery: ArmedRule<DeliveryRule>[] = [];

  const toFault = (armed: ArmedRule): Fault => ({
    id: armed.id,
    rule: armed.rule,
    endsAt: armed.endsAt === null ? null : isoTime(armed.endsAt),
    matched: armed.matched,
    fired: armed.fired,
    spent: armed.spent(now()),
  });
  /**
   * Gives each rule a seed of its own. With one seed, two rules would strike the same calls, or one always right after
   * the other.
   */
  const withSeed = (input: FaultInput): FaultInput => {
    if (!isObject(input) || input.seed !== undefined) return input;
    const taken = new Set([...api, ...delivery].map(({ rule }) => rule.seed));
    let seed = 1;
    while (taken.has(seed)) seed += 1;
    return { ...input, seed };
  };
  const add = (input: FaultInput): Fault => {
    const parsed = faultRule().safeParse(withSeed(input));
    if (!parsed.success) throw badFaultError(parsed.error.issues as Issue[], input);
    for (const rules of [api, delivery]) forgetSpent(rules, now());
    count += 1;
    const id = `fault_${count}`;
    const rule = parsed.data;
    if (rule.target === 'api') {
      const armed = arm(id, rule, now());
      api.push(armed);
      return toFault(armed);
    }
    const armed = arm(id, rule, now());
    delivery.push(armed);
    return toFault(armed);
  };

  return {
    add,
    preset: (name, over = {}) => presetRules(name).map((rule) => add({ ...rule, ...over } as FaultInput)),
    list: () => [...api, ...delivery].map(toFault),
    clear: (id) => remove(api, id) + remove(delivery, id),
    planCall: (call) => (api.length === 0 ? noFault : planCall(api, call, now())),
    planSchedule: (call) => (delivery.length === 0 ? undelayedSchedule : planSchedule(delivery, call, now())),
    planAttempt: (call) => (delivery.length === 0 ? properAttempt : planAttempt(delivery, call, now())),
  };
}

/** Forgets all spent rules but the newest. */
function forgetSpent(rules: ArmedRule[], now: number): void {
  const forgotten = new Set(rules.filter((armed) => armed.spent(now)).slice(0, -keptSpent));
  if (forgotten.size === 0) return;
  rules.splice(0, rules.length, ...rules.filter((armed) => !forgotten.has(armed)));
}

function remove(rules: ArmedRule[], id: string | undefined): number {
  const left = id === undefined ? [] : rules.filter((armed) => armed.id !== id);
  return rules.splice(0, rules.length, ...left).length - left.length;
}

const badFaultError = (issues: readonly Issue[], rule: unknown) =>
  dataError(
    'BAD_FAULT',
    `this fault rule is not understood: ${describeIssues(issues.map(anyNumber), rule, 'body')}`,
    'pixctl help sandbox fault add lists the effects, and what goes with each',
  );

/** Corrects the words for a probability: those of the contract say that a number is whole. */
const anyNumber = (issue: Issue): Issue =>
  issue.path.at(-1) === 'probability' && issue.expected === 'number'
    ? { ...issue, expected: 'a number' }
    : issue;

/** Returns the rules of a preset, each marked with its name. Throws `dataError` for what is none. */
function presetRules(name: unknown): FaultInput[] {
  if (!isPresetName(name)) {
    const known = Object.keys(presets);
    const meant = typeof name === 'string' ? nearest(name, known) : undefined;
    // In the message, because a test that fails shows nothing else.
    throw dataError(
      'UNKNOWN_PRESET',
      `there is no fault preset ${describeValue(name)}${didYouMean(meant)} There are ${known.join(', ')}`,
    );
  }
  return presets[name].rules.map((rule) => ({ ...rule, preset: name }) as FaultInput);
}

const isPresetName = (name: unknown): name is PresetName =>
  typeof name === 'string' && Object.hasOwn(presets, name);
