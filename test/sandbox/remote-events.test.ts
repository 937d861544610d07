/** How long a wait for an event of another process lasts, against a connection that answers as the test says. */
import { expect, it } from 'vitest';
import type { ControlClient } from '../../src/sandbox/control-client.ts';
import { createWaitForEvent } from '../../src/sandbox/deliveries/wait-for-event.ts';
import { createRemoteEvents } from '../../src/sandbox/remote-events.ts';

const paid = { seq: 1, id: 'evt_1', event: 'CHARGE_PAID', merchantId: 'merch_1', data: {} };
const reply = (status: number, body: object) => ({
  ...{ status, headers: {}, isSandbox: true, body: new TextEncoder().encode(JSON.stringify(body)) },
});

it('hands out an event to one of two overlapping waits, and ends the other when its own time is up', async () => {
  const asked: string[] = [];
  const send: ControlClient['send'] = async ({ path, signal }) => {
    const { searchParams } = new URL(path, 'http://sandbox');
    asked.push(`after ${searchParams.get('after')}, for ${searchParams.get('timeout')} ms`);
    if (searchParams.get('after') === '0') return reply(200, paid);
    if (searchParams.get('timeout') === '0') return reply(408, {});
    // A sandbox that would wait for the whole time once more.
    return new Promise((_, reject) => signal?.addEventListener('abort', () => reject(new Error('aborted'))));
  };
  const control = { url: 'http://sandbox', send, call: () => Promise.reject(new Error('not asked')) };
  const closed = new AbortController().signal;
  const waitForEvent = createWaitForEvent(createRemoteEvents(control, closed), closed);
  const [first, second] = await Promise.allSettled([
    waitForEvent('CHARGE_PAID', 200),
    waitForEvent('CHARGE_PAID', 200),
  ]);
  expect(first).toMatchObject({ status: 'fulfilled', value: paid });
  expect(second).toMatchObject({ status: 'rejected', reason: { code: 'NO_EVENT' } });
  expect(asked).toEqual([
    ...['after 0, for 200 ms', 'after 0, for 200 ms', 'after 1, for 200 ms', 'after 1, for 0 ms'],
  ]);
});
