/** Which deliveries share a commit, on a disk whose flushes end when the test says so. */
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { systemClock } from '../../src/clock.ts';
import { openDatabase } from '../../src/database/open.ts';
import type { Database } from '../../src/database/port.ts';
import { createClaimOwner } from '../../src/inbox/claim-owner.ts';
import { createInbox } from '../../src/inbox/create-inbox.ts';
import { createNumberDeduplicator } from '../../src/inbox/dedupe/by-number.ts';
import { inboxMigrations } from '../../src/inbox/schema.ts';

interface Flush {
  /** What the disk is told just before: whether it may hold this thread; undefined: it may not. */
  readonly alone: (() => boolean) | undefined;
  readonly end: () => void;
}

describe('deliveries that come one in each turn of the event loop', () => {
  const closings: (() => Promise<void>)[] = [];
  afterEach(async () => {
    for (const close of closings.splice(0)) await close();
  });

  async function onHeldDisk() {
    const room = { room: 'inbox', migrations: inboxMigrations, clock: systemClock, flush: 'shared' } as const;
    const file = join(mkdtempSync(join(tmpdir(), 'pixctl-writes-')), 'inbox.sqlite');
    const database = await openDatabase(file, room);
    const flushes: Flush[] = [];
    let flushed = Promise.resolve();
    const held: Database = {
      ...database,
      async write(work) {
        const { value } = await database.write(work);
        const durable = (alone?: () => boolean) => {
          // As the real one: one at a time, in order.
          const before = flushed;
          flushed = new Promise((end) => flushes.push({ alone, end: () => void before.then(end) }));
          return flushed;
        };
        return { value, durable };
      },
    };
    const owner = await createClaimOwner(true);
    const inbox = createInbox(held, { clock: systemClock, owner, deduplicator: createNumberDeduplicator() });
    closings.push(async () => {
      for (const { end } of flushes) end();
      await inbox.close();
    });
    let count = 0;
    const come = () =>
      inbox.add({
        ...{ source: 'signer-1', eventId: `evt_${count++}`, event: 'CHARGE_PAID', headers: [] },
        ...{ origin: 'delivery', forward: 'none', body: new Uint8Array() },
      });
    return { come, flushes };
  }

  const turns = async (count: number) => {
    for (let at = 0; at < count; at++) await new Promise((resolve) => setImmediate(resolve));
  };

  it('share a commit once a flush is under way and another is to follow it', async () => {
    const { come, flushes } = await onHeldDisk();
    const all = [come()];
    await expect.poll(() => flushes.length).toBe(1);
    expect(flushes[0]?.alone?.()).toBe(true);
    all.push(come());
    await expect.poll(() => flushes.length).toBe(2);
    expect(flushes[1]?.alone).toBeUndefined();
    for (let at = 0; at < 10; at++) {
      all.push(come());
      await turns(3);
    }
    expect(flushes).toHaveLength(2);
    flushes[0]?.end();
    flushes[1]?.end();
    await expect.poll(() => flushes.length).toBe(3);
    flushes[2]?.end();
    expect((await Promise.all(all)).map(({ duplicate }) => duplicate)).toEqual(new Array(12).fill(false));
    expect(flushes).toHaveLength(3);
  });

  it('are not alone where the next has come before the flush begins', async () => {
    const { come, flushes } = await onHeldDisk();
    void come();
    await expect.poll(() => flushes.length).toBe(1);
    void come();
    expect(flushes[0]?.alone?.()).toBe(false);
  });

  it('are alone again once all is on the disk', async () => {
    const { come, flushes } = await onHeldDisk();
    for (let at = 0; at < 3; at++) {
      const coming = come();
      await expect.poll(() => flushes.length).toBe(at + 1);
      expect(flushes[at]?.alone?.()).toBe(true);
      flushes[at]?.end();
      await coming;
    }
  });
});
