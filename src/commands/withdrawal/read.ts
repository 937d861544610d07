/** Reading one withdrawal; what comes must be the one asked for, or a wait would tell the end of another. */
import type { CallOptions } from '../../api/client.ts';
import type { Withdrawal } from '../../contract/withdrawal.ts';
import { otherRecord } from '../../runtime/other-record.ts';
import type { Runtime } from '../../runtime.ts';

/** The document does not list the id among the fields, so an answer without one is accepted. */
export async function readWithdrawal(
  runtime: Runtime,
  id: string,
  options: CallOptions = {},
): Promise<Withdrawal> {
  const withdrawal = await (await runtime.api()).call('getWithdrawal', { path: { id } }, options);
  if (withdrawal.id === undefined || withdrawal.id === id) return withdrawal;
  const path = `/withdrawals/${encodeURIComponent(id)}`;
  throw otherRecord('OTHER_WITHDRAWAL', id, withdrawal.id, ['GET', path]);
}
