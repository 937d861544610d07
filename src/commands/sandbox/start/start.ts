/** `pixctl sandbox start`: runs in the foreground until it is told to stop. */
import { pid } from 'node:process';
import { untilAborted, yieldToEventLoop } from '../../../clock.ts';
import { controlSecret, sandboxProfile } from '../../../config/profile.ts';
import { isLoopback } from '../../../contract/loopback.ts';
import { PixctlError, rewordError } from '../../../errors.ts';
import { commandLine } from '../../../flags/command-line.ts';
import { inUrl } from '../../../flags/host.ts';
import { type StdinEnd, watchStdinEnd } from '../../../runtime/stdin-end.ts';
import type { Runtime } from '../../../runtime.ts';
import type { Sandbox, SandboxOptions } from '../../../sandbox/sandbox.ts';
import { startSandbox } from '../../../sandbox/start-sandbox.ts';
import { keepHeapSteady } from '../../../steady-heap.ts';
import { forStderr } from '../../../terminal/for-stderr.ts';
import type { StartFlags } from './options.ts';
import { createTroubleReporter } from './trouble-reporter.ts';
import { startedView } from './view.ts';

export async function start(runtime: Runtime, flags: StartFlags, options: SandboxOptions): Promise<void> {
  if (runtime.globals.fields !== undefined) await runtime.output(startedView);
  const onError = createTroubleReporter(
    (line) => runtime.io.writeError(forStderr(runtime.io, line)),
    runtime.clock,
  );
  const sandbox = await startSandbox({ ...options, onError });
  try {
    await yieldToEventLoop();
    const profile = flags.profile ? await writeProfile(runtime, sandbox).catch(orWithoutProfile) : none;
    await announce(runtime, sandbox, flags, profile.isCurrent);
    if (options.host !== undefined) await warnOfOthers(runtime, sandbox.url, options.host);
    // Now, because most sandboxes end by a kill, and code that is not cached by then is compiled again each time.
    runtime.saveCompiledCode(1);
    // Not earlier, because whoever waits for the sandbox would wait for this too.
    runtime.preloadCode();
    if (profile.replaced !== null) await warnOf(profile.replaced, runtime);
    await serveUntilStopped(runtime, sandbox, watchStdinEnd(runtime, flags.exitWithStdin === true));
  } finally {
    await sandbox.close();
    saveServingCode(runtime, sandbox);
  }
}

async function serveUntilStopped(runtime: Runtime, sandbox: Sandbox, stdin: StdinEnd): Promise<void> {
  try {
    await runtime.clock.sleep(busyMs, stdin.signal);
    saveServingCode(runtime, sandbox);
    runtime.io.doNotBlock();
    await withSteadyHeap(() => untilAborted(stdin.signal));
    if (stdin.hasCome()) (await runtime.output()).note('stdin has ended, so the sandbox stops.');
  } finally {
    stdin.stopWatching();
  }
}

/**
 * Also caches the code that answers requests if there were any, so that the first answer after the next start is quick.
 */
function saveServingCode(runtime: Runtime, sandbox: Sandbox): void {
  if (sandbox.requests().length > 0) runtime.saveCompiledCode(2);
}

/** How long after the start there are better things to do than what matters only under load. Milliseconds. */
const busyMs = 1_000;

/**
 * Keeps the heap level while `work` runs: under load V8 takes ever more room for short-lived objects and keeps it, 100
 * MB here for no more speed. Not before everything is loaded, because under another flag V8 accepts no cached code.
 */
async function withSteadyHeap(work: () => Promise<void>): Promise<void> {
  const letGrow = await keepHeapSteady();
  await work().finally(letGrow);
}

/** Said with every start, because whoever reads the log may not be who chose the address. */
async function warnOfOthers(runtime: Runtime, url: string, host: string): Promise<void> {
  if (isLoopback(host)) return;
  (await runtime.output()).warn(
    `Other machines and containers can reach this sandbox, at ${inUrl(host)}:${new URL(url).port}. Whoever has its API key can use it, control it, and have it send requests from here; over plain http the key can be read on the way.`,
  );
}

interface Written {
  /** Whether the profile is the current one. */
  readonly isCurrent: boolean;
  /** The address that it had before, if it was another. */
  readonly replaced: string | null;
}
const none: Written = { isCurrent: false, replaced: null };

