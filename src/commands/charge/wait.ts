/** `pixctl charge wait <id>`: exit 0 means PAID. */
import type { Runtime } from '../../runtime.ts';
import { chargeView } from '../../views/charge.ts';
import { followTo, longestWaitMs } from './follow.ts';
import { readCharge } from './read.ts';

export async function wait(runtime: Runtime, id: string): Promise<void> {
  await runtime.output(chargeView);
  await followTo(runtime, await readCharge(runtime, id, { withinMs: longestWaitMs(runtime) }));
}
