import { expect, it } from 'vitest';
import { hasEnded, isChargeStatus, isInFlight, mayBePaid } from '../../src/contract/statuses.ts';

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
  ['PENDING', true],
  ['PAID', false],
  ['EXPIRED', false],
  ['REFUNDED', false],
  ['DISPUTED', false],
  ['CHARGED_BACK', false],
])('a charge that is "%s" may be paid: %s', (status, may) => {
  expect(mayBePaid(status)).toBe(may);
});

it.each([
  ['PENDING', 'is in flight'],
  ['PROCESSING', 'is in flight'],
  ['COMPLETED', 'has ended'],
  ['FAILED', 'has ended'],
  ['SETTLED', 'is neither, as far as anybody knows'],
])('a withdrawal that is "%s" %s', (status, course) => {
  expect({ ended: hasEnded(status), inFlight: isInFlight(status) }).toEqual({
    ended: course === 'has ended',
    inFlight: course === 'is in flight',
  });
});
