/** What the document does not show of withdrawals. */
import { assume } from './assumption.ts';

export const withdrawalAssumptions = {
  'withdrawal-id': assume({
    subject: 'the id field of a withdrawal record',
    assumed: '`id`, form wd_<id>',
    why: 'GET /withdrawals/{id} takes an id, so a record must carry one',
    override: 'sandbox start --assume withdrawal-id=number (or other-name: `withdrawalId`)',
    choices: ['id', 'number', 'other-name'],
  }),
  'withdrawal-create-shape': assume({
    subject: '`data` of POST /withdrawals',
    assumed: 'the Withdrawal, with `id` and `createdAt`',
    why: 'a 201 creates a resource, and the resource is described',
    override: 'sandbox start --assume withdrawal-create-shape=short (id and status)',
    choices: ['withdrawal', 'short'],
  }),
  'withdrawal-list-shape': assume({
    subject: 'query and answer of GET /withdrawals',
    assumed: 'as the charge list: limit, after, before, pagination',
    why: '"Lists use bidirectional cursor pagination" is among the conventions for every endpoint',
    override: 'sandbox start --assume withdrawal-list-shape=unpaged',
    choices: ['paged', 'unpaged'],
  }),
  'withdrawal-list-scope': assume({
    subject: 'which withdrawals GET /withdrawals lists',
    assumed: 'all of the merchant',
    why: 'no filter is shown',
    override: 'sandbox start --assume withdrawal-list-scope=in-flight',
    choices: ['all', 'in-flight'],
  }),
  'withdrawal-listed-key': assume({
    subject: 'how GET /withdrawals writes a PIX key',
    assumed: 'in full, as it was sent',
    why: 'the field is called the destination key; whether a list masks it, or leaves it or its type out, is not shown',
    override: 'sandbox start --assume withdrawal-listed-key=masked',
    choices: ['in-full', 'masked', 'left-out', 'without-type'],
  }),
  'withdrawal-get-shape': assume({
    subject: '`data` of GET /withdrawals/{id}',
    assumed: 'the Withdrawal',
    why: 'one Withdrawal resource is described',
    override:
      'sandbox start --assume withdrawal-get-shape=short (without fee and PIX key) or status (id and status only)',
    choices: ['withdrawal', 'short', 'status'],
  }),
  'withdrawal-created-at': assume({
    subject: 'whether a withdrawal says when it was created',
    assumed: '`createdAt`, a date-time',
    why: '"Other fields of the withdrawal record are not shown"; charges and customers have it',
    override: 'sandbox start --assume withdrawal-created-at=left-out',
    choices: ['shown', 'left-out'],
  }),
  'withdrawal-without-reason': assume({
    subject: '`failedReason` of a withdrawal that is not FAILED',
    assumed: 'left out',
    why: 'the document says "string", and that it explains a FAILED status',
    override: 'sandbox start --assume withdrawal-without-reason=null',
    choices: ['left-out', 'null'],
  }),
  'withdrawal-check-order': assume({
    subject: 'which refusal is reported when a withdrawal is refused for several reasons',
    assumed:
      'what fails validation, with the general bounds of the amount; withdrawals disabled, one in progress, the amount above the limit, the balance too small',
    why: 'the processing order has the rules before the balance; the numbered list has the balance before the limit',
    override: 'sandbox start --assume withdrawal-check-order=as-numbered',
    choices: ['balance-last', 'as-numbered', 'amount-first'],
  }),
  'withdrawal-busy-code': assume({
    subject: 'the code for a second withdrawal while one is in flight',
    assumed: '400 BAD_REQUEST',
    why: 'a business rule is violated',
    override: 'sandbox start --assume withdrawal-busy-code=409:CONFLICT',
    choices: ['400:BAD_REQUEST', '409:CONFLICT', '403:FORBIDDEN'],
  }),
  'withdrawal-limit-code': assume({
    subject: "the code for an amount above the merchant's limit",
    assumed: '400 BAD_REQUEST',
    why: 'a business rule is violated',
    override: 'sandbox start --assume withdrawal-limit-code=403:FORBIDDEN',
    choices: ['400:BAD_REQUEST', '403:FORBIDDEN'],
  }),
  'withdrawal-amount-code': assume({
    subject: 'the code for a withdrawal amount outside 50 to 100000000',
    assumed: '400 VALIDATION_ERROR',
    why: 'the body failed its bounds; BAD_REQUEST is named only for charges',
    override: 'sandbox start --assume withdrawal-amount-code=400:BAD_REQUEST',
    choices: ['400:VALIDATION_ERROR', '400:BAD_REQUEST'],
  }),
  'pix-key-format': assume({
    subject: 'what is checked of a `pixKey` beyond the form that is shown for its type',
    assumed:
      'an e-mail has a domain with a dot and at most 77 characters, a phone 7 to 15 digits; check digits are not verified',
    why: 'the PIX directory allows no more; a key that is not in it can only fail later',
    override: 'sandbox start --assume pix-key-format=check-digits (of CPF and CNPJ), or =loose (no lengths)',
    choices: ['directory', 'check-digits', 'loose'],
  }),
  'withdrawal-fee': assume({
    subject: 'the withdrawal fee',
    assumed: 'R$ 1,00 (100 cents)',
    why: 'a round figure that shows in every balance',
    override: 'pixctl sandbox merchant set --fee <cents>',
    choices: ['100'],
  }),
  'withdrawal-limit': assume({
    subject: "the merchant's withdrawal limit",
    assumed: 'R$ 1.000.000,00, the general maximum',
    why: 'not shown',
    override: 'pixctl sandbox merchant set --limit <cents>',
    choices: ['100000000'],
  }),
} as const;
