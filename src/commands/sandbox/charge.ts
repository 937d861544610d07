/** `pixctl sandbox pay|expire|dispute <charge>`. */
import type { Runtime } from '../../runtime.ts';
import { showAnswer } from './control.ts';
import { changedChargeView } from './view.ts';

export const changeCharge = (runtime: Runtime, verb: 'pay' | 'expire' | 'dispute', id: string) =>
  showAnswer(runtime, changedChargeView, 'POST', `/charges/${encodeURIComponent(id)}/${verb}`);
