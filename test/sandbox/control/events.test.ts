/** Waiting for events over HTTP, by whoever remembers places in the log. */
import { expect, it } from 'vitest';
import { serve } from '../support/over-http.ts';

it('says with each event how often the log was replaced, and at once if it was since', async () => {
  const sandbox = await serve();
  sandbox.trigger('CHARGE_PAID');
  const wait = async (query: string) => {
    const { status, headers, body } = await sandbox.control('GET', `/events/wait${query}`);
    return [status, headers.get('x-sandbox-replacements'), body.seq ?? body.error.code];
  };
  expect(await wait('?timeout=0')).toEqual([200, '0', 1]);
  expect(await wait('?timeout=0&replacements=0&after=1')).toEqual([408, '0', 'NO_EVENT']);
  await sandbox.restore(sandbox.snapshot());
  expect(await wait('?timeout=60000&replacements=0&after=1')).toEqual([409, '1', 'REPLACED']);
  // Also where there is one: a place in the log of before says nothing about this one.
  expect(await wait('?timeout=0&replacements=0')).toEqual([409, '1', 'REPLACED']);
  expect(await wait('?timeout=0&replacements=1')).toEqual([200, '1', 1]);
  // Row numbers go on after a reset: no place stands for two events.
  await sandbox.reset();
  expect(await wait('?timeout=0&replacements=1')).toEqual([408, '1', 'NO_EVENT']);
});

it('lists as many as a long test has made', async () => {
  const sandbox = await serve();
  for (let count = 0; count < 1_100; count++) sandbox.trigger('CHARGE_PAID');
  expect((await sandbox.control('GET', '/events')).body).toHaveLength(100);
  expect((await sandbox.control('GET', '/events?limit=2000')).body).toHaveLength(1_100);
  expect((await sandbox.control('GET', '/events?limit=100001')).status).toBe(400);
});
