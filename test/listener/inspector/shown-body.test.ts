/** What the listener's page shows of a body, and what it gives back as the exact bytes. */

import { isUtf8 } from 'node:buffer';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { toShownBody } from '../../../src/listener/inspector/shown-body.ts';

const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text);

it('gives back only text that a form and a shell carry as the same bytes', () => {
  const near = fc.constantFrom(...['\r', '\0', '\n', '\ufeff', '\ufffd', 'a', '"', 'é'].map(bytesOf));
  const pieces = fc.array(fc.oneof(near, fc.uint8Array({ maxLength: 3 })), { maxLength: 6 });
  fc.assert(
    fc.property(pieces, (some) => {
      const body = Buffer.concat(some);
      const { exact, isComplete } = toShownBody(body);
      expect(isComplete).toBe(true);
      if (exact === null) expect(/[\r\0]/.test(body.toString('latin1')) || !isUtf8(body)).toBe(true);
      else expect([Buffer.from(exact), /[\r\0]/.test(exact)]).toEqual([body, false]);
    }),
  );
});

it.each([
  [65_536, true],
  [65_537, false],
])('shows the beginning of a body of %i bytes, and whether that is all', (length, isComplete) => {
  const body = bytesOf('a'.repeat(length));
  const text = 'a'.repeat(65_536);
  expect(toShownBody(body)).toEqual({ text, isComplete, exact: isComplete ? text : null });
});
