/** The bounds of webhooks (document: "Limits", "Retry policy"). */
import { expect, it } from 'vitest';
import { createWebhookBody, webhookLimits } from '../../src/contract/webhook.ts';

it('a delivery has three attempts of ten seconds each', () => {
  expect(webhookLimits).toEqual({ events: { min: 1, max: 8 }, attempts: 3, timeoutMs: 10_000 });
});

it.each([
  [0, false],
  [1, true],
  [8, true],
  [9, false],
])('an endpoint that subscribes to %i events: taken is %s', (count, taken) => {
  const events = Array.from({ length: count }, (_, n) => `EVENT_${n}`);
  const body = { url: 'https://shop.example.com/hooks', events };
  expect(createWebhookBody().safeParse(body).success).toBe(taken);
});
