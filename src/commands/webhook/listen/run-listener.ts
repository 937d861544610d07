/**
 * Runs `webhook listen` once its flags make sense: listener, keys and way to the outside together, reporting what
 * comes.
 */
import { isLoopback } from '../../../contract/loopback.ts';
import type { Inbox } from '../../../inbox/inbox.ts';
import type { Inspector } from '../../../listener/inspector/start-inspector.tsx';
import { type Listener, startListener } from '../../../listener/listen.ts';
import type { PostTrace } from '../../../listener/posting/post.ts';
import { postTraceOf } from '../../../runtime/post-trace.ts';
import { watchStdinEnd } from '../../../runtime/stdin-end.ts';
import type { Runtime } from '../../../runtime.ts';
import { formatCount } from '../../../terminal/format-count.ts';
import type { Output } from '../../../terminal/output.ts';
import { waitUntilStalled } from '../../../terminal/streams/stalled.ts';
import { wantsBody } from '../read-body.ts';
import { listenOnDefaultPort, reportOtherListener } from './default-port.ts';
import { createEnding, type Ending, reportEnd, watchTime } from './ending.ts';
import { type Ingress, openIngress } from './ingress/ingress.ts';
import type { SecretSource } from './ingress/secret-source.ts';
import { watchSandbox } from './ingress/watch-sandbox.ts';
import { withBodies } from './lines/bodies.ts';
import { createLineQueue, type LineQueue } from './lines/line-queue.ts';
import { writeLines } from './lines/write-lines.ts';
import type { ListenOptions } from './options.ts';
import { startPolling } from './poll.ts';
import { readyLine, tellApplication, tellReady } from './ready.ts';
import { createRefusalNote } from './refused-signature.ts';
import { createReports, type Reports } from './reports.ts';
import { createTally, type Tally } from './tally.ts';
import { createLook, watchOtherListeners } from './tried-elsewhere.ts';
import { createTroubleReporter } from './trouble-reporter.ts';
import { countWaiting } from './waiting.ts';

interface ListenSetup {
  readonly options: ListenOptions;
  readonly secretSource: SecretSource;
  /** Milliseconds since the epoch. */
  readonly startedAt: number;
}

/** See `listen`. */
export async function runListener(runtime: Runtime, setup: ListenSetup): Promise<void> {
  const { options } = setup;
  runtime.preloadCode();
  runtime.io.doNotBlock();
  const output = await runtime.output();
  runtime.flight.continuesOnFilterError = true;
  const inbox = await runtime.inbox();
  const lines = createLineQueue(output.warn);
  const ending = createEnding(lines);
  const trouble = createTroubleReporter({ clock: runtime.clock, warn: output.warn, onUnusable: ending.fail });
  const tally = createTally(options.exitAfter, ending.end);
  const reports = createReports(options, lines, tally, { clock: runtime.clock, warn: output.warn });
  const noteRefusal = createRefusalNote(options, output.note);
  const trace = await postTraceOf(runtime, options.signatureHeader);
  // Refuses an inbox that cannot be written before anything is promised.
  await inbox.releaseAllClaims();
  const listenOn = (port: number) =>
    startListener({
      ...options,
      port,
      store: inbox,
      clock: runtime.clock,
      trace,
      onReport(report) {
        reports.tell(report);
        noteRefusal(report);
      },
      onApplication: (url, answering) => tellApplication(output, options, url, answering),
      onTrouble: trouble,
    });
  const listener = await listenOnDefaultPort(options, listenOn, () =>
    reportOtherListener(output, setup.secretSource),
  );
  const stdin = watchStdinEnd(runtime, options.exitWithStdin);
  const parts = {
    output,
    inbox,
    lines,
    ending,
    trouble,
    trace,
    tally,
    reports,
    listener,
    stopped: stdin.signal,
  };
  await serve(runtime, setup, parts).finally(stdin.stopWatching);
  const failure = ending.failure();
  if (failure !== null) {
    await inbox.releaseAllClaims().catch(() => {});
    throw failure;
  }
  const waiting = await countWaiting(inbox, listener, options.targets);
  await inbox.releaseAllClaims();
  const why = { late: ending.hasTimedOut(), withoutStdin: stdin.hasCome() };
  reportEnd(runtime, output, waiting, { ...options, tally, ...why });
}

