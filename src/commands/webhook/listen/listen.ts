/** `webhook listen`: what it was told is judged before anything of it is loaded or started. */
import { standpointOf } from '../../../runtime/standpoint.ts';
import type { Runtime } from '../../../runtime.ts';
import { chooseKeys } from './keys.ts';
import { lineView } from './lines.ts';
import { type ListenFlags, readListenOptions } from './options.ts';

/**
 * Ends by a signal (130, 143), after `--exit-after` events (0, or 83 when the application has not taken
 * them all), or when nobody reads stdout any more (0, or 82 where events of `--exit-after` have not come).
 */
export async function listen(runtime: Runtime, flags: ListenFlags): Promise<void> {
  const startedAt = runtime.clock.now();
  const output = await runtime.output(lineView);
  const options = readListenOptions(flags, await standpointOf(runtime, flags), output.warn);
  const keys = await chooseKeys(runtime, flags, options);
  const { runListener } = await import('./run-listener.ts');
  await runListener(runtime, { options, keys, startedAt });
}
