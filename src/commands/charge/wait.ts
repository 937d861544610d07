/** `pixctl charge wait <id>`: exit 0 means PAID. */
import { lookOptions } from '../../api/pause.ts';
import type { Runtime } from '../../runtime.ts';
import { chargeView } from '../../views/charge.ts';
import { followTo, longestWaitMs } from './follow.ts';
import { readCharge } from './read.ts';

export async function wait(runtime: Runtime, id: string): Promise<void> {
  await runtime.output(chargeView);
  const first = lookOptions(await runtime.api(), longestWaitMs(runtime));
  await followTo(runtime, await readCharge(runtime, id, first));
}
