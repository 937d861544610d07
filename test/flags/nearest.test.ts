import { expect, it } from 'vitest';
import { nearest } from '../../src/flags/nearest.ts';

const known = ['list', 'refund', 'create', 'Wait', 'webhook', 'Settings'];

it.each([
  ['list', 'list'],
  ['LIST', 'list'],
  ['lst', 'list'],
  ['lsit', 'list'],
  ['wiat', 'Wait'],
  ['refudn', 'refund'],
  ['crate', 'create'],
  ['craet', 'create'],
  ['efund', 'refund'],
  ['web', 'webhook'],
  ['WAI', 'Wait'],
  ['sett', 'Settings'],
])('%j means %s', (typed, meant) => {
  expect(nearest(typed, known)).toBe(meant);
});

it.each(['lss', 'lsti2', 'we', 'xyzzy', 'abcd', '', 'l', 'x'.repeat(70)])(
  '%j means none of them',
  (typed) => {
    expect(nearest(typed, known)).toBeUndefined();
  },
);

it('of two that are as near, the first is meant; of two that are not, the nearer', () => {
  expect(nearest('bat', ['cat', 'hat'])).toBe('cat');
  expect(nearest('charges', ['change', 'charge'])).toBe('charge');
});
