import { expect, it } from 'vitest';
import { isChargeStatus } from '../../src/contract/charge.ts';

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
