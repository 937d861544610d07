/** `pixctl sandbox withdrawal complete|fail <id>`. */
import type { Runtime } from '../../../runtime.ts';
import { withdrawalView } from '../../../views/withdrawal.ts';
import { showAnswer } from '../control.ts';

export const complete = (runtime: Runtime, id: string) => end(runtime, id, 'complete', {});

export const fail = (runtime: Runtime, id: string, { reason }: { reason?: string }) =>
  end(runtime, id, 'fail', reason === undefined ? {} : { reason });

const end = (runtime: Runtime, id: string, verb: string, body: object) =>
  showAnswer(runtime, withdrawalView, 'POST', `/withdrawals/${encodeURIComponent(id)}/${verb}`, body);
