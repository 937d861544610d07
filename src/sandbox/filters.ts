/** Checks what a test looks for: a filter with a misspelt name would let everything match. */
import { eventNameForm } from '../contract/event.ts';
import { usageError } from '../errors.ts';
import type { DeliveryFilter } from './deliveries/delivery-list.ts';
import type { EventFilter } from './deliveries/event-log.ts';
import { oneOf, type Rule, text, whole, wrongIn } from './input/given.ts';

/** No event can have a name of another form: a test that looked for one would see none, whatever happens. */
const eventName: Rule = {
  holds: (value) => typeof value === 'string' && eventNameForm.test(value),
  words: 'an upper-case event name',
};

const eventRules: Readonly<Record<keyof EventFilter, Rule>> = {
  event: eventName,
  merchantId: text,
  about: text,
  after: whole(0),
  limit: whole(1),
  order: oneOf(['oldest-first', 'newest-first']),
};

const deliveryRules: Readonly<Record<keyof DeliveryFilter, Rule>> = {
  endpoint: text,
  event: eventName,
  eventId: text,
  eventSeq: whole(0),
  state: oneOf(['PENDING', 'DELIVERED', 'FAILED']),
  before: whole(0),
  limit: whole(1),
};

/** Each returns the filter, or throws `usageError` (64) naming what is wrong. */
export const eventFilter = (filter: EventFilter = {}): EventFilter =>
  judged(filter, eventRules, 'a filter of events');

export const deliveryFilter = (filter: DeliveryFilter = {}): DeliveryFilter =>
  judged(filter, deliveryRules, 'a filter of deliveries');

function judged<T>(filter: T, rules: Readonly<Record<string, Rule>>, what: string): T {
  const wrong = wrongIn(filter, rules, what);
  if (wrong !== null) throw usageError(wrong);
  return filter;
}
