import { expect, it } from 'vitest';
import type { Queries } from '../../src/database/port.ts';
import { createHeartbeat } from '../../src/inbox/heartbeat.ts';

function setUp() {
  const time = { now: 1_000_000, asleep: 0 };
  /** Ends the sleep that is under way. */
  let wake: () => void = () => {};
  let asleep: () => void = () => {};
  const clock = {
    now: () => time.now,
    monotonic: () => time.now - time.asleep,
    sleep: (_: number, signal?: AbortSignal) =>
      new Promise<void>((resolve) => {
        wake = resolve;
        signal?.addEventListener('abort', () => resolve());
        asleep();
      }),
  };
  const later = async (ms: number) => {
    time.now += ms;
    const again = new Promise<void>((resolve) => {
      asleep = resolve;
    });
    wake();
    await again;
  };
  let said = 0;
  const tx: Queries = {
    query: async () => {
      said += 1;
      return [];
    },
    execute: async () => 0,
  };
  const disk = { full: false };
  const commit = async (work: (tx: Queries) => Promise<void>) => {
    await work(tx);
    if (disk.full) throw new Error('full');
  };
  const owner = { id: 'me', process: '{}', isGone: async () => false };
  return {
    heart: createHeartbeat(owner, clock, { dialect: 'sqlite', commit }),
    tx,
    time,
    disk,
    later,
    said: () => said,
  };
}

it('says again that it lives when the transaction that said so was rolled back', async () => {
  const { heart, tx, said } = setUp();
  await heart.beat(tx);
  await heart.beat(tx);
  expect(said()).toBe(2);
});

it('says so seldom once it is committed', async () => {
  const { heart, tx, time, said } = setUp();
  await heart.beat(tx);
  heart.onCommitted();
  time.now += 4_000;
  await heart.beat(tx);
  expect(said()).toBe(1);
  time.now += 2_000;
  await heart.beat(tx);
  expect(said()).toBe(2);
  await heart.pause();
});

it('goes on saying so while nothing else is written, also after a disk was full, until it rests', async () => {
  const { heart, tx, disk, later, said } = setUp();
  await heart.beat(tx);
  heart.onCommitted();
  await later(5_000);
  expect(said()).toBe(2);
  disk.full = true;
  await later(5_000);
  expect(said()).toBe(3);
  disk.full = false;
  await later(1_000);
  expect(said()).toBe(4);
  await heart.pause();
  expect(said()).toBe(4);
});

it('never takes itself for gone, however long it could not say that it lives', async () => {
  const { heart, tx } = setUp();
  expect(await heart.findGoneOwners(tx, ['me'])).toEqual([]);
  expect(await heart.findGoneOwners(tx, ['me', 'other'])).toEqual(['other']);
});

it('says so at once after a sleep of the machine, in which its own clock stood still', async () => {
  const { heart, tx, time, said } = setUp();
  const beat = async () => {
    await heart.beat(tx);
    heart.onCommitted();
    return [said(), heart.silences(), heart.isSilent()];
  };
  expect([heart.isSilent(), await beat()]).toEqual([false, [1, 0, false]]);
  time.now += 9_999;
  time.asleep += 9_999;
  expect([heart.isSilent(), await beat()]).toEqual([false, [1, 0, false]]);
  time.now += 1;
  time.asleep += 1;
  expect([heart.isSilent(), await beat()]).toEqual([true, [2, 1, false]]);
  await heart.pause();
});
