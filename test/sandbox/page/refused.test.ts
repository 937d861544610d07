/** What the commands refuse, the sandbox's page refuses, and changes nothing. */
import { expect, it } from 'vitest';
import { startReceiver } from '../../support/receiver.ts';
import { serve } from '../support/over-http.ts';
import { visit } from './visitor.ts';

it('does not move the clock by part of what was asked for', async () => {
  const sandbox = await serve();
  sandbox.clock.freeze();
  const before = sandbox.clock.now();
  const page = await visit(sandbox);
  expect(await page.submit('clock/advance', { by: '4000d' })).toMatchObject({
    status: 400,
    problem: 'By is at most 366d, not 4000d. Nothing was done.',
  });
  expect(sandbox.clock.now()).toBe(before);
  expect((await page.submit('clock/advance', { by: '366d' })).status).toBe(303);
  expect(sandbox.clock.now() - before).toBe(366 * 86_400_000);
});

it('accepts no longer reason for a failed withdrawal than the command does', async () => {
  const sandbox = await serve({ withdrawals: 'manual', merchant: { available: 100_000 } });
  const { body } = await sandbox.post('/withdrawals', {
    amount: 1_000,
    pixKey: '123e4567-e12b-12d1-a456-426655440000',
    pixKeyType: 'CHAVE_ALEATORIA',
  });
  const { id } = body.data;
  const tooLong = { reason: 'x'.repeat(501) };
  const page = await visit(sandbox);
  expect(await page.submit(`withdrawals/${id}/fail`, tooLong)).toMatchObject({
    status: 400,
    problem: 'The reason is at most 500 characters. Nothing was done.',
  });
  expect((await sandbox.control('POST', `/withdrawals/${id}/fail`, tooLong)).status).toBe(400);
  expect((await sandbox.get(`/withdrawals/${id}`)).body.data.status).toBe('PENDING');
  expect((await page.submit(`withdrawals/${id}/fail`, { reason: 'x'.repeat(500) })).status).toBe(303);
  expect((await sandbox.get(`/withdrawals/${id}`)).body.data.failedReason).toBe('x'.repeat(500));
});

it('says what is wrong with what is asked of the faults', async () => {
  const page = await visit(await serve());
  expect(await page.submit('faults/clear', { id: 'fault_9' })).toMatchObject({
    status: 404,
    problem: 'there is no fault fault_9 in force',
  });
  expect(await page.submit('faults/preset', { preset: 'slow', times: 'often' })).toMatchObject({
    status: 400,
    problem: 'Times is a whole number of at most six digits, or empty. Nothing was done.',
  });
  expect(await page.submit('faults/rule', { rule: '{' })).toMatchObject({
    status: 400,
    problem: 'The rule is not JSON. Nothing was done.',
  });
});

it('says that data is nested too deeply, and makes no event of it', async () => {
  await using hook = await startReceiver();
  const sandbox = await serve();
  await sandbox.post('/webhooks', { url: hook.url, events: ['CHARGE_PAID'] });
  sandbox.pay((await sandbox.charge()).id);
  await hook.arrived(1);
  const page = await visit(sandbox);
  const data = `{"a":${'['.repeat(50_000)}${']'.repeat(50_000)}}`;
  expect(await page.submit('deliveries/1/edit', { data })).toMatchObject({
    status: 400,
    problem: 'data: is nested too deeply',
  });
  expect(sandbox.events().length).toBe(1);
});
