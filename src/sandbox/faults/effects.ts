/**
 * Describes every effect in one sentence, for help and lists. Apart from the schemas, so that `--help` loads no zod.
 */
import type { ApiEffect, DeliveryEffect } from './rule.ts';

export const apiEffects = {
  error: 'an error answer, before or after the effect',
  html: "a gateway's page or redirect, before or after the effect",
  'rate-limit': '429, with or without Retry-After',
  reset: 'the connection is reset, before or after the effect',
  hang: 'no answer, before or after the effect',
  latency: 'the call takes effect, and is answered, later',
  truncate: 'the JSON is cut in half, after the effect',
  'stale-cursor': 'a list cursor is refused, or leads back to the same page',
  'repeat-item': 'an item is on two pages',
  'unknown-status': 'a status that the document does not show',
  'unknown-field': 'a field that the document does not show',
} as const satisfies Record<ApiEffect['kind'], string>;

export const deliveryEffects = {
  duplicate: 'sent more than once',
  reorder: 'overtaken by the next event',
  delay: 'sent later',
  'bad-signature': 'a signature that does not match',
  'wrong-secret': 'signed with another secret',
  'stale-timestamp': 'signed with a `t` in the past',
  'future-timestamp': 'signed with a `t` in the future',
  reserialise: 'the body is serialised again after it was signed',
} as const satisfies Record<DeliveryEffect['kind'], string>;