interface Parts {
  readonly output: Output;
  readonly inbox: Inbox;
  readonly lines: LineQueue;
  readonly ending: Ending;
  readonly trouble: (cause: unknown) => void;
  readonly trace: PostTrace | undefined;
  readonly tally: Tally;
  readonly reports: Reports;
  readonly listener: Listener;
  /** Aborts when the listener is told to stop. */
  readonly stopped: AbortSignal;
}

/** Runs from the way in to the last line. Then everything is stopped, whatever became of it. */
async function serve(
  runtime: Runtime,
  { options, secretSource, startedAt }: ListenSetup,
  { output, inbox, lines, ending, trouble, trace, tally, reports, listener, stopped }: Parts,
): Promise<void> {
  /** What is under way is still reported, whatever becomes of it. */
  const stop = () => {
    ending.begin();
    listener.stop().then(ending.end, ending.fail);
  };
  let ingress: Ingress | null = null;
  let inspector: Inspector | null = null;
  try {
    if (!isLoopback(options.host)) {
      output.warn(
        `Listening on ${options.host}: other machines can reach this listener. It accepts signed deliveries only.`,
      );
    }
    ingress = await openIngress(runtime, { options, secretSource, listener, onTrouble: trouble, stopped });
    if (ingress === null) return;
    const { secrets } = ingress;
    if (options.ui) {
      const { startInspector } = await import('../../../listener/inspector/start-inspector.tsx');
      const { clock } = runtime;
      const shown = { store: inbox, clock, trace, secrets: () => secrets, onTrouble: trouble };
      inspector = await startInspector({ ...options, ...shown, timeoutMs: options.forwardTimeoutMs });
      reports.showOn(inspector);
    }
    await inbox.announceTargets(options.targets.all);
    const waiting = await countWaiting(inbox, listener, options.targets);
    const ready = readyLine(options, ingress, waiting.own, inspector);
    tellReady(output, ready, { ingress, waiting, targets: options.targets });
    lines.push({ line: ready, at: runtime.clock.now() });
    runtime.saveCompiledCode(1);
    reports.begin();
    listener.startForwarding(waiting.unnamed.map(({ target }) => target));
    const { clock } = runtime;
    const look = createLook({ clock, inbox, tally, onTrouble: trouble, onReached: stop }, ending.signal);
    void watchTime(runtime, options, ending.signal, look, () => {
      ending.markTimedOut();
      stop();
    });
    if (options.exitAfter !== null) void watchOtherListeners(look, runtime, ending.signal);
    void watchSandbox(
      runtime,
      { ...ingress, secretSource, polls: options.pollMs !== null },
      output,
      ending.signal,
    ).catch(trouble);
    if (options.pollMs !== null) {
      startPolling(runtime, {
        options,
        listener,
        secret: secrets[0] as string,
        signal: ending.signal,
        trouble,
        inbox,
        startedAt,
      }).catch(ending.fail);
    }
    if (stopped.aborted) stop();
    stopped.addEventListener('abort', stop, { once: true });
    const written = new AbortController();
    const shown = wantsBody(output.options) ? withBodies(lines, inbox, trouble) : lines;
    const writing = writeLines(runtime, output, shown).finally(() => written.abort());
    // What is owed must not wait for a reader that has stopped, claimed by a listener that no longer forwards.
    const stalled = ending.whenOver.then(() => waitUntilStalled(runtime.io, runtime.clock, written.signal));
    await Promise.race([writing, stalled]);
  } finally {
    ending.begin();
    await inspector?.close();
    await listener.stop();
    await ingress?.close();
    tellUntold(output, reports.countUnreported());
    stopped.removeEventListener('abort', stop);
  }
}

/** Reports a run that ended before it was ready, although its secret was known and deliveries came. */
function tellUntold(output: Output, untold: number): void {
  if (untold === 0) return;
  const [came, are] = [formatCount(untold, 'event'), untold === 1 ? 'is' : 'are'];
  output.warn(
    `${came} came before this listener was ready, and ${are} kept: pixctl webhook inbox lists what came.`,
  );
}
