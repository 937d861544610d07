/** Describes the deliveries as the `webhooks` of OpenAPI 3.1 (document: "Events"). */
import { eventNames } from '../../contract/event-names.ts';
import type { World } from '../world/world.ts';
import type { Json } from './answered-schemas.ts';
import { assumedMember } from './assumed.ts';

export const describeEvents = (world: World): Json =>
  Object.fromEntries(eventNames.map((name) => [name, { post: describeEvent(name, world) }]));

const describeEvent = (name: string, world: World): Json => ({
  summary: name === 'CHARGE_EXPIRED' ? `${name}: nothing sends it at present` : `Delivery of ${name}`,
  // It carries a signature and no key.
  security: [],
  ...assumedMember(['event-data-shape', 'event-id-scope', 'signature-header'], world),
  parameters: [
    {
      name: world.assume('signature-header'),
      in: 'header',
      required: true,
      description:
        't: Unix time in seconds; v1: HMAC-SHA256 in hex of `<t>.<raw body>`, keyed with the secret of the endpoint',
      schema: { type: 'string', pattern: '^t=\\d+,v1=[0-9a-f]{64}$' },
    },
  ],
  requestBody: { required: true, content: { 'application/json': { schema: bodySchema(name) } } },
  responses: {
    '2XX': { description: 'delivered' },
    '4XX': { description: 'rejected for good: no retry' },
    '5XX': { description: 'sent again, as after a timeout or a network failure; 3 attempts in all' },
  },
});

const bodySchema = (name: string): Json => ({
  type: 'object',
  properties: {
    id: { type: 'string', pattern: '^evt_', description: 'the idempotency key' },
    event: { const: name },
    createdAt: { type: 'string' },
    data: { type: 'object', description: 'may gain fields' },
  },
  required: ['id', 'event', 'createdAt', 'data'],
});
