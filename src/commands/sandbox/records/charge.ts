/** `pixctl sandbox pay|expire|dispute <charge>`. */
import type { Charge } from '../../../contract/charge.ts';
import type { Runtime } from '../../../runtime.ts';
import type { View } from '../../../terminal/view.ts';
import { chargeView } from '../../../views/charge.ts';
import { showAnswer } from '../control.ts';

export const changeCharge = (runtime: Runtime, verb: 'pay' | 'expire' | 'dispute', id: string) =>
  showAnswer(runtime, changedChargeView, 'POST', `/charges/${encodeURIComponent(id)}/${verb}`);

/** A charge without its code, which nobody pays any more. */
export const changedChargeView: View<Charge> = {
  ...chargeView,
  columns: chargeView.columns.filter(({ key }) => key !== 'brCode'),
};
