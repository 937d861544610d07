/**
 * Runs `webhook listen` once its flags make sense: listener, keys and way to the outside together, reporting what
 * comes.
 */
import { isLoopback } from '../../../contract/loopback.ts';
import type { Inbox } from '../../../inbox/inbox.ts';
import type { Inspector } from '../../../listener/inspector/start.tsx';
import { type Listener, startListener } from '../../../listener/listen.ts';
import type { PostTrace } from '../../../listener/posting/post.ts';
import { postTraceOf } from '../../../runtime/post-trace.ts';
import type { Runtime } from '../../../runtime.ts';
import { counted } from '../../../terminal/counted.ts';
import type { Output } from '../../../terminal/output.ts';
import { untilStalled } from '../../../terminal/stalled.ts';
import { wantsBody } from '../read-body.ts';
import { withBodies } from './bodies.ts';
import { countWaiting, createEnding, type Ending, finish, watchTime } from './end.ts';
import type { Keys } from './keys.ts';
import { createLineQueue, type LineQueue } from './line-queue.ts';
import type { Told } from './lines.ts';
import type { ListenOptions } from './options.ts';
import { startPolling } from './poll.ts';
import { readyLine, tellApplication, tellReady } from './ready.ts';
import { createReports, type Reports, refusedUnread } from './reports.ts';
import { createTally } from './tally.ts';
import { createTrouble } from './trouble.ts';
import { openInspector } from './ui.ts';
import { onUsualPort, tellOther } from './usual-port.ts';
import { watchSandbox } from './watch-sandbox.ts';
import { openWayIn, type WayIn } from './way-in.ts';
import { writeLines } from './write-lines.ts';

export interface ListenSetup {
  readonly options: ListenOptions;
  readonly keys: Keys;
  /** Milliseconds since the epoch. */
  readonly startedAt: number;
}

/** See `listen`. */
export async function runListener(runtime: Runtime, setup: ListenSetup): Promise<void> {
  const { options } = setup;
  runtime.holdCode();
  runtime.io.doNotBlock();
  const output = await runtime.output();
  runtime.flight.goesOn = true;
  const inbox = await runtime.inbox();
  const lines = createLineQueue<Told>(refusedUnread(output.warn));
  const ending = createEnding(lines);
  const trouble = createTrouble({ clock: runtime.clock, warn: output.warn, onUnusable: ending.fail });
  const tally = createTally(options.exitAfter, ending.end);
  const reports = createReports(options, lines, tally, { clock: runtime.clock, warn: output.warn });
  const trace = await postTraceOf(runtime, options.signatureHeader);
  // Refuses an inbox that cannot be written before anything is promised.
  await inbox.release();
  const listenOn = (port: number) =>
    startListener({
      ...options,
      port,
      store: inbox,
      clock: runtime.clock,
      trace,
      onReport: reports.tell,
      onApplication: (url, answering) => tellApplication(output, options, url, answering),
      onTrouble: trouble,
    });
  const listener = await onUsualPort(options, listenOn, () => tellOther(output, setup.keys));
  await serve(runtime, setup, { output, inbox, lines, ending, trouble, trace, reports, listener });
  const failure = ending.failure();
  if (failure !== null) {
    await inbox.release().catch(() => {});
    throw failure;
  }
  const { own } = await countWaiting(inbox, listener);
  await inbox.release();
  finish(runtime, output, own, { ...options, tally, late: ending.hasRunOut() });
}

interface Parts {
  readonly output: Output;
  readonly inbox: Inbox;
  readonly lines: LineQueue<Told>;
  readonly ending: Ending;
  readonly trouble: (cause: unknown) => void;
  readonly trace: PostTrace | undefined;
  readonly reports: Reports;
  readonly listener: Listener;
}

/** Runs from the way in to the last line. Then everything is stopped, whatever became of it. */
async function serve(
  runtime: Runtime,
  { options, keys, startedAt }: ListenSetup,
  { output, inbox, lines, ending, trouble, trace, reports, listener }: Parts,
): Promise<void> {
  /** What is under way is still reported, whatever becomes of it. */
  const stop = () => {
    ending.begin();
    listener.stop().then(ending.end, ending.fail);
  };
  let wayIn: WayIn | null = null;
  let inspector: Inspector | null = null;
  try {
    if (!isLoopback(options.host)) {
      output.warn(
        `Listening on ${options.host}: other machines can reach this listener. It accepts signed deliveries only.`,
      );
    }
    wayIn = await openWayIn(runtime, { options, keys, listener, onTrouble: trouble });
    inspector = await openInspector(runtime, options, { inbox, secrets: wayIn.secrets, trouble, trace });
    reports.showOn(inspector);
    const { own, others } = await countWaiting(inbox, listener);
    const ready = readyLine(options, wayIn, own, inspector);
    tellReady(output, ready, { wayIn, others });
    lines.push({ line: ready, at: runtime.clock.now() });
    runtime.keepCode(1);
    reports.begin();
    listener.startForwarding();
    void watchTime(runtime, options, ending.signal, () => {
      ending.runOut();
      stop();
    });
    void watchSandbox(
      runtime,
      { ...wayIn, keys, polls: options.pollMs !== null },
      output,
      ending.signal,
    ).catch(trouble);
    if (options.pollMs !== null) {
      startPolling(runtime, {
        options,
        listener,
        secret: wayIn.secrets[0] as string,
        signal: ending.signal,
        trouble,
        inbox,
        startedAt,
      }).catch(ending.fail);
    }
    if (runtime.signal.aborted) stop();
    runtime.signal.addEventListener('abort', stop, { once: true });
    const written = new AbortController();
    const told = wantsBody(output.options) ? withBodies(lines, inbox, trouble) : lines;
    const writing = writeLines(runtime, output, told).finally(() => written.abort());
    // What is owed must not wait for a reader that has stopped, claimed by a listener that no longer forwards.
    const stalled = ending.over.then(() => untilStalled(runtime.io, runtime.clock, written.signal));
    await Promise.race([writing, stalled]);
  } finally {
    ending.begin();
    await inspector?.close();
    await listener.stop();
    await wayIn?.close();
    tellUntold(output, reports.untold());
    runtime.signal.removeEventListener('abort', stop);
  }
}

/** Reports a run that ended before it was ready, although its secret was known and deliveries came. */
function tellUntold(output: Output, untold: number): void {
  if (untold === 0) return;
  const [came, are] = [counted(untold, 'event'), untold === 1 ? 'is' : 'are'];
  output.warn(
    `${came} came before this listener was ready, and ${are} kept: pixctl webhook inbox lists what came.`,
  );
}