/** Names the start without a profile: a sandbox needs no settings, and a home may be read-only, as in a container. */
function orWithoutProfile(cause: unknown): never {
  if (!(cause instanceof PixctlError) || cause.kind === 'interrupted' || cause.kind === 'terminated')
    throw cause;
  const without = 'Or start it without a profile: --no-profile.';
  throw rewordError(cause, { hint: cause.hint === undefined ? without : `${cause.hint} ${without}` });
}

/** Writes the profile. One of this name that is no sandbox is left alone. */
async function writeProfile(runtime: Runtime, { url, apiKey, controlToken }: Sandbox): Promise<Written> {
  const config = await runtime.config();
  await yieldToEventLoop();
  const before = config.list().find(({ name }) => name === sandboxProfile);
  if (before !== undefined && !/^http:\/\/(127\.0\.0\.1|localhost)(:|$)/.test(before.baseUrl)) {
    (await runtime.output()).warn(
      `The profile "${sandboxProfile}" points to ${before.baseUrl}; it was not changed. Set PIXCTL_BASE_URL and PIXCTL_API_KEY instead.`,
    );
    return none;
  }
  // A key that opens nothing beyond this machine needs no keychain, which may ask its owner first.
  const stored = {
    secrets: { [controlSecret]: JSON.stringify({ url, token: controlToken }) },
    inFile: true,
  };
  await config.save({ name: sandboxProfile, baseUrl: url, merchant: sandboxProfile }, apiKey, stored);
  return {
    isCurrent: config.currentName() === sandboxProfile,
    replaced: before === undefined || before.baseUrl === url ? null : before.baseUrl,
  };
}

/**
 * Warns of an earlier sandbox if it still runs there. Done late, because it loads `node:http` and nothing waits for it.
 */
async function warnOf(url: string, runtime: Runtime): Promise<void> {
  const { sendControlRequest } = await import('../../../sandbox/control/request.ts');
  const signal = AbortSignal.any([runtime.signal, AbortSignal.timeout(1_000)]);
  const request = { url, token: '', method: 'GET', path: '/openapi.json', body: null, type: '', signal };
  const runs = await sendControlRequest(request).then(
    ({ isSandbox }) => isSandbox,
    () => false,
  );
  if (!runs) return;
  (await runtime.output()).warn(
    `The sandbox at ${url} is still running; the profile "${sandboxProfile}" now belongs to the new sandbox. --no-profile leaves it unchanged.`,
  );
}

async function announce(
  runtime: Runtime,
  sandbox: Sandbox,
  flags: StartFlags,
  isCurrent: boolean,
): Promise<void> {
  const output = await runtime.output();
  const { url, apiKey, uiUrl } = sandbox;
  const { format, fields, filter } = output.options;
  const started = { url, apiKey, pid, uiUrl };
  // Without the encoder, which would have to be loaded, and on one line even on a terminal.
  if (fields === null && filter === undefined && (format === 'json' || format === 'ndjson'))
    return runtime.io.write(`${JSON.stringify(started)}\n`);
  if (fields !== null || filter !== undefined || format === 'csv') {
    await output.show(startedView, started);
    // Nobody would ever learn where it listens.
    if (runtime.flight.filterError !== undefined) throw runtime.flight.filterError;
    return;
  }
  await output.text(`Sandbox  ${url}\nAPI key  ${apiKey}\nPage     ${uiUrl}`);
  const command = isCurrent ? 'pixctl' : `pixctl --profile ${sandboxProfile}`;
  const create = commandLine(['charge', 'create', '--amount', '10,50']);
  const use = flags.profile
    ? [`  ${command} ${create}`, `  ${command} charge list --all`, '  pixctl sandbox pay']
    : [`  ${commandLine([`PIXCTL_BASE_URL=${url}`, `PIXCTL_API_KEY=${apiKey}`])} pixctl ${create}`];
  const place = flags.state === undefined ? 'in memory' : `in ${flags.state}`;
  const drawn = sandbox
    .assumptions()
    .filter(({ choices, inForce, chosen }) => !chosen && inForce !== choices[0]);
  if (drawn.length > 0) {
    output.note(
      `Drawn at random for this run: ${drawn.map(({ id, inForce }) => `${id}=${inForce}`).join(' ')}`,
    );
  }
  output.note(
    ['', 'Try in another terminal:', ...use, '', `Everything is kept ${place}. Ctrl-C stops it.`].join('\n'),
  );
}
