import { statSync } from 'node:fs';
import { dirname } from 'node:path';
import { describe, expect, it } from 'vitest';
import { restoreSnapshot, takeSnapshot } from '../../../src/sandbox/world/snapshot.ts';
import { noModes, skipped } from '../../support/platform.ts';
import { startReceiver } from '../../support/receiver.ts';
import { deliveryWorld, start } from '../support/delivery-world.ts';
import { type Served, serve } from '../support/over-http.ts';

describe('a snapshot', () => {
  it('brings back endpoints, events, deliveries and what was due', async () => {
    await using hook = await startReceiver(500, 200, 200, 200);
    await using world = deliveryWorld({ to: hook.url });
    world.emit();
    await world.advance(0);
    const bytes = takeSnapshot(world.world);
    await world.advance(60);
    world.emit();
    expect(world.sent.list().map((delivery) => delivery.state)).toEqual(['PENDING', 'DELIVERED']);

    await world.machinery.restore(bytes);
    expect(world.sent.list()).toMatchObject([{ state: 'PENDING', attempts: [{ number: 1 }] }]);
    expect(world.sent.events.list()).toHaveLength(1);
    await world.advance(0);
    expect(world.sent.list()).toMatchObject([
      { state: 'DELIVERED', attempts: [{ number: 1 }, { number: 2 }] },
    ]);
  });

  it.skipIf(noModes !== null)(
    skipped('lies where no other user can look while it is made', noModes),
    async () => {
      await using it = deliveryWorld();
      const { store } = it.world;
      const modes: number[] = [];
      const watched = Object.create(store, {
        execute: {
          value(sql: string) {
            store.execute(sql);
            modes.push(statSync(dirname(/'(.+)'/.exec(sql)?.[1] ?? '')).mode & 0o777);
          },
        },
      });
      takeSnapshot({ ...it.world, store: watched });
      expect(modes).toEqual([0o700]);
    },
  );

  it('never takes the clock back', async () => {
    await using world = deliveryWorld();
    const bytes = takeSnapshot(world.world);
    await world.advance(3_600);
    restoreSnapshot(world.world, bytes);
    expect(world.world.clock.now()).toBe(start + 3_600_000);
  });

  it('takes the clock forward to its own time', async () => {
    await using ahead = deliveryWorld();
    await ahead.advance(3_600);
    await using world = deliveryWorld();
    restoreSnapshot(world.world, takeSnapshot(ahead.world));
    expect(world.world.clock.now()).toBe(start + 3_600_000);
  });

  it('of a sandbox with the same seed gives none of its ids out again, and the same new ones each time', async () => {
    const make = async (sandbox: Served) => {
      const { id, txid } = await sandbox.charge();
      return [id, txid];
    };
    const first = await serve({ seed: 'a' });
    const made = [await make(first), await make(first)].flat();
    const after = await Promise.all(
      [1, 2].map(async () => {
        const other = await serve({ seed: 'a' });
        await other.restore(first.snapshot());
        const more = [await make(other), await make(other), await make(other)].flat();
        await other.restore(other.snapshot());
        return [...more, ...(await make(other))];
      }),
    );
    expect(new Set([...made, ...(after[0] ?? [])]).size).toBe(12);
    expect(after[0]).toEqual(after[1]);
  });

  it('gives out no number twice in one run', async () => {
    await using world = deliveryWorld();
    const bytes = takeSnapshot(world.world);
    world.emit();
    restoreSnapshot(world.world, bytes);
    world.emit();
    expect(world.sent.events.list().map((event) => event.seq)).toEqual([2]);
  });

  it.each([
    ['nothing', ''],
    ['text', 'this is no database at all, whatever it may look like'.repeat(100)],
  ])('refuses %s and changes nothing', async (_, text) => {
    await using world = deliveryWorld();
    world.emit();
    expect(() => restoreSnapshot(world.world, Buffer.from(text))).toThrow(/nothing was changed/);
    expect(world.sent.events.list()).toHaveLength(1);
    restoreSnapshot(world.world, takeSnapshot(world.world));
  });

  it('whose records find no room where the state is changes nothing', async () => {
    await using large = deliveryWorld();
    for (let n = 0; n < 500; n++) large.emit();
    const bytes = takeSnapshot(large.world);
    await using world = deliveryWorld();
    world.emit();
    // As a full disk does, SQLite refuses to make this one any larger.
    world.store.execute('PRAGMA main.max_page_count = 1');
    expect(() => restoreSnapshot(world.world, bytes)).toThrow(
      expect.objectContaining({
        kind: 'storage',
        message: 'there is no room for the records of this snapshot; nothing was changed',
      }),
    );
    expect(world.sent.events.list()).toHaveLength(1);
    world.store.execute('PRAGMA main.max_page_count = 1000000');
    restoreSnapshot(world.world, bytes);
    expect(world.sent.events.list({ limit: 1_000 })).toHaveLength(500);
  });

  it('refuses one with an overwritten page, and changes nothing', async () => {
    await using world = deliveryWorld();
    world.emit();
    const bytes = Buffer.from(takeSnapshot(world.world));
    const page = bytes.readUInt16BE(16);
    expect(() => restoreSnapshot(world.world, bytes.fill(7, page, 4 * page))).toThrow(/nothing was changed/);
    expect(world.sent.events.list()).toHaveLength(1);
  });
});
