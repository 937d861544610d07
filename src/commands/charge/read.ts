/** Reads one charge. The answer must be the one asked for. */
import type { CallOptions } from '../../api/client.ts';
import type { Charge } from '../../contract/charge.ts';
import { wrongRecordError } from '../../runtime/wrong-record.ts';
import type { Runtime } from '../../runtime.ts';

/** Rejects as `Api.call` does, and with 1 if the service answered with another charge. */
export async function readCharge(runtime: Runtime, id: string, options: CallOptions = {}): Promise<Charge> {
  const charge = await (await runtime.api()).call('getCharge', { query: { id } }, options);
  if (charge.id === id) return charge;
  throw wrongRecordError('OTHER_CHARGE', id, charge.id, ['GET', '/transparents/check', '-f', `id=${id}`]);
}
