/**
 * Checks what a test passes in, whether its sandbox is in this process or in another one. In a JavaScript test, without
 * types, anything may be undefined by mistake.
 */
import { usageError } from '../errors.ts';
import { parseDuration } from '../flags/duration.ts';
import type { EventFilter } from './deliveries/event-log.ts';
import { validateEventFilter } from './filters.ts';
import { anObject, describeValue, type Rule, text, textOf, wholeNumber } from './input/property-rules.ts';
import { Refusal } from './rules/refusal.ts';
import { longestAdvanceMs, maxReasonLength } from './world/limits.ts';

/**
 * Returns milliseconds. Throws `usageError` (64): moving by something that is not a number would break the clock for
 * good, and text without a unit could mean the seconds of the command line or milliseconds.
 */
export function parseAdvance(by: number | string): number {
  const ms = typeof by === 'string' && /^\d{1,10}[smhd]$/.test(by) ? parseDuration(by) : by;
  const { holds, words } = wholeNumber(0, longestAdvanceMs);
  if (typeof ms === 'number' && holds(ms)) return ms;
  throw usageError(
    `clock.advance takes ${words} (milliseconds), or a duration like '24h', not ${describeValue(by)}`,
  );
}

/** @param what the words for it: `the id of a charge` */
function requireText(value: unknown, what: string, { holds, words }: Rule = text): string {
  if (typeof value === 'string' && holds(value)) return value;
  throw new Refusal('VALIDATION_ERROR', `${what} must be ${words}, not ${describeValue(value)}`);
}
export const requireChargeId = (id: unknown): string => requireText(id, 'the id of a charge');
export const requireWithdrawalId = (id: unknown): string => requireText(id, 'the id of a withdrawal');
export const requireCustomerId = (id: unknown): string => requireText(id, 'the id of a customer');
export const requireKey = (key: unknown): string => requireText(key, 'an API key');
export const requireReason = (reason: unknown): string =>
  requireText(reason, 'the reason of a failure', textOf(1, maxReasonLength));

/** @param what the words for it: `a customer` */
export function requireObject<T extends object>(given: T, what: string): T {
  if (anObject.holds(given)) return given;
  throw new Refusal('VALIDATION_ERROR', `${what} must be ${anObject.words}, not ${describeValue(given)}`);
}

/** Returns the filter for what to wait for: `undefined`, which a misspelt name may be, would match any event. */
export function requireWantedEvent(wanted: string | EventFilter): EventFilter {
  if (wanted !== undefined)
    return validateEventFilter(typeof wanted === 'string' ? { event: wanted } : wanted);
  throw usageError("waitForEvent takes an event's name or a filter ({} for any event), not undefined");
}

export function requireSnapshotBytes(bytes: Uint8Array): Uint8Array {
  // Not by `instanceof`, because a test runner may run each file in a realm of its own.
  if (ArrayBuffer.isView(bytes)) return bytes;
  throw usageError(`restore takes the bytes of a snapshot, a Uint8Array, not ${describeValue(bytes)}`);
}
