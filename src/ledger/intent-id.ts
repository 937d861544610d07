/** The id of an intent follows from its key, so that two indexes refuse a second intent. */
import { hash } from 'node:crypto';
import type { IdempotencyKey } from '../contract/brand.ts';
import type { Scope } from './intent.ts';

/** Returns a UUID (version 8, for custom values). Earlier versions of pixctl gave random ids, which stay. */
export function intentId(scope: Scope, key: IdempotencyKey): string {
  // A key is printable ASCII, so the line break ends the scope.
  const hex = hash('sha256', `${scope}\n${key}`, 'hex');
  return [
    hex.slice(0, 8),
    hex.slice(8, 12),
    `8${hex.slice(13, 16)}`,
    `8${hex.slice(17, 20)}`,
    hex.slice(20, 32),
  ].join('-');
}
