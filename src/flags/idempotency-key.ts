/** Idempotency keys on the command line: a flag of commands that send, an argument of those that look at it later. */
import type { IdempotencyKey } from '../contract/brand.ts';
import { idempotencyKeyRule, parseIdempotencyKey } from '../contract/idempotency-key.ts';
import { usageError } from '../errors.ts';

/** Parses a key. Throws a usage error (64) that names the rule, and the flag or argument as the help calls it. */
export function parseKey(name: '--idempotency-key' | '<idempotency key>', text: string): IdempotencyKey {
  const key = parseIdempotencyKey(text);
  if (key !== null) return key;
  throw usageError(`${name} must have ${idempotencyKeyRule}. Nothing was sent.`);
}
