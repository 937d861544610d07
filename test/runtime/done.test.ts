/** What is said of a run that has done something and cannot show it. */
import { expect, it } from 'vitest';
import { PixctlError } from '../../src/errors.ts';
import { unshown } from '../../src/runtime/done.ts';

const done = { what: 'The charge chg_1 was created.', hint: 'Do not create it again.' };
const failed = (code: string) => new PixctlError('unexpected', code, 'It broke.');

it.each(['STDOUT', 'UNEXPECTED'])('an error %s begins with what was done', (code) => {
  expect(unshown(failed(code), done)).toMatchObject({
    exit: 1,
    message: 'The charge chg_1 was created. Its result could not be written. It broke.',
    hint: 'Do not create it again.',
  });
});

it("the command's own error stays as it is, and so does any of a run that did nothing", () => {
  expect(unshown(failed('CHARGE_EXPIRED'), done)).toBe(null);
  expect(unshown(failed('STDOUT'), null)).toBe(null);
});
