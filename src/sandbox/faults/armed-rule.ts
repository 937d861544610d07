/** A rule in force: counts its matches, draws its luck, spends its budget. */
import { createIds } from '../world/ids.ts';
import type { FaultRule } from './rule.ts';

/** What a rule must remember from one answer to the next. */
export interface Memory {
  /** The last item of each page, by the cursor that leads to the next page. */
  readonly lastItems: Map<string, unknown>;
}

export interface ArmedRule<Rule extends FaultRule = FaultRule> {
  readonly id: string;
  readonly rule: Rule;
  /** Sandbox time at which it ends; null for never. */
  readonly endsAt: number | null;
  /** How often it matched, and how often it then fired. */
  readonly matched: number;
  readonly fired: number;
  readonly memory: Memory;
  /** Counts one match. True if the effect is to happen. */
  tryFire(now: number): boolean;
  /** Whether it can never fire again. */
  spent(now: number): boolean;
}

export function arm<Rule extends FaultRule>(id: string, rule: Rule, now: number): ArmedRule<Rule> {
  const luck = createIds(String(rule.seed));
  const endsAt = rule.forMs === undefined ? null : now + rule.forMs;
  let matched = 0;
  let fired = 0;
  const spent = (at: number): boolean =>
    (endsAt !== null && at >= endsAt) ||
    (rule.times !== undefined && fired >= rule.times) ||
    (rule.nth !== undefined && matched >= rule.nth);
  return {
    id,
    rule,
    endsAt,
    memory: { lastItems: new Map() },
    get matched() {
      return matched;
    },
    get fired() {
      return fired;
    },
    tryFire(at) {
      if (spent(at)) return false;
      matched += 1;
      if (rule.nth !== undefined && matched !== rule.nth) return false;
      if (rule.probability !== undefined && luck.fraction() >= rule.probability) return false;
      fired += 1;
      return true;
    },
    spent,
  };
}
