/** Reads one charge. The answer must be the one asked for. */
import type { CallOptions } from '../../api/client.ts';
import type { Charge } from '../../contract/charge.ts';
import { commandLine } from '../../flags/command-line.ts';
import { wrongRecordError } from '../../runtime/wrong-record.ts';
import type { Runtime } from '../../runtime.ts';

/** The command that shows a charge, ready to paste. */
export const getChargeLine = (id: string): string => commandLine(['pixctl', 'charge', 'get', id]);

/** Rejects as `Api.call` does, and with 1 if the service answered with another charge. */
export async function readCharge(runtime: Runtime, id: string, options: CallOptions = {}): Promise<Charge> {
  const charge = await (await runtime.api()).call('getCharge', { query: { id } }, options);
  if (charge.id === id) return charge;
  throw wrongRecordError('OTHER_CHARGE', id, charge.id, ['GET', '/transparents/check', '-f', `id=${id}`]);
}
