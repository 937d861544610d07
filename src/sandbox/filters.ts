/** Checks what a test looks for: a filter with a misspelt name would let everything match. */
import { eventNameForm } from '../contract/event-names.ts';
import { usageError } from '../errors.ts';
import type { DeliveryFilter } from './deliveries/delivery-list.ts';
import type { EventFilter } from './deliveries/event-log.ts';
import { operationNames } from './input/operation-names.ts';
import { findProblem, oneOf, type Rule, text, wholeNumber } from './input/property-rules.ts';
import type { RequestFilter } from './wire/logged-request.ts';
import { maxLoggedRequests } from './world/limits.ts';

/** No event can have a name of another form: a test that looked for one would see none, whatever happens. */
const eventName: Rule = {
  holds: (value) => typeof value === 'string' && eventNameForm.test(value),
  words: 'an upper-case event name',
};

const eventRules: Readonly<Record<keyof EventFilter, Rule>> = {
  event: eventName,
  merchantId: text,
  about: text,
  after: wholeNumber(0),
  limit: wholeNumber(1),
  order: oneOf(['oldest-first', 'newest-first']),
};

const deliveryRules: Readonly<Record<keyof DeliveryFilter, Rule>> = {
  endpoint: text,
  merchantId: text,
  event: eventName,
  eventId: text,
  eventSeq: wholeNumber(0),
  state: oneOf(['PENDING', 'DELIVERED', 'FAILED']),
  before: wholeNumber(0),
  limit: wholeNumber(1),
};

const requestRules: Readonly<Record<keyof RequestFilter, Rule>> = {
  operation: oneOf(operationNames),
  merchantId: text,
  after: wholeNumber(0),
  limit: wholeNumber(1, maxLoggedRequests),
};

/** Each returns the filter, or throws `usageError` (64) naming what is wrong. */
export const validateEventFilter = (filter: EventFilter = {}): EventFilter =>
  validateFilter(filter, eventRules, 'a filter of events');

export const validateDeliveryFilter = (filter: DeliveryFilter = {}): DeliveryFilter =>
  validateFilter(filter, deliveryRules, 'a filter of deliveries');

export const validateRequestFilter = (filter: RequestFilter = {}): RequestFilter =>
  validateFilter(filter, requestRules, 'a filter of requests');

function validateFilter<T>(filter: T, rules: Readonly<Record<string, Rule>>, what: string): T {
  const wrong = findProblem(filter, rules, what);
  if (wrong !== null) throw usageError(wrong);
  return filter;
}
