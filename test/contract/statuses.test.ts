import { expect, it } from 'vitest';
import { hasEnded, isChargeStatus } from '../../src/contract/statuses.ts';

it.each([
  ['PENDING', true],
  ['PAID', true],
  ['EXPIRED', true],
  ['REFUNDED', true],
  ['DISPUTED', true],
  ['paid', false],
  ['CHARGED_BACK', false],
  ['', false],
])('the document shows a charge that is "%s": %s', (status, shown) => {
  expect(isChargeStatus(status)).toBe(shown);
});

it.each([
  ['PENDING', false],
  ['PROCESSING', false],
  ['COMPLETED', true],
  ['FAILED', true],
  ['SETTLED', false],
])('a withdrawal that is "%s" has ended: %s', (status, ended) => {
  expect(hasEnded(status)).toBe(ended);
});
