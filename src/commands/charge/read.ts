/** Reading one charge; what comes must be the one asked for. */
import type { CallOptions } from '../../api/client.ts';
import type { Charge } from '../../contract/charge.ts';
import { PixctlError } from '../../errors.ts';
import { commandLine } from '../../flags/command-line.ts';
import type { Runtime } from '../../runtime.ts';

export async function readCharge(runtime: Runtime, id: string, options: CallOptions = {}): Promise<Charge> {
  const charge = await (await runtime.api()).call('getCharge', { query: { id } }, options);
  if (charge.id === id) return charge;
  throw new PixctlError(
    'unexpected',
    'OTHER_CHARGE',
    `Asked for ${id}, and the service answered with ${charge.id}.`,
    {
      hint: `See the whole answer: ${commandLine(['pixctl', 'api', 'GET', '/transparents/check', '-f', `id=${id}`])}`,
    },
  );
}
