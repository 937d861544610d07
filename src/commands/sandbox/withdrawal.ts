/** `pixctl sandbox withdrawal complete|fail <id>`. */
import type { Withdrawal } from '../../contract/withdrawal.ts';
import type { Runtime } from '../../runtime.ts';
import { withdrawalView } from '../../views/withdrawal.ts';
import { controlOf } from './control.ts';

export const complete = (runtime: Runtime, id: string) => end(runtime, id, 'complete', {});

export const fail = (runtime: Runtime, id: string, { reason }: { reason?: string }) =>
  end(runtime, id, 'fail', reason === undefined ? {} : { reason });

async function end(runtime: Runtime, id: string, verb: string, body: object): Promise<void> {
  const output = await runtime.output(withdrawalView);
  const control = await controlOf(runtime);
  const withdrawal = await control.call<Withdrawal>(
    'POST',
    `/withdrawals/${encodeURIComponent(id)}/${verb}`,
    body,
  );
  await output.show(withdrawalView, withdrawal);
}
