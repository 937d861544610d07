/** What is said of a run that has done something and cannot show it. */
import { expect, it } from 'vitest';
import { PixctlError } from '../../src/errors.ts';
import { resultNotWrittenError } from '../../src/runtime/completed-action.ts';

const done = { what: 'The charge chg_1 was created.', hint: 'Do not create it again.' };
const failed = (code: string) => new PixctlError('unexpected', code, 'It broke.');

it.each(['STDOUT', 'UNEXPECTED', 'REPLACED', 'NOT_LOADED'])(
  'an error %s begins with what was done',
  (code) => {
    expect(resultNotWrittenError(failed(code), done)).toMatchObject({
      exit: 1,
      message: 'The charge chg_1 was created. Its result could not be written. It broke.',
      hint: 'Do not create it again.',
    });
  },
);

it("the command's own error stays as it is, and so does any of a run that did nothing", () => {
  expect(resultNotWrittenError(failed('CHARGE_EXPIRED'), done)).toBe(null);
  expect(resultNotWrittenError(failed('STDOUT'), null)).toBe(null);
});
