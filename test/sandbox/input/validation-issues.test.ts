/** The words of a 400: every field that is wrong, once, with its problem (document: "Errors", `VALIDATION_ERROR`). */
import { expect, it } from 'vitest';
import { serve } from '../support/over-http.ts';

const messageOf = async (path: string, body: unknown): Promise<string> => {
  const sandbox = await serve();
  const reply = await sandbox.post(path, body);
  expect([reply.status, reply.body.error]).toEqual([400, 'VALIDATION_ERROR']);
  return reply.body.message;
};

it.each([
  [{}, 'method: is required; amount: is required'],
  [
    { method: 'BOLETO', amount: 10.5, description: 7, expiresIn: 59 },
    'method: must be "PIX"; amount: must be an integer; description: must be a string; expiresIn: must be at least 60',
  ],
  [
    { method: 'PIX', amount: 500, customerId: 'c'.repeat(51), colour: 'red', size: 1 },
    'customerId: must have at most 50 characters; colour: is not an allowed property; size: is not an allowed property',
  ],
])('the message about a charge of %j names each field', async (body, message) => {
  expect(await messageOf('/transparents/create', body)).toBe(message);
});

it.each([
  [{ url: 'https://example.com', events: [] }, 'events: must have at least 1 entry'],
  [{ url: 'https://example.com', events: 'CHARGE_PAID' }, 'events: must be an array'],
  [
    { url: '', events: [1, ''] },
    'url: must not be empty; events.0: must be a string; events.1: must not be empty',
  ],
])(
  'the message about an endpoint of %j reports a wrong type, and not its size as well',
  async (body, message) => {
    expect(await messageOf('/webhooks', body)).toBe(message);
  },
);
