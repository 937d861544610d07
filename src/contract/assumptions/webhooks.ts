/** What the document does not show of webhooks, events and deliveries. */
import { assume } from './assumption.ts';

export const webhookAssumptions = {
  'webhook-url-field': assume({
    subject: 'the name of the URL field of POST /webhooks',
    assumed: '`url`',
    why: 'the endpoint record calls it `url`',
    override: 'pixctl webhook add --url-field <name>; sandbox start --assume webhook-url-field=endpoint',
    choices: ['url', 'endpoint', 'targetUrl'],
  }),
  'webhook-shape': assume({
    subject: 'the answer of POST /webhooks',
    assumed: '`id` (form wh_<id>), `url`, `events`, `createdAt`, `secret` (form whsec_<hex>)',
    why: 'the deliveries history takes an endpoint id; the rest is described',
    override:
      'sandbox start --assume webhook-shape=secret-nested (in `signing`), wrapped (all of it in `webhook`) or other-names (`endpointId`, `signingSecret`)',
    choices: ['flat', 'secret-nested', 'wrapped', 'other-names'],
  }),
  'webhook-operations': assume({
    subject: 'how webhook endpoints are listed, read, changed and removed',
    assumed: 'not served; the control plane lists them',
    why: 'their paths and payloads are not shown',
    override: 'GET /__sandbox/endpoints',
    choices: ['control-plane'],
  }),
  'webhook-plain-http': assume({
    subject: 'registering a plain http address',
    assumed: 'the sandbox takes plain http to 127.0.0.1, ::1 and localhost; anything else must be HTTPS',
    why: 'the document asks for HTTPS; a local receiver seldom has a certificate, so this is a deliberate exception',
    override:
      'sandbox start --assume webhook-plain-http=refuse or private (also to private names and addresses, such as http://app:3000)',
    choices: ['loopback', 'refuse'],
  }),
  'webhook-url-length': assume({
    subject: 'the longest address of an endpoint',
    assumed: '2048 characters; a longer one is 400 VALIDATION_ERROR',
    why: 'no bound is shown, and a service that keeps addresses has one',
    override: 'sandbox start --assume webhook-url-length=any',
    choices: ['2048', 'any'],
  }),
  'webhook-credentials': assume({
    subject: 'user and password in the address of an endpoint',
    assumed: 'accepted, and sent with each attempt as `Authorization: Basic`',
    why: 'the document asks for an HTTPS URL, which may contain them',
    override: 'sandbox start --assume webhook-credentials=refuse',
    choices: ['basic-auth', 'left-out', 'refuse'],
  }),
  'webhook-repeated-url': assume({
    subject: 'registering an address that the merchant has registered already',
    assumed: 'another endpoint, with an id and a secret of its own; both receive',
    why: 'the document names only a duplicate document; the answer with the first secret may have been lost',
    override: 'sandbox start --assume webhook-repeated-url=409:CONFLICT',
    choices: ['accept', '409:CONFLICT', '400:BAD_REQUEST'],
  }),
  'webhook-repeated-event': assume({
    subject: 'an event name that is given more than once in one registration',
    assumed: 'taken as given once; each counts among the 1 to 8 entries',
    why: '1 to 8 entries are asked for, not that they differ',
    override: 'sandbox start --assume webhook-repeated-event=refuse',
    choices: ['once', 'refuse'],
  }),
  'webhook-redirect': assume({
    subject: 'an attempt that is answered with a redirect',
    assumed: 'it is not followed and counts as a failed attempt, which is retried',
    why: 'only 2xx is delivered and only 4xx is called definitive',
    override: 'sandbox start --assume webhook-redirect=final',
    choices: ['retry', 'final'],
  }),
  'event-id-scope': assume({
    subject: 'whether two endpoints that receive the same event see the same `id`',
    assumed: 'each endpoint has an id of its own, the same one in every attempt',
    why: 'the id is "unique per event delivery"; consumers deduplicate retries with it',
    override: 'sandbox start --assume event-id-scope=per-event',
    choices: ['per-delivery', 'per-event'],
  }),
  'delivery-record': assume({
    subject: 'field names and order of the deliveries history',
    assumed:
      'a row for each attempt that has ended: `id`, `eventId`, `event`, `status`, `httpStatus`, `success`, `attempt`, `error`, `createdAt`',
    why: 'the four facts that it holds are listed, their names are not',
    override: 'sandbox start --assume delivery-record=other-names',
    choices: ['flat', 'other-names'],
  }),
  'delivery-list-shape': assume({
    subject: '`pagination` of the deliveries history',
    assumed: 'as of the charge list, with limit, after and before',
    why: 'the conventions ask it of every list; "exact response shape" and query are not shown',
    override: 'sandbox start --assume delivery-list-shape=unpaged',
    choices: ['paged', 'unpaged'],
  }),
  'delivery-states': assume({
    subject: 'delivery states other than FAILED',
    assumed: 'PENDING, DELIVERED, FAILED',
    why: 'only FAILED is shown',
    override: 'sandbox start --assume delivery-states=RETRYING,SUCCEEDED,FAILED',
    choices: ['PENDING,DELIVERED,FAILED', 'RETRYING,SUCCEEDED,FAILED'],
  }),
  'signature-header': assume({
    subject: "the signature header's real name",
    assumed: 'Service-Signature',
    why: 'the document gives it as a neutral name',
    override: 'webhook listen --signature-header <name>; sandbox start --assume signature-header=<name>',
    choices: ['Service-Signature', 'X-Service-Signature'],
  }),
  'signature-time': assume({
    subject: 'the `t` of a retry',
    assumed: 'the time of that attempt: each is signed again',
    why: '`t` is "when the event was signed"; with an old `t` a receiver that limits its age would refuse a late retry',
    override: 'sandbox start --assume signature-time=first-attempt',
    choices: ['each-attempt', 'first-attempt'],
  }),
  'eighth-event': assume({
    subject: 'the eighth event name',
    assumed: 'any upper-case name is accepted; nothing emits it',
    why: 'a subscription accepts 1 to 8 events and seven are named',
    override:
      'webhook add --events <NAME> (with a warning); sandbox start --assume eighth-event=refuse to have it refused',
    choices: ['accept', 'refuse'],
  }),
  'event-data-shape': assume({
    subject: "each event's `data`",
    assumed: 'the charge without brCode and imageBase64, or the withdrawal, flat',
    why: 'not shown; nobody needs the codes of a charge that is paid; consumers are told to read it as append-only',
    override: 'sandbox start --assume event-data-shape=nested',
    choices: ['flat', 'nested'],
  }),
  'backoff-schedule': assume({
    subject: 'the exact delays of the exponential backoff with base 2 seconds',
    assumed: '2 s before the second attempt, 4 s before the third, from the end of the one before; no jitter',
    why: 'base 2 seconds, doubled',
    override: 'sandbox start --assume backoff-schedule=<seconds>s,<seconds>s',
    choices: ['2s,4s', '1s,2s', '4s,8s'],
  }),
} as const;
