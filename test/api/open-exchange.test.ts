/** Whether a byte may have left is decided here: what was given up must not start, and what started is heard out. */
import { describe, expect, it } from 'vitest';
import type { Exchange } from '../../src/api/exchange.ts';
import { GiveUpError, openExchange } from '../../src/api/open-exchange.ts';
import type { Clock } from '../../src/clock.ts';

/** An exchange whose time runs out when told to, and what was done to its connection. */
function open(method: 'GET' | 'POST', { signal, refuse }: { signal?: AbortSignal; refuse?: Error } = {}) {
  let runOut = () => {};
  const clock: Clock = {
    now: () => 0,
    monotonic: () => 0,
    sleep: () => new Promise((resolve) => (runOut = resolve)),
  };
  let firstBytes = 0;
  const aborted: unknown[] = [];
  const beforeFirstByte = () => {
    firstBytes++;
    if (refuse !== undefined) throw refuse;
  };
  const exchange = openExchange({ method, timeoutMs: 1000, signal, beforeFirstByte }, clock);
  return {
    exchange,
    aborted,
    firstBytes: () => firstBytes,
    start: () => exchange.start({ abort: (why: unknown) => aborted.push(why) } as never),
    timeOut: async () => {
      runOut();
      // The end comes a turn later, so that an answer which has come meanwhile is read first.
      for (let turn = 0; turn < 3; turn++) await new Promise(setImmediate);
    },
  };
}

const reply = { status: 201, headers: {}, body: new Uint8Array() };
const answered: Exchange = { kind: 'reply', reply };

describe('before its first byte', () => {
  it.each(['GET', 'POST'] as const)(
    'a %s that ran out of time has not left, and never will',
    async (method) => {
      const { exchange, start, timeOut, firstBytes } = open(method);
      await timeOut();
      expect(await exchange.result).toMatchObject({ kind: 'not-sent', cause: { code: 'DEADLINE' } });
      expect(exchange.isOver).toBe(true);
      expect(start).toThrow(GiveUpError);
      expect(firstBytes()).toBe(0);
    },
  );

  it.each(['GET', 'POST'] as const)(
    'a %s that was interrupted has not left, and never will',
    async (method) => {
      const stop = new AbortController();
      const { exchange, start, firstBytes } = open(method, { signal: stop.signal });
      stop.abort('SIGINT');
      expect(await exchange.result).toMatchObject({
        kind: 'not-sent',
        cause: { code: 'ABORTED', cause: 'SIGINT' },
      });
      expect(start).toThrow(GiveUpError);
      expect(firstBytes()).toBe(0);
    },
  );

  it('one that was interrupted before it was made is over at once', async () => {
    const { exchange } = open('POST', { signal: AbortSignal.abort('SIGTERM') });
    expect(exchange.isOver).toBe(true);
    expect(await exchange.result).toMatchObject({ kind: 'not-sent', cause: { code: 'ABORTED' } });
  });

  it('one that may not leave has not left', async () => {
    const refuse = new Error('suspended too long');
    const { exchange, start } = open('POST', { refuse });
    expect(start).toThrow(refuse);
    exchange.fail(refuse);
    expect(await exchange.result).toEqual({ kind: 'not-sent', cause: refuse });
  });
});

describe('after its first byte', () => {
  it('it does not start again: what a library repeats is not sent', () => {
    const { start, firstBytes } = open('POST');
    start();
    expect(start).toThrow(GiveUpError);
    expect(firstBytes()).toBe(1);
  });

  it.each(['GET', 'POST'] as const)(
    'a %s that runs out of time is lost, and its connection ended',
    async (method) => {
      const { exchange, start, timeOut, aborted } = open(method);
      start();
      await timeOut();
      exchange.answer(reply);
      expect(await exchange.result).toMatchObject({
        kind: 'lost',
        cause: { code: 'DEADLINE' },
      });
      expect(aborted).toMatchObject([{ code: 'DEADLINE' }]);
    },
  );

  it('a read is given up when it is interrupted', async () => {
    const stop = new AbortController();
    const { exchange, start, aborted } = open('GET', { signal: stop.signal });
    start();
    stop.abort('SIGINT');
    expect(await exchange.result).toMatchObject({ kind: 'lost', cause: { code: 'ABORTED' } });
    expect(aborted).toMatchObject([{ code: 'ABORTED' }]);
  });

  it('anything else is heard to its end', async () => {
    const stop = new AbortController();
    const { exchange, start, aborted, timeOut } = open('POST', { signal: stop.signal });
    start();
    stop.abort('SIGINT');
    expect(exchange.isOver).toBe(false);
    exchange.answer(reply);
    await timeOut();
    exchange.fail(new Error('closed'));
    expect(await exchange.result).toEqual(answered);
    expect(aborted).toEqual([]);
  });

  it('a failure is a loss', async () => {
    const { exchange, start } = open('POST');
    const cause = new Error('reset');
    start();
    exchange.fail(cause);
    expect(await exchange.result).toEqual({ kind: 'lost', cause });
  });
});
