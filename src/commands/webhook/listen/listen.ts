/** `webhook listen`: checks its flags before it loads or starts anything that they ask for. */
import { timeReferenceOf } from '../../../runtime/time-reference.ts';
import type { Runtime } from '../../../runtime.ts';
import { chooseSecretSource } from './ingress/secret-source.ts';
import { lineView } from './lines/lines.ts';
import { type ListenFlags, readListenOptions } from './options.ts';

/**
 * Listens until a signal (130, 143), until `--exit-after` events have come (0, or 83 if the application has not
 * accepted them all), or until nobody reads stdout any more or, with `--exit-with-stdin`, stdin ends (0, or 82 if
 * events of `--exit-after` have not come).
 */
export async function listen(runtime: Runtime, flags: ListenFlags): Promise<void> {
  const startedAt = runtime.clock.now();
  const output = await runtime.output(lineView);
  const options = readListenOptions(flags, await timeReferenceOf(runtime, flags), output.warn);
  const keys = await chooseSecretSource(runtime, flags, options);
  const { runListener } = await import('./run-listener.ts');
  await runListener(runtime, { options, secretSource: keys, startedAt });
}
