/**
 * What the document does not show (its "not shown" passages), written down once. The sandbox marks each answer that
 * rests on an entry with `X-Sandbox-Assumption: <id>`; in the client, no entry decides about money. `choices[0]` is the
 * sandbox's default; `--undocumented=random` draws another.
 */
import { answerAssumptions } from './assumptions/answers.ts';
import { assume } from './assumptions/assumption.ts';
import { webhookAssumptions } from './assumptions/webhooks.ts';
import { withdrawalAssumptions } from './assumptions/withdrawals.ts';

export type { Assumption } from './assumptions/assumption.ts';

export const assumptions = {
  ...answerAssumptions,
  'check-shape': assume({
    subject: '`data` of GET /transparents/check',
    assumed: 'a Charge',
    why: 'the document calls it "reads a charge on demand" and defines one Charge resource',
    override: 'sandbox start --assume check-shape=without-code',
    choices: ['charge', 'without-code'],
  }),
  'charge-check-order': assume({
    subject:
      'which refusal is reported when a charge is refused both for what the merchant may charge and for its customer',
    assumed:
      'the merchant and the amount (400) before the customer (404); anything that fails validation is reported before either',
    why: 'the rules are numbered in this order, except for validation; the document does not say that they are checked in it',
    override: 'sandbox start --assume charge-check-order=customer-first',
    choices: ['as-numbered', 'customer-first'],
  }),
  'refund-shape': assume({
    subject: '`data` of POST /transparents/refund',
    assumed: 'the charge, now REFUNDED',
    why: 'the call creates nothing and answers 200; the fields of a refund record are not shown',
    override: 'sandbox start --assume refund-shape=record',
    choices: ['charge', 'record'],
  }),
  'refund-refused-code': assume({
    subject: 'the code when a refund cannot be made',
    assumed: '400 BAD_REQUEST',
    why: 'BAD_REQUEST is "business rule violated"',
    override: 'sandbox start --assume refund-refused-code=409:CONFLICT',
    choices: ['400:BAD_REQUEST', '409:CONFLICT', '403:FORBIDDEN'],
  }),
  'refund-completion': assume({
    subject: 'when a charge whose refund was answered 200 is REFUNDED, and REFUND_COMPLETED is sent',
    assumed: 'at once: the answer comes after both',
    why: 'the document names no state between PAID and REFUNDED; its event, though, says that "a refund completes"',
    override:
      'sandbox start --assume refund-completion=<seconds>s: the money leaves at once, the rest follows',
    choices: ['at-once', '5s'],
  }),
  'refund-balance': assume({
    subject: 'a refund when the available balance is smaller than the charge',
    assumed: 'it cannot be made (code: refund-refused-code)',
    why: 'a refund sends money out, and only available money can be sent',
    override: 'sandbox start --assume refund-balance=overdraw',
    choices: ['refuse', 'overdraw'],
  }),
  'charge-credit': assume({
    subject: 'what a paid charge adds to the balance, and when',
    assumed: 'its whole amount, to available, at once; a refund takes the same away',
    why: 'no fee on charges and no settlement time are shown',
    override: 'pixctl sandbox merchant set --available <cents>',
    choices: ['whole-at-once'],
  }),
  'foreign-record': assume({
    subject: 'a charge, customer, withdrawal or webhook endpoint of another merchant, asked for by its id',
    assumed: '404 NOT_FOUND, as if there were none',
    why: 'that is the answer for a `customerId` of another merchant in a charge; 403 would reveal that the record exists',
    override: 'sandbox start --assume foreign-record=403:FORBIDDEN',
    choices: ['404:NOT_FOUND', '403:FORBIDDEN'],
  }),
  'list-shape': assume({
    subject: 'items of GET /transparents/list',
    assumed: 'Charges as in the other answers',
    why: 'one Charge resource is defined',
    override: 'sandbox start --assume list-shape=without-code',
    choices: ['charge', 'without-code'],
  }),
  'list-order': assume({
    subject: 'the order of lists',
    assumed: 'newest first',
    why: 'usual for cursor lists of records; nothing in the client depends on it',
    override: 'sandbox start --assume list-order=oldest-first',
    choices: ['newest-first', 'oldest-first'],
  }),
  'list-lag': assume({
    subject: 'when a charge or a withdrawal that was created is in its list',
    assumed: 'at once: it is in the first list that is asked for after the answer',
    why: 'no delay is mentioned, but lists are often read from a copy of the records, which may be behind',
    override: 'sandbox start --assume list-lag=<seconds>s',
    choices: ['none', '2s'],
  }),
  'bad-cursor-code': assume({
    subject: 'the answer to a cursor that is malformed, or to `after` together with `before`',
    assumed: '400 VALIDATION_ERROR',
    why: 'a query parameter failed validation',
    override: 'sandbox start --assume bad-cursor-code=400:BAD_REQUEST',
    choices: ['400:VALIDATION_ERROR', '400:BAD_REQUEST'],
  }),
  'has-more-backwards': assume({
    subject: '`hasMore` of a page that was asked for with `before`',
    assumed: 'whether more pages exist in the direction of travel',
    why: '"true while more pages exist": a loop over `before` must end too; `next` and `before` are exact in both',
    override: 'sandbox start --assume has-more-backwards=forward',
    choices: ['travel', 'forward'],
  }),
  'unknown-query': assume({
    subject: 'a query parameter that the document does not list',
    assumed: '400 VALIDATION_ERROR',
    why: 'a filter that is silently ignored is worse than one that is refused',
    override: 'sandbox start --assume unknown-query=ignore',
    choices: ['refuse', 'ignore'],
  }),
  'extra-property': assume({
    subject:
      'a property that the document does not list, in the body of POST /withdrawals or POST /webhooks, or in one that is sent with POST /transparents/refund',
    assumed: '400 VALIDATION_ERROR, as for charges',
    why: 'the document says only of POST /transparents/create that no other properties are allowed',
    override: 'sandbox start --assume extra-property=ignore',
    choices: ['refuse', 'ignore'],
  }),
  'description-length': assume({
    subject: 'what the 140 characters of a description are counted in',
    assumed: 'Unicode code points: an emoji is one, as JSON Schema counts',
    why: 'the document says "characters"; it matters only to text beyond the basic plane; the client counts so too',
    override: 'sandbox start --assume description-length=utf-16',
    choices: ['code-points', 'utf-16'],
  }),
  'expired-transition': assume({
    subject: 'how a charge becomes EXPIRED, and whether it can be paid then',
    assumed: 'when expiresAt has passed with no payment; no event is sent; it cannot be paid any more',
    why: 'the meaning of EXPIRED is given, its transition is not; CHARGE_EXPIRED is sent by nothing',
    override: 'pixctl sandbox expire <charge>; sandbox start --assume expired-transition=still-payable',
    choices: ['at-expires-at', 'never', 'still-payable'],
  }),
  'disputed-transition': assume({
    subject: 'how a charge becomes DISPUTED and leaves it',
    assumed: 'only by hand, from PAID; a disputed charge cannot be refunded; no event is sent',
    why: 'not shown',
    override: 'pixctl sandbox dispute <charge>',
    choices: ['by-hand'],
  }),
  'customer-create': assume({
    subject: 'how customers are created, listed, changed and removed',
    assumed: 'not served; the control plane does it',
    why: 'paths and payloads are not shown',
    override: 'pixctl sandbox customer add|remove',
    choices: ['control-plane'],
  }),
  'customer-without-phone': assume({
    subject: '`phone` of GET /customers/{id} where the customer has none',
    assumed: 'null, as in the summary inside a charge',
    why: 'the document says "string" here, and "string or null" there',
    override: 'sandbox start --assume customer-without-phone=left-out',
    choices: ['null', 'left-out'],
  }),
  'removed-customer': assume({
    subject: '`customer` of a charge whose customer was removed since',
    assumed: 'the summary stays, in answers and in events',
    why: 'the document says of a removed customer only that get customer no longer returns it',
    override: 'sandbox start --assume removed-customer=null',
    choices: ['kept', 'null'],
  }),
  'hosted-checkout': assume({
    subject: 'the hosted checkout: its cart, payment page and links',
    assumed: 'not served; its events CHECKOUT_PAID and CHECKOUT_REFUNDED are made by hand',
    why: 'the document says of its interface only that it is not shown',
    override: 'pixctl sandbox emit <EVENT> --data <json>',
    choices: ['by-hand'],
  }),
  ...withdrawalAssumptions,
  ...webhookAssumptions,
  'rate-limit': assume({
    subject: 'rate limit thresholds and window',
    assumed: 'none; 429 only by fault',
    why: 'not shown',
    override: 'pixctl sandbox fault add --preset rate-limited',
    choices: ['none'],
  }),
  'unknown-route': assume({
    subject: 'the answer to a route or verb that the document does not show',
    assumed: '404 NOT_FOUND in the envelope',
    why: '404 is "resource not found"; no 405 is documented',
    override: 'sandbox start --assume unknown-route=400:BAD_REQUEST',
    choices: ['404:NOT_FOUND', '400:BAD_REQUEST'],
  }),
  'body-syntax-code': assume({
    subject: 'the answer to a body that is not JSON, is compressed, has another content type or is too large',
    assumed: '400 VALIDATION_ERROR; a charset beside the content type changes nothing: JSON is UTF-8',
    why: 'body failed validation; no 413 or 415 is documented, nor any content coding',
    override: 'sandbox start --assume body-syntax-code=400:BAD_REQUEST',
    choices: ['400:VALIDATION_ERROR', '400:BAD_REQUEST'],
  }),
  'dashboard-token': assume({
    subject: 'the JWT of the dashboard login',
    assumed: 'not accepted: 401 UNAUTHORIZED',
    why: 'the document calls it internal use; a sandbox has no dashboard that could give one',
    override: 'none: it takes an API key',
    choices: ['refuse'],
  }),
  'new-merchant': assume({
    subject: 'what a new merchant may do',
    assumed:
      'charges and withdrawals are enabled, a PIX key is active, and its tickets are the bounds of every charge',
    why: 'the attributes are shown, their values at the start are not',
    override:
      'pixctl sandbox merchant set --charges-enabled false --pix-key none --min-ticket <cents> --max-ticket <cents> --withdrawals-enabled false',
    choices: ['all-enabled'],
  }),
  'initial-balance': assume({
    subject: "a new merchant's balance",
    assumed: 'R$ 0,00 available',
    why: 'not shown',
    override: 'pixctl sandbox merchant set --available <cents>',
    choices: ['0'],
  }),
} as const;

export type AssumptionId = keyof typeof assumptions;
