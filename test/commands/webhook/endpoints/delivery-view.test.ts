/** What is said of one attempt in the deliveries history (document: "Retry policy"). */
import { describe, expect, it } from 'vitest';
import { deliveryView, isReadable } from '../../../../src/commands/webhook/endpoints/delivery-view.ts';
import type { DeliveryRecord } from '../../../../src/contract/webhook.ts';

const column = deliveryView.columns.find(({ key }) => key === 'error');
const said = (one: DeliveryRecord) => column?.text?.(one);

describe('what happened to an attempt', () => {
  it.each<[DeliveryRecord, string]>([
    [{ success: true, httpStatus: 204, attempt: 1, error: null }, 'taken'],
    [
      { success: false, httpStatus: 400, attempt: 1, error: 'HTTP 400' },
      'HTTP 400: a 4xx is final; it is not sent again',
    ],
    [
      { success: false, httpStatus: 499, attempt: 1, error: null },
      'answered 499: a 4xx is final; it is not sent again',
    ],
    [{ success: false, httpStatus: 399, attempt: 1, error: null }, 'answered 399: it is sent again'],
    [{ success: false, httpStatus: 500, attempt: 2, error: 'HTTP 500' }, 'HTTP 500: it is sent again'],
    [
      { success: false, httpStatus: null, attempt: 3, error: 'no answer within 10 s' },
      'no answer within 10 s: the last of three attempts; given up',
    ],
    [
      { success: false, status: 'FAILED', httpStatus: 302, attempt: 1, error: 'HTTP 302' },
      'HTTP 302: given up',
    ],
    [{ success: false, httpStatus: 500 }, 'answered 500'],
    [{ httpStatus: 200 }, 'answered 200'],
    [{ succeeded: true }, 'taken'],
    [
      { delivered: false, statusCode: 404, attemptNumber: 1 },
      'answered 404: a 4xx is final; it is not sent again',
    ],
    [{ success: false, attempt: 1, lastError: { message: 'reset' } }, 'reset: it is sent again'],
    [{ success: false, attempt: 1, error: { code: 7 } }, '{"code":7}: it is sent again'],
    [{ success: false, status: 503, attempt: 1 }, 'answered 503: it is sent again'],
    [{ success: false, attempt: 1, error: '' }, 'not taken: it is sent again'],
    [{ success: false, attempt: 3 }, 'not taken: the last of three attempts; given up'],
    [{}, ''],
  ])('of %j is "%s"', (one, words) => {
    expect(said(one)).toBe(words);
  });

  it('is not read from a record that has none of the four facts under a usual name', () => {
    expect([
      isReadable({ outcome: 'ok' }),
      isReadable({ status: 'FAILED' }),
      isReadable({ status: 500 }),
    ]).toEqual([false, false, true]);
  });
});

it.each<[unknown, unknown, unknown]>([
  ['FAILED', 'FAILED', undefined],
  [100, undefined, 100],
  [599, undefined, 599],
  [99, 99, undefined],
  [600, 600, undefined],
  [200.5, 200.5, undefined],
])('a status of %j is the state %j and the HTTP status %j', (given, state, httpStatus) => {
  const shown = (wanted: string) =>
    deliveryView.columns.find(({ key }) => key === wanted)?.value?.({ status: given });
  expect([shown('status'), shown('httpStatus')]).toEqual([state, httpStatus]);
});
