import { describe, expect, it } from 'vitest';
import { hasEnded } from '../../src/contract/statuses.ts';

describe('hasEnded', () => {
  it.each([
    ['PENDING', false],
    ['PROCESSING', false],
    ['COMPLETED', true],
    ['FAILED', true],
    ['SETTLED', false],
  ])('%s: %s', (status, ended) => {
    expect(hasEnded(status)).toBe(ended);
  });
});
