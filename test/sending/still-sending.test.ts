/** Whether a send is still under way, and what is known of it once its process is gone. */
import { describe, expect, it } from 'vitest';
import type { Intent } from '../../src/ledger/intent.ts';
import type { Owner } from '../../src/owner/owner.ts';
import { isBeingSent, stateOnceGone } from '../../src/sending/still-sending.ts';
import { type Measured, measured, self } from './measured.ts';

describe('a send is still under way', () => {
  const over = { byDay: 65_001, byUptime: 65_001 };
  const justNotOver = { byDay: 65_000, byUptime: 65_000 };
  it.each<[string, Measured, boolean]>([
    ['while our own process has time for it', { ...justNotOver }, true],
    ['no longer in our own process, once that has passed', { ...over }, false],
    ['as long as another process of this machine lives', { ...over, owner: { pid: 8 } }, true],
    [
      'as long as a process with our pid, started at another time, lives',
      { ...over, owner: { started: '71' } },
      true,
    ],
    ['not if its process is gone', { byDay: 0, byUptime: 0, owner: { pid: 8 }, liveness: 'gone' }, false],
    ['on another host until its time has passed', { ...justNotOver, liveness: 'elsewhere' }, true],
    ['on another host no longer', { ...over, liveness: 'elsewhere' }, false],
    ['of a pid that is in use, until its time has passed', { ...justNotOver, liveness: 'unsure' }, true],
    ['of a pid that is in use, no longer', { ...over, liveness: 'unsure' }, false],
    ['not if nobody sends it', { byDay: 0, byUptime: 0, owner: null }, false],
  ])('%s', async (_, it, expected) => {
    const { dependencies, intent } = measured(it);
    expect(await isBeingSent(dependencies, intent)).toBe(expected);
  });
});

it.each<[string, boolean, Partial<Owner> | null, string, string]>([
  ['it never departed', false, {}, self.boot, 'NOT_SENT'],
  ['it departed', true, {}, self.boot, 'UNKNOWN'],
  [
    'the machine was started since: a power cut loses the mark',
    false,
    { boot: 'boot-1' },
    self.boot,
    'UNKNOWN',
  ],
  ['no start of the machine has a name', false, { boot: '' }, '', 'UNKNOWN'],
  ['nobody is known to have sent it', false, null, self.boot, 'UNKNOWN'],
])('once its process is gone, where %s', (_, departed, owner, boot, expected) => {
  const intent = { departed, owner: owner === null ? null : { ...self, ...owner } } as Intent;
  const owners = { self: { ...self, boot } } as Parameters<typeof stateOnceGone>[0]['owners'];
  expect(stateOnceGone({ owners }, intent)).toBe(expected);
});
