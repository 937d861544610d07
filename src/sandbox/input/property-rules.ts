/**
 * Checks what a test passes in as strictly as the control plane checks JSON. Types do not reach a JavaScript test,
 * where a misspelt name would be ignored and the test would prove something else. Written by hand rather than as a
 * schema, because a start waits for it.
 */
import { isObject } from '../../contract/json-object.ts';
import { nearest } from '../../flags/nearest.ts';

export interface Rule {
  holds(value: unknown): boolean;
  /** What it must be, in words. */
  readonly words: string;
}

export const wholeNumber = (min: number, max: number = Number.MAX_SAFE_INTEGER): Rule => ({
  holds: (value) => Number.isSafeInteger(value) && Number(value) >= min && Number(value) <= max,
  words:
    max === Number.MAX_SAFE_INTEGER
      ? `a whole number from ${min} on`
      : `a whole number from ${min} to ${max}`,
});

export const oneOf = (values: readonly string[]): Rule => ({
  holds: (value) => values.some((known) => known === value),
  words: values.map((value) => JSON.stringify(value)).join(' or '),
});

export const text: Rule = { holds: (value) => typeof value === 'string', words: 'a string' };
export const textOf = (min: number, max: number): Rule => ({
  holds: (value) => typeof value === 'string' && value.length >= min && value.length <= max,
  words: `a string of ${min} to ${max} characters`,
});
export const nonEmptyString: Rule = {
  holds: (value) => typeof value === 'string' && value !== '',
  words: 'a string that is not empty',
};
export const flag: Rule = { holds: (value) => typeof value === 'boolean', words: 'true or false' };
export const callback: Rule = { holds: (value) => typeof value === 'function', words: 'a function' };
export const anObject: Rule = { holds: isObject, words: 'an object' };
export const orNull = (rule: Rule): Rule => ({
  holds: (value) => value === null || rule.holds(value),
  words: `${rule.words} or null`,
});

/** Returns the first thing wrong with it, `name: problem`, or null. An undefined property counts as left out. */
export function findProblem(
  given: unknown,
  rules: Readonly<Record<string, Rule>>,
  what: string,
): string | null {
  if (!isObject(given)) return `${what} must be ${anObject.words}, not ${describeValue(given)}`;
  for (const [name, value] of Object.entries(given)) {
    const rule = Object.hasOwn(rules, name) ? rules[name] : undefined;
    if (rule === undefined) {
      const meant = nearest(name, Object.keys(rules));
      return `${name}: is not known in ${what}; ${meant === undefined ? `it takes ${Object.keys(rules).join(', ')}` : `did you mean ${meant}?`}`;
    }
    if (value !== undefined && !rule.holds(value))
      return `${name}: must be ${rule.words}, not ${describeValue(value)}`;
  }
  return null;
}

/** Returns what was given, shortened, whatever it is. */
export function describeValue(value: unknown): string {
  if (typeof value === 'string')
    return JSON.stringify(value.length > 40 ? `${value.slice(0, 40)}...` : value);
  if (Array.isArray(value)) return 'an array';
  return typeof value === 'object' && value !== null ? 'an object' : String(value);
}

/** Drops undefined properties, which count as left out. */
export const withoutUndefined = <T extends object>(given: T): T =>
  Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)) as T;
