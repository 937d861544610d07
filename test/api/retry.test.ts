import { describe, expect, it } from 'vitest';
import type { Exchange } from '../../src/api/exchange.ts';
import { GiveUpError } from '../../src/api/open-exchange.ts';
import { readPolicy, withRetries } from '../../src/api/retry.ts';
import type { Clock } from '../../src/clock.ts';

const reply = (status: number, headers: Record<string, string> = {}): Exchange => ({
  kind: 'reply',
  reply: { status, headers, body: new Uint8Array() },
});
const coded = (code: string) => Object.assign(new Error(code), { code });
const lost = (cause: unknown): Exchange => ({ kind: 'lost', cause });
const notSent = (cause: unknown): Exchange => ({ kind: 'not-sent', cause });

/** Runs a script of exchanges; tells which was the last, and how long each pause was. */
async function play(script: readonly Exchange[], withinMs?: number) {
  const pauses: number[] = [];
  let at = 0;
  let elapsed = 0;
  const clock: Clock = {
    now: () => Date.parse('2026-01-02T03:04:05Z'),
    monotonic: () => elapsed,
    sleep: async (ms) => {
      pauses.push(ms);
      elapsed += ms;
    },
  };
  const next = async () => script[Math.min(at++, script.length - 1)] as Exchange;
  const policy = { ...readPolicy, random: () => 0.5 };
  const last = await withRetries(next, clock, policy, { withinMs });
  return { last, tried: at, pauses };
}

describe('reads are tried again', () => {
  it.each([
    ['a 500', reply(500)],
    ['a 503', reply(503)],
    ['a 429', reply(429)],
    ['a web page instead of an answer', reply(200, { 'content-type': 'text/html; charset=utf-8' })],
    ['a refused connection', notSent(coded('ECONNREFUSED'))],
    ['a connection cut off', lost(coded('UND_ERR_SOCKET'))],
  ])('after %s, with pauses that double', async (_, first) => {
    expect(await play([first, first, reply(200)])).toEqual({
      last: reply(200),
      tried: 3,
      pauses: [187.5, 375],
    });
  });

  it('at most four times', async () => {
    expect(await play([reply(500)])).toMatchObject({ last: reply(500), tried: 4, pauses: [187.5, 375, 750] });
  });

  it.each([
    ['2', [2000]],
    ['15', [15_000]],
    ['Fri, 02 Jan 2026 03:04:10 GMT', [5000]],
    ['Fri, 02 Jan 2026 03:04:00 GMT', [0]],
    ['soon', [187.5]],
    ['-1', [187.5]],
  ])('after the Retry-After of a 429: %s', async (value, pauses) => {
    expect((await play([reply(429, { 'retry-after': value }), reply(200)])).pauses).toEqual(pauses);
  });

  it.each([
    [186, []],
    [600, [187.5, 375]],
    [1_312.5, [187.5, 375, 750]],
  ])('within %i ms, where the caller has no more', async (withinMs, pauses) => {
    expect(await play([reply(500)], withinMs)).toMatchObject({ last: reply(500), pauses });
  });

  it('no more once the run was stopped between two tries, which then is why it ends', async () => {
    const stop = new AbortController();
    const clock: Clock = { now: () => 0, monotonic: () => 0, sleep: async () => stop.abort('SIGINT') };
    let tried = 0;
    const attempt = async () => {
      tried++;
      return reply(500);
    };
    const stopped = await withRetries(attempt, clock, readPolicy, { signal: stop.signal });
    expect(stopped).toMatchObject({ kind: 'lost', cause: { code: 'ABORTED', cause: 'SIGINT' } });
    expect(tried).toBe(1);
  });

  it.each(['16', '3600'])('not at all when Retry-After is longer than anybody waits: %s', async (value) => {
    expect(await play([reply(429, { 'retry-after': value })])).toMatchObject({ tried: 1, pauses: [] });
  });
});

describe('reads are not tried again', () => {
  it.each([
    ['an answer', reply(200)],
    ['a refusal', reply(400)],
    ['a redirect', reply(302)],
    ['the deadline', lost(new GiveUpError('DEADLINE'))],
    ['an interruption', lost(new GiveUpError('ABORTED'))],
    ['an answer that is too large', lost(new GiveUpError('TOO_LARGE'))],
    ['a certificate that is not trusted', notSent(coded('DEPTH_ZERO_SELF_SIGNED_CERT'))],
    ['what is no failure of the network', notSent(new Error('a bug'))],
  ])('after %s', async (_, exchange) => {
    expect(await play([exchange])).toMatchObject({ tried: 1, pauses: [] });
  });
});
