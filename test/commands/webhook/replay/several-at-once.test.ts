/** How many events of a replay are under way, to which addresses, and what becomes of them when it ends early. */
import { expect, it } from 'vitest';
import { severalAtOnce } from '../../../../src/commands/webhook/replay/several-at-once.ts';

/** Work that ends when the test says so; `begun` has it in order. Its lane is its first letter. */
function setUp(items: readonly string[], { perLane = 2, inAll = 100 } = {}) {
  const begun: string[] = [];
  const ends = new Map<string, PromiseWithResolvers<string>>();
  const interrupt = new AbortController();
  const stoppings = new Set<AbortSignal>();
  const pace = { laneOf: (item: string) => item[0] ?? '', perLane, inAll, signal: interrupt.signal };
  const results = severalAtOnce(items, pace, (item, stopping) => {
    begun.push(item);
    stoppings.add(stopping);
    const end = Promise.withResolvers<string>();
    ends.set(item, end);
    return end.promise;
  });
  const end = (item: string) => ends.get(item)?.resolve(`${item} done`);
  const fail = (item: string) => ends.get(item)?.reject(new Error(`${item} failed`));
  return {
    results,
    begun,
    interrupt,
    end,
    fail,
    isStopping: () => [...stoppings].every((one) => one.aborted),
  };
}

it('begins the first of each lane, and the next of a lane only when one of that lane has ended', async () => {
  const { results, begun, end } = setUp(['a1', 'a2', 'a3', 'a4', 'b1']);
  const first = results.next();
  expect(begun).toEqual(['a1', 'a2', 'b1']);
  end('b1');
  expect((await first).value).toBe('b1 done');
  const second = results.next();
  expect(begun).toEqual(['a1', 'a2', 'b1']);
  end('a2');
  expect((await second).value).toBe('a2 done');
  void results.next();
  expect(begun).toEqual(['a1', 'a2', 'b1', 'a3']);
});

it('a lane that hangs holds up no other', async () => {
  const { results, end } = setUp(['a1', 'a2', 'b1', 'b2', 'b3', 'b4'], { perLane: 1 });
  for (const item of ['b1', 'b2', 'b3', 'b4']) {
    const next = results.next();
    end(item);
    expect((await next).value).toBe(`${item} done`);
  }
});

it('begins no more in all lanes together than asked', () => {
  const { results, begun } = setUp(['a1', 'b1', 'c1', 'd1'], { inAll: 3 });
  void results.next();
  expect(begun).toEqual(['a1', 'b1', 'c1']);
});

it('one at a time keeps the order of a lane', async () => {
  const items = ['a1', 'a2', 'a3'];
  const { results, begun, end } = setUp(items, { perLane: 1 });
  for (const [at, item] of items.entries()) {
    const next = results.next();
    expect(begun).toEqual(items.slice(0, at + 1));
    end(item);
    await next;
  }
  expect(await results.next()).toEqual({ done: true, value: undefined });
});

it('begins nothing while nobody asks for a result', async () => {
  const { results, begun, end } = setUp(['a1', 'a2', 'a3', 'a4', 'a5']);
  const first = results.next();
  end('a1');
  await first;
  for (const item of ['a2', 'a3']) end(item);
  await new Promise((resolve) => setImmediate(resolve));
  expect(begun).toEqual(['a1', 'a2', 'a3']);
});

it('begins nothing after a signal, and gives what was under way', async () => {
  const { results, begun, end, interrupt, isStopping } = setUp(['a1', 'a2', 'a3']);
  const first = results.next();
  interrupt.abort();
  expect(isStopping()).toBe(true);
  end('a1');
  end('a2');
  expect((await first).value).toBe('a1 done');
  expect((await results.next()).value).toBe('a2 done');
  expect((await results.next()).done).toBe(true);
  expect(begun).toEqual(['a1', 'a2']);
});

it('after a failure begins nothing, gives what others bring, and then throws it', async () => {
  const { results, begun, end, fail, isStopping } = setUp(['a1', 'a2', 'a3']);
  const first = results.next();
  fail('a1');
  end('a2');
  expect((await first).value).toBe('a2 done');
  expect(isStopping()).toBe(true);
  await expect(results.next()).rejects.toThrow('a1 failed');
  expect(begun).toEqual(['a1', 'a2']);
});

it('whoever asks for no more waits for what is under way', async () => {
  const { results, begun, end, isStopping } = setUp(['a1', 'a2', 'a3', 'a4']);
  const first = results.next();
  end('a1');
  await first;
  let isOver = false;
  const over = results.return(undefined).then(() => {
    isOver = true;
  });
  await new Promise((resolve) => setImmediate(resolve));
  expect({ isOver, told: isStopping() }).toEqual({ isOver: false, told: true });
  end('a2');
  end('a3');
  await over;
  expect(isOver).toBe(true);
  expect(begun).toEqual(['a1', 'a2', 'a3']);
});

it('whoever asks for no more hears of a failure all the same', async () => {
  const { results, end, fail } = setUp(['a1', 'a2', 'a3']);
  const first = results.next();
  end('a1');
  await first;
  const over = results.return(undefined);
  end('a3');
  fail('a2');
  await expect(over).rejects.toThrow('a2 failed');
});
