/** Idempotency keys on the command line: a flag of what sends, an argument of what looks at it later. */
import type { IdempotencyKey } from '../contract/brand.ts';
import { idempotencyKeyRule, parseIdempotencyKey } from '../contract/idempotency-key.ts';
import { usageError } from '../errors.ts';

/** Throws a usage error (64) that names the rule, and the flag or the argument as the help calls it. */
export function parseKey(name: '--idempotency-key' | '<idempotency key>', text: string): IdempotencyKey {
  const key = parseIdempotencyKey(text);
  if (key !== null) return key;
  throw usageError(`${name} must have ${idempotencyKeyRule}. Nothing was sent.`);
}
