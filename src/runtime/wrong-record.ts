/**
 * The error (1) of a read that was answered with a different record, which would mislead if shown as the one asked for.
 */
import { PixctlError } from '../errors.ts';
import { commandLine } from '../flags/command-line.ts';

/** `request`: the words after `pixctl api` that show the whole answer. */
export const wrongRecordError = (
  code: 'OTHER_CHARGE' | 'OTHER_CUSTOMER' | 'OTHER_WITHDRAWAL',
  asked: string,
  answered: string,
  request: readonly string[],
): PixctlError =>
  new PixctlError('unexpected', code, `Asked for ${asked}, and the service answered with ${answered}.`, {
    hint: `See the whole answer: ${commandLine(['pixctl', 'api', ...request])}`,
  });
