/** `webhook listen` once it makes sense: listener, keys and way to the outside together, telling what comes. */
import { isLoopback } from '../../../contract/loopback.ts';
import { PixctlError } from '../../../errors.ts';
import type { Inbox } from '../../../inbox/inbox.ts';
import type { Inspector } from '../../../listener/inspector/start.tsx';
import { type Listener, startListener } from '../../../listener/listen.ts';
import type { Runtime } from '../../../runtime.ts';
import { counted } from '../../../terminal/counted.ts';
import type { Output } from '../../../terminal/output.ts';
import { untilStalled } from '../../../terminal/stalled.ts';
import { countWaiting, createEnding, type Ending, finish, watchTime } from './end.ts';
import type { Keys } from './keys.ts';
import { createLineQueue, type LineQueue } from './line-queue.ts';
import { type Line, lineForPeople, lineView, type ReadyLine } from './lines.ts';
import type { ListenOptions } from './options.ts';
import { startPolling } from './poll.ts';
import { createReports, type Reports } from './reports.ts';
import { createTally, type Tally } from './tally.ts';
import { createTrouble } from './trouble.ts';
import { openInspector } from './ui.ts';
import { openWayIn, type WayIn } from './way-in.ts';

/** The usual port, so that an endpoint registered once stays right. */
const usualPort = 4400;

export interface ListenSetup {
  readonly options: ListenOptions;
  readonly keys: Keys;
  /** Milliseconds since the epoch. */
  readonly startedAt: number;
}

/** See `listen`. */
export async function runListener(runtime: Runtime, setup: ListenSetup): Promise<void> {
  const { options } = setup;
  const output = await runtime.output();
  const inbox = await runtime.inbox();
  const lines = createLineQueue<Line>();
  const ending = createEnding(lines);
  const trouble = createTrouble({ clock: runtime.clock, warn: output.warn, onUnusable: ending.fail });
  const tally = createTally(options.exitAfter, ending.end);
  const reports = createReports(options, lines, tally);
  // Refuses an inbox that cannot be written before anything is promised.
  await inbox.release();
  const listener = await start(options, (port) =>
    startListener({
      ...options,
      port,
      store: inbox,
      clock: runtime.clock,
      onReport: reports.tell,
      onApplication: (url, answering) => tellApplication(output, url, answering),
      onTrouble: trouble,
    }),
  );
  await serve(runtime, setup, { output, inbox, lines, ending, trouble, tally, reports, listener });
  const failure = ending.failure();
  if (failure !== null) {
    await inbox.release().catch(() => {});
    throw failure;
  }
  const waiting = await countWaiting(inbox, listener);
  await inbox.release();
  finish(runtime, output, waiting, options.exitAfter === null ? 0 : tally.notTaken);
}

interface Parts {
  readonly output: Output;
  readonly inbox: Inbox;
  readonly lines: LineQueue<Line>;
  readonly ending: Ending;
  readonly trouble: (cause: unknown) => void;
  readonly tally: Tally;
  readonly reports: Reports;
  readonly listener: Listener;
}

/** From the way in to the last line; then all of it is stopped, whatever became of it. */
async function serve(
  runtime: Runtime,
  { options, keys, startedAt }: ListenSetup,
  { output, inbox, lines, ending, trouble, tally, reports, listener }: Parts,
): Promise<void> {
  /** What is under way is still told, whatever becomes of it. */
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
    listener.useSecrets(wayIn.secrets, wayIn.others);
    inspector = await openInspector(runtime, options, { inbox, secrets: wayIn.secrets, trouble });
    reports.showOn(inspector);
    const waiting = await countWaiting(inbox, listener);
    const ready = readyLine(options, wayIn, waiting, inspector);
    tellReady(output, ready, (await inbox.countWaiting(null)) - waiting);
    lines.push(ready);
    runtime.keepCode(1);
    reports.begin();
    listener.startForwarding();
    void watchTime(runtime, options, tally, ending.signal, ending.fail);
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
    const writing = write(runtime, output, lines).finally(() => written.abort());
    // What is owed must not wait for a reader that has stopped, claimed by a listener that no longer forwards.
    const stalled = ending.over.then(() => untilStalled(runtime.io, runtime.clock, written.signal));
    await Promise.race([writing, stalled]);
  } finally {
    ending.begin();
    await inspector?.close();
    await listener.stop();
    await wayIn?.close();
    runtime.signal.removeEventListener('abort', stop);
  }
}

