/** Reads one withdrawal. The answer must be the one asked for, or a wait would report the end of another. */
import type { CallOptions } from '../../api/client.ts';
import type { WithdrawalById } from '../../contract/withdrawal.ts';
import { PixctlError, rewordError } from '../../errors.ts';
import { commandLineWithKey } from '../../flags/command-line.ts';
import { wrongRecordError } from '../../runtime/wrong-record.ts';
import type { Runtime } from '../../runtime.ts';

/** Reads it. The document does not list the id among the fields, so an answer without one is accepted. */
export async function readWithdrawal(
  runtime: Runtime,
  id: string,
  options: CallOptions = {},
): Promise<WithdrawalById> {
  const api = await runtime.api();
  const withdrawal = await api.call('getWithdrawal', { path: { id } }, options).catch(rethrowNotFound(id));
  if (withdrawal.id === undefined || withdrawal.id === id) return withdrawal;
  const path = `/withdrawals/${encodeURIComponent(id)}`;
  throw wrongRecordError('OTHER_WITHDRAWAL', id, withdrawal.id, ['GET', path]);
}

/** Words a 404: whoever gave the idempotency key instead must not conclude that it was never paid. */
const rethrowNotFound =
  (id: string) =>
  (error: unknown): never => {
    if (!(error instanceof PixctlError) || error.kind !== 'notFound') throw error;
    const byKey = commandLineWithKey(['pixctl', 'withdrawal', 'status'], id);
    throw rewordError(error, { hint: `${error.hint} If it is an idempotency key: ${byKey}` });
  };
