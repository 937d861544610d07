/**
 * Decides whether the answer to a call of the caller's choice means success. The document says nothing about its shape.
 */
import { failureOf, OutcomeUnknownError } from '../../api/classify.ts';
import type { Api } from '../../api/client.ts';
import { contradictsItself, envelopeOf } from '../../api/describe-reply.ts';
import type { OutgoingRequest, Reply } from '../../api/exchange.ts';
import { mayHaveTakenEffect, RefusedError } from '../../api/refusal.ts';
import { parseObject } from '../../contract/json-object.ts';
import type { PixctlError } from '../../errors.ts';

/**
 * Null for a 2xx with no body, or with a JSON body that neither says that it failed nor contradicts itself. Otherwise
 * the error.
 */
export function verdictOf(
  { method, path, body }: Pick<OutgoingRequest, 'method' | 'path' | 'body'>,
  reply: Reply,
  { baseUrl, remedies }: Pick<Api, 'baseUrl' | 'remedies'>,
  now: number,
): PixctlError | null {
  const envelope = envelopeOf(reply);
  const isEmpty = reply.body.byteLength === 0;
  const good = reply.status >= 200 && reply.status < 300;
  const saysGood = envelope !== null && envelope.success !== false && !contradictsItself(envelope);
  if (good && (isEmpty || saysGood)) return null;
  const [onlyPath = '', ...query] = path.split('?');
  const { host } = new URL(baseUrl);
  const context = {
    method,
    path: onlyPath,
    host,
    success: 200,
    now,
    remedies,
    isRaw: true,
    fields: namesIn(query.join('?'), body),
  };
  const failure = failureOf(context, reply, envelope);
  if (method === 'GET' || !makesOrRefunds(onlyPath)) return failure;
  if (!(failure instanceof RefusedError) || !mayHaveTakenEffect(failure)) return failure;
  const { why, httpStatus, serviceCode } = failure;
  return new OutcomeUnknownError(context, why, { httpStatus, serviceCode });
}

/** The names of what the query and the body hold. */
const namesIn = (query: string, body = ''): string[] => [
  ...new URLSearchParams(query).keys(),
  ...Object.keys(parseObject(body) ?? {}),
];

const makesOrRefunds = (path: string): boolean => /^\/+transparents\/+(?:create|refund)\/*$/i.test(path);
