/** Reading one withdrawal; what comes must be the one asked for, or a wait would tell another's end. */
import type { CallOptions } from '../../api/client.ts';
import type { Withdrawal } from '../../contract/withdrawal.ts';
import { PixctlError } from '../../errors.ts';
import type { Runtime } from '../../runtime.ts';

/** The document does not list the id among the fields, so that an answer without one is taken. */
export async function readWithdrawal(
  runtime: Runtime,
  id: string,
  options: CallOptions = {},
): Promise<Withdrawal> {
  const withdrawal = await (await runtime.api()).call('getWithdrawal', { path: { id } }, options);
  if (withdrawal.id === undefined || withdrawal.id === id) return withdrawal;
  throw new PixctlError(
    'unexpected',
    'OTHER_WITHDRAWAL',
    `Asked for ${id}, and the service answered with ${withdrawal.id}.`,
  );
}