/** The usual port, or any other when it is taken and nobody asked for it. */
async function start(
  options: ListenOptions,
  listenOn: (port: number) => Promise<Listener>,
): Promise<Listener> {
  if (options.port !== null) return listenOn(options.port);
  try {
    return await listenOn(usualPort);
  } catch (cause) {
    if (cause instanceof PixctlError && cause.code === 'PORT_IN_USE') return listenOn(0);
    throw cause;
  }
}

async function write(runtime: Runtime, output: Output, lines: AsyncIterable<readonly Line[]>): Promise<void> {
  const { io } = runtime;
  const { format, fields } = output.options;
  if (format === 'json' || format === 'csv') {
    await output.each(lineView, flattened(lines));
    return;
  }
  const textOf = format === 'ndjson' ? await ndjsonText(fields) : textForPeople(runtime, output);
  for await (const portion of lines) {
    await io.write(textOf(portion));
    if (io.stdoutClosed) return;
  }
}

async function ndjsonText(fields: readonly string[] | null): Promise<(lines: readonly Line[]) => string> {
  const { ndjsonEncoder } = await import('../../../terminal/encode-json.ts');
  const encoder = ndjsonEncoder(lineView, { fields, indent: false });
  return (lines) => encoder.some(lines, 0);
}

function textForPeople({ io, clock }: Runtime, output: Output): (lines: readonly Line[]) => string {
  const dress = { colour: io.colour('stdout'), aligned: io.stdoutIsTerminal };
  const timeZone = output.options.timeZone ?? undefined;
  const time = new Intl.DateTimeFormat('sv-SE', { timeZone, timeStyle: 'medium' });
  return (lines) =>
    lines
      .filter((line) => line.type !== 'ready')
      .map((line) => `${lineForPeople(line, { ...dress, time: time.format(clock.now()) })}\n`)
      .join('');
}

async function* flattened<T>(portions: AsyncIterable<readonly T[]>): AsyncGenerator<T> {
  for await (const portion of portions) yield* portion;
}

function readyLine(
  options: ListenOptions,
  wayIn: WayIn,
  waiting: number,
  inspector: Inspector | null,
): ReadyLine {
  return {
    type: 'ready',
    url: wayIn.localUrl,
    publicUrl: wayIn.publicUrl,
    endpoint: wayIn.endpoint,
    events: options.events,
    forwardTo: options.targets.all,
    ack: options.ack,
    waiting,
    ...(inspector === null ? {} : { uiUrl: inspector.url }),
    ...(options.printSecret ? { secret: wayIn.secrets[0] ?? '' } : {}),
  };
}

function tellReady(output: Output, ready: ReadyLine, others: number): void {
  output.note(
    `Listening on ${ready.url}${ready.publicUrl === null ? '' : `, reached at ${ready.publicUrl}`}`,
  );
  if (ready.endpoint !== null) {
    output.note(`Endpoint ${ready.endpoint}, events: ${ready.events?.join(', ') ?? 'all'}`);
  }
  const to = ready.forwardTo.join(', ');
  output.note(
    to === '' ? 'Nothing is forwarded (no --forward-to): events are only stored.' : `Forwarding to ${to}`,
  );
  if (ready.waiting > 0 && to !== '') {
    output.note(
      `${counted(ready.waiting, 'event')} from earlier ${ready.waiting === 1 ? 'is' : 'are'} still to be forwarded; this happens now.`,
    );
  }
  if (others > 0) {
    output.note(
      `${counted(others, 'event')} stored under other secrets: a listener with those secrets forwards them, or a replay.`,
    );
  }
  if (ready.secret !== undefined) output.note(`Signing secret: ${ready.secret}`);
  if (ready.uiUrl !== undefined) output.note(`Page: ${ready.uiUrl}`);
  output.note('Ctrl-C ends it.');
}

function tellApplication(output: Output, url: string, answering: boolean): void {
  if (answering) output.note(`Your application at ${url} answers.`);
  else output.warn(`Your application at ${url} is not answering; events are stored and forwarded later.`);
}
