import { describe, expect, it } from 'vitest';
import { createWaitForEvent } from '../../../src/sandbox/deliveries/wait-for-event.ts';
import { deliveryWorld, merchant } from '../support/delivery-world.ts';

describe('the event log', () => {
  it('lists events by name, by what they are about and by place', async () => {
    await using world = deliveryWorld();
    const { events } = world.sent;
    world.emit('CHARGE_PAID', { id: 'chg_1' });
    world.emit('CHARGE_PAID', { charge: { id: 'chg_2' } });
    world.emit('REFUND_COMPLETED', { id: 'chg_1' });
    const seqs = (filter: object) => events.list(filter).map((event) => event.seq);
    expect(seqs({ event: 'CHARGE_PAID' })).toEqual([1, 2]);
    expect(seqs({ about: 'chg_1' })).toEqual([1, 3]);
    expect(seqs({ about: 'chg_2' })).toEqual([2]);
    expect(seqs({ after: 1, order: 'newest-first' })).toEqual([3, 2]);
    expect(seqs({ limit: 1 })).toEqual([1]);
    expect(seqs({ merchantId: 'mer_other' })).toEqual([]);
    expect(events.list({ limit: 1 })).toMatchObject([
      {
        event: 'CHARGE_PAID',
        merchantId: merchant,
        createdAt: '2026-01-02T03:04:05.000Z',
        data: { id: 'chg_1' },
      },
    ]);
  });

  it('finds what an event is about even in data nested deeper than SQLite reads', async () => {
    await using world = deliveryWorld();
    const { events } = world.sent;
    const nested = (depth: number, innermost: unknown): Record<string, unknown> =>
      depth === 0 ? { innermost } : { in: nested(depth - 1, innermost) };
    world.emit('CHECKOUT_PAID', nested(1_500, { id: 'chk_"1"' }));
    world.emit('CHECKOUT_PAID', nested(1_500, 'id chk_2'));
    world.emit('CHECKOUT_PAID', { id: 'chk_2' });
    const seqs = (about: string) => events.list({ about }).map((event) => event.seq);
    expect([seqs('chk_"1"'), seqs('chk_2'), seqs('chk_3')]).toEqual([[1], [3], []]);
  });

  it('reports an unreadable event to whoever waits, and to nobody else', async () => {
    await using world = deliveryWorld();
    const { events } = world.sent;
    const waiting = Promise.allSettled([
      events.wait({ event: 'CHARGE_PAID' }, 5_000),
      events.wait({ event: 'REFUND_COMPLETED' }, 5_000),
    ]);
    world.store.execute(`CREATE TRIGGER odd AFTER INSERT ON events WHEN new.event = 'CHARGE_PAID'
      BEGIN UPDATE events SET data = 'no JSON' WHERE seq = new.seq; END`);
    world.emit('CHARGE_PAID');
    world.emit('REFUND_COMPLETED');
    expect(await waiting).toMatchObject([
      { status: 'rejected', reason: expect.any(SyntaxError) },
      { status: 'fulfilled', value: { seq: 2 } },
    ]);
    expect(world.store.get('SELECT count(*) AS kept FROM events')).toEqual({ kept: 2 });
    await expect(events.wait({ event: 'CHARGE_PAID' }, 5_000)).rejects.toThrow(SyntaxError);
  });

  it('waits for an event that is still to come', async () => {
    await using world = deliveryWorld();
    const waiting = world.sent.events.wait({ event: 'CHARGE_PAID', about: 'chg_2' }, 5_000);
    world.emit('CHARGE_PAID', { id: 'chg_1' });
    world.emit('CHARGE_PAID', { id: 'chg_2' });
    expect(await waiting).toMatchObject({ seq: 2 });
  });

  it('waits also for one that was edited on the page, and for those that a snapshot brings', async () => {
    await using world = deliveryWorld();
    world.endpoint('wh_1', 'http://127.0.0.1:9/');
    world.emit('CHARGE_PAID', { id: 'chg_1' });
    const edited = world.sent.events.wait({ after: 1 }, 1_000);
    const id = world.sent.replayEdited(1, '{"id":"chg_1","amount":2}');
    expect(await edited).toMatchObject({ id, event: 'CHARGE_PAID', data: { amount: 2 } });

    const bytes = world.machinery.snapshot();
    await using other = deliveryWorld();
    const brought = other.sent.events.wait({ event: 'CHARGE_PAID' }, 1_000);
    await other.machinery.restore(bytes);
    expect(await brought).toMatchObject({ data: { id: 'chg_1' } });
  });

  it('does not wait for one that is there, and gives up in time', async () => {
    await using world = deliveryWorld();
    world.emit();
    expect(await world.sent.events.wait({ event: 'CHARGE_PAID' }, 0)).toMatchObject({ seq: 1 });
    expect(await world.sent.events.wait({ event: 'REFUND_COMPLETED' }, 5)).toBeNull();
    expect(
      await world.sent.events.wait({ event: 'REFUND_COMPLETED' }, 60_000, AbortSignal.timeout(5)),
    ).toBeNull();
  });

  it('hands each event out once to a test that waits for one after another', async () => {
    await using world = deliveryWorld();
    const waitForEvent = createWaitForEvent(world.sent.events, new AbortController().signal);
    world.emit('CHARGE_PAID', { id: 'chg_1' });
    world.emit('CHARGE_PAID', { id: 'chg_2' });
    expect(await waitForEvent('CHARGE_PAID')).toMatchObject({ seq: 1 });
    expect(await waitForEvent({ about: 'chg_2' })).toMatchObject({ seq: 2 });
    const third = waitForEvent('CHARGE_PAID', 60 * 86_400_000);
    world.emit('CHARGE_PAID', { id: 'chg_3' });
    expect(await third).toMatchObject({ seq: 3 });
    await expect(waitForEvent('CHARGE_PAID', 5)).rejects.toThrow(
      'no further event {"event":"CHARGE_PAID"} came within 5 ms',
    );
  });

  it('hands out the newest first on request, and then earlier ones', async () => {
    await using world = deliveryWorld();
    const waitForEvent = createWaitForEvent(world.sent.events, new AbortController().signal);
    const next = async () => (await waitForEvent({ event: 'CHARGE_PAID', order: 'newest-first' }, 50)).seq;
    world.emit();
    world.emit();
    expect(await next()).toBe(2);
    world.emit();
    world.emit();
    expect([await next(), await waitForEvent('CHARGE_PAID'), await next()]).toMatchObject([4, { seq: 1 }, 3]);
    await expect(next()).rejects.toThrow('no further event');
  });
});
