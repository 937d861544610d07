/** `pixctl sandbox pay|expire|dispute <charge>`. */
import type { Charge } from '../../contract/charge.ts';
import type { Runtime } from '../../runtime.ts';
import { controlOf } from './control.ts';
import { changedChargeView } from './view.ts';

export async function changeCharge(
  runtime: Runtime,
  verb: 'pay' | 'expire' | 'dispute',
  id: string,
): Promise<void> {
  const output = await runtime.output(changedChargeView);
  const control = await controlOf(runtime);
  const charge = await control.call<Charge>('POST', `/charges/${encodeURIComponent(id)}/${verb}`);
  await output.show(changedChargeView, charge);
}
