import { expect, it } from 'vitest';
import type { Queries } from '../../src/database/port.ts';
import { createHeart } from '../../src/inbox/owner.ts';

function setUp() {
  const time = { now: 1_000_000 };
  const clock = { now: () => time.now, monotonic: () => time.now, sleep: () => Promise.resolve() };
  let said = 0;
  const tx: Queries = {
    query: async () => {
      said += 1;
      return [];
    },
    execute: async () => 0,
  };
  const heart = createHeart({ id: 'me', process: '{}', isGone: async () => false }, clock);
  return { heart, tx, time, said: () => said };
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
  heart.committed();
  time.now += 4_000;
  await heart.beat(tx);
  expect(said()).toBe(1);
  time.now += 2_000;
  await heart.beat(tx);
  expect(said()).toBe(2);
});
