/**
 * The columns of the delivery history. The document lists four facts (HTTP status, success, attempt, error) but names
 * none of their fields, so each is looked for under its usual names. Nothing but words depends on it.
 */
import { isObject } from '../../../contract/json-object.ts';
import type { DeliveryRecord } from '../../../contract/webhook.ts';
import type { View } from '../../../terminal/view.ts';

type Fact = 'httpStatus' | 'success' | 'attempt' | 'error';

const usualNames: Readonly<Record<Fact, readonly string[]>> = {
  httpStatus: [
    'httpStatus',
    'httpStatusCode',
    'statusCode',
    'responseStatus',
    'responseCode',
    'responseStatusCode',
  ],
  success: ['success', 'succeeded', 'successful', 'delivered', 'ok'],
  attempt: ['attempt', 'attemptNumber', 'attemptCount', 'attempts'],
  error: ['error', 'errorMessage', 'lastError', 'failedReason', 'failureReason'],
};

const isHttpStatus = (value: unknown): value is number =>
  Number.isInteger(value) && (value as number) >= 100 && (value as number) <= 599;

/** Reads one fact. A `status` that is a number is the HTTP status; one that is a word is the state. */
function factOf(one: DeliveryRecord, fact: Fact): unknown {
  const name = usualNames[fact].find((name) => one[name] !== undefined);
  if (name !== undefined) return one[name];
  return fact === 'httpStatus' && isHttpStatus(one.status) ? one.status : undefined;
}

/** Whether any of the document's four facts was found in it. */
export const isReadable = (one: DeliveryRecord): boolean =>
  (Object.keys(usualNames) as Fact[]).some((fact) => factOf(one, fact) !== undefined);

export const deliveryView: View<DeliveryRecord> = {
  name: 'delivery',
  columns: [
    { key: 'createdAt', header: 'When', kind: 'time' },
    { key: 'event', header: 'Event' },
    { key: 'eventId', header: 'Event id', kind: 'id' },
    { key: 'attempt', header: 'Attempt', value: (one) => factOf(one, 'attempt') },
    {
      key: 'status',
      header: 'State',
      value: ({ status }) => (isHttpStatus(status) ? undefined : status),
      kind: 'status',
    },
    { key: 'httpStatus', header: 'HTTP', value: (one) => factOf(one, 'httpStatus') },
    { key: 'success', header: 'Success', value: (one) => factOf(one, 'success'), detail: true },
    {
      key: 'error',
      header: 'What happened',
      kind: 'text',
      value: (one) => factOf(one, 'error'),
      text: inWords,
    },
    { key: 'id', header: 'Delivery', detail: true },
  ],
};

/** Applies the document's retry policy to one attempt, in words. Says nothing about what could not be read. */
function inWords(one: DeliveryRecord): string {
  const [success, httpStatus, attempt] = [
    factOf(one, 'success'),
    factOf(one, 'httpStatus'),
    factOf(one, 'attempt'),
  ];
  if (success === true) return 'taken';
  const told = errorText(factOf(one, 'error')) ?? (httpStatus == null ? '' : `answered ${httpStatus}`);
  if (success !== false) return told;
  const result = told || 'not taken';
  if (isHttpStatus(httpStatus) && httpStatus >= 400 && httpStatus < 500) {
    return `${result}: a 4xx is final; it is not sent again`;
  }
  if (typeof attempt === 'number' && attempt >= 3) return `${result}: the last of three attempts; given up`;
  if (one.status === 'FAILED') return `${result}: given up`;
  return typeof attempt === 'number' ? `${result}: it is sent again` : result;
}

function errorText(error: unknown): string | null {
  if (typeof error === 'string') return error;
  if (isObject(error) && typeof error.message === 'string') return error.message;
  return error === null || error === undefined ? null : JSON.stringify(error);
}
