/** `pixctl withdrawal get <id>`. */
import type { Runtime } from '../../runtime.ts';
import { readWithdrawal } from './read.ts';
import { withdrawalView } from './view.ts';

export async function get(runtime: Runtime, id: string): Promise<void> {
  const output = await runtime.output();
  output.check(withdrawalView);
  await output.show(withdrawalView, await readWithdrawal(runtime, id));
}
