/**
 * How answers are written where the document shows two ways, or no single one. Each way is within the document, so no
 * answer is marked with these entries.
 */
import { assume } from './assumption.ts';

export const answerAssumptions = {
  'failure-data': assume({
    subject: '`data` of an answer that refuses',
    assumed: 'left out: the answer has `error`, `message` and `success` only',
    why: 'the error body is shown so; "every response has the envelope { data, error, success }", but what a failure has as `data` is not said',
    override: 'sandbox start --assume failure-data=null',
    choices: ['left-out', 'null'],
  }),
  'date-time-form': assume({
    subject: 'how a date-time is written in answers and in the `data` of events',
    assumed: 'in UTC with milliseconds: 2026-01-02T03:04:05.000Z',
    why: 'a date-time (RFC 3339) may go without a fraction and have any offset',
    override:
      'sandbox start --assume date-time-form=seconds (2026-01-02T03:04:05Z) or offset (2026-01-02T00:04:05.000-03:00)',
    choices: ['milliseconds', 'seconds', 'offset'],
  }),
  'charge-optional-field': assume({
    subject: '`customer` of a charge without one, and `phone` of the customer in a charge',
    assumed: 'null',
    why: 'both are "or null" and not required: the document allows both',
    override: 'sandbox start --assume charge-optional-field=left-out',
    choices: ['null', 'left-out'],
  }),
} as const;
