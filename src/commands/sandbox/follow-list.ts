/** Lists of a sandbox that go on as things happen (`--follow`): until a signal, or for as long as `--timeout` says. */
import { timeoutOf } from '../../flags/duration.ts';
import type { Runtime } from '../../runtime.ts';
import { lineEncoder } from '../../terminal/line-encoder.ts';
import type { Output } from '../../terminal/output.ts';
import type { View } from '../../terminal/view.ts';
import { type Control, openControl } from './control.ts';

interface FollowedList<T> {
  readonly view: View<T>;
  /** What is waited for: `events`. */
  readonly what: string;
  /** What is past, then what comes, until the signal. */
  readonly createItems: (signal: AbortSignal, control: Control) => AsyncIterable<T>;
}

/** Shows it, a line an item; the end by a signal or by `--timeout` is a success. */
export async function followList<T extends object>(
  runtime: Runtime,
  output: Output,
  { view, what, createItems }: FollowedList<T>,
): Promise<void> {
  const ending = new AbortController();
  try {
    const signal = createDeadlineSignal(runtime, ending);
    // The bound is that of the whole, not of each wait.
    const { timeout: _, ...globals } = runtime.globals;
    const control = await openControl({ ...runtime, signal, globals });
    await showComing(runtime, output, { view, what, items: createItems(signal, control) });
  } finally {
    ending.abort();
  }
}

/** Aborts with the run's own, with `ending`, and once `--timeout` is over. */
function createDeadlineSignal({ clock, globals, signal }: Runtime, ending: AbortController): AbortSignal {
  const timeoutMs = timeoutOf(globals);
  if (timeoutMs !== undefined) void clock.sleep(timeoutMs, ending.signal).then(() => ending.abort());
  return AbortSignal.any([signal, ending.signal]);
}

async function showComing<T extends object>(
  { io }: Runtime,
  output: Output,
  { view, what, items }: { view: View<T>; what: string; items: AsyncIterable<T> },
): Promise<void> {
  const lines = await lineEncoder(view, io, output.options);
  if (lines === null) return void (await output.each(view, items));
  if (output.options.format === 'table') output.note(`Waiting for ${what}; Ctrl-C stops it.`);
  let count = 0;
  for await (const it of items) {
    await io.write(await lines.some([it], count));
    lines.report?.();
    count += 1;
    if (io.stdoutClosed) return;
  }
  await io.write(await lines.end(count));
}
