/** The desk that each test of a file has for itself, the key of its order, and a person's word about that key. */
import { beforeEach } from 'vitest';
import { resolve } from '../../src/withdrawal/resolve.ts';
import { type Desk, desk, key, scope } from './desk.ts';

export let at: Desk;
/** Goes on at another one. */
export const sitAt = (other: Desk): void => {
  at = other;
};
beforeEach(() => sitAt(desk()));

export const idempotencyKey = key('K1');
export const notSent = () => resolve(at, { scope, idempotencyKey, verdict: { kind: 'not-sent' } });
export const is = (id: string) => resolve(at, { scope, idempotencyKey, verdict: { kind: 'withdrawal', id } });
