/** `pixctl withdrawal get <id>`. */
import type { Runtime } from '../../../runtime.ts';
import { withdrawalView } from '../../../views/withdrawal.ts';
import { readWithdrawal } from '../read.ts';

export async function get(runtime: Runtime, id: string): Promise<void> {
  const output = await runtime.output(withdrawalView);
  await output.show(withdrawalView, await readWithdrawal(runtime, id));
}
