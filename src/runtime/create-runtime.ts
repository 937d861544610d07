/** Makes the runtime of one run. */
import type { Clock } from '../clock.ts';
import { type Environment, findForeignLocale, isPipeline } from '../flags/environment.ts';
import type { Globals } from '../flags/globals.ts';
import { createCommandReworder, programNameOf } from '../flags/reword-commands.ts';
import type { Runtime } from '../runtime.ts';
import type { Filter } from '../terminal/filter.ts';
import type { Io } from '../terminal/io.ts';
import type { Output } from '../terminal/output.ts';
import { isSilencedByCi, type Prompter } from '../terminal/prompter.ts';
import { openApi, openClientFor } from './open-client.ts';
import { openInboxOf } from './open-inbox.ts';
import { openLedgerOf } from './open-ledger.ts';
import { outputOptions, readTimeZone } from './output-options.ts';
import { toReplacedError } from './replaced-error.ts';

/** A runtime whose thunks each run once, and a `close` for whatever they opened. */
export function createRuntime(parts: RuntimeParts): Runtime & { close(): Promise<void> } {
  const { io, clock, environment, platform, uid, node, signal } = parts;
  const opened: { close(): Promise<void> }[] = [];
  const closeLater = async <T extends { close(): Promise<void> }>(opening: Promise<T>): Promise<T> => {
    const it = await opening;
    opened.push(it);
    return it;
  };
  const runtime: Runtime & { close(): Promise<void> } = {
    io,
    clock,
    environment,
    signal,
    flight: { outcomeUnknown: false, hasSent: false, outcomeHint: null, completed: null },
    saveCompiledCode: parts.saveCompiledCode ?? (() => {}),
    preloadCode() {
      try {
        parts.preloadCode?.();
      } catch (error) {
        // Nothing has been sent yet: the outcome is not unknown, although the sender has already marked its send as
        // begun.
        throw toReplacedError(error, { outcomeUnknown: false }) ?? error;
      }
    },
    get globals() {
      return parts.globals();
    },
    async output(view) {
      const output = await openOutput();
      if (view !== undefined) output.check(view);
      return output;
    },
    prompter: once(() => openPrompterOf(runtime)),
    config: once(async () => {
      const { openConfig } = await import('../config/open-config.ts');
      return openConfig({ environment, globals: runtime.globals, platform, uid, node });
    }),
    api: once(() => closeLater(openApi(runtime, parts.version))),
    apiFor: ({ baseUrl, apiKey }) =>
      openClientFor(runtime, parts.version, { baseUrl, apiKey: async () => apiKey }),
    ledger: once(() => closeLater(openLedgerOf(runtime))),
    inbox: once(() => closeLater(openInboxOf(runtime))),
    async close() {
      const [it] = opened.splice(-1);
      // The others too, whatever happens to this one: a connection left open would keep the process alive.
      await it?.close().finally(() => runtime.close());
    },
  };
  const openOutput = once(() => openOutputOf(runtime, node));
  return runtime;
}

export interface RuntimeParts {
  readonly io: Io;
  readonly clock: Clock;
  readonly environment: Environment;
  readonly platform: NodeJS.Platform;
  /** The effective user id, where the platform has one. */
  readonly uid: number | undefined;
  /** The path of this Node, with which the keychain is asked; null in the single executable, which is no Node. */
  readonly node: string | null;
  readonly saveCompiledCode?: Runtime['saveCompiledCode'];
  readonly preloadCode?: Runtime['preloadCode'];
  /** This program's version, for the User-Agent. */
  readonly version: string;
  readonly signal: AbortSignal;
  /** Read when a thunk first runs, that is, after parsing. */
  readonly globals: () => Globals;
}

async function openPrompterOf(runtime: Runtime): Promise<Prompter> {
  const { io, environment, globals, signal } = runtime;
  const noInput = globals.input === false;
  // Some pipelines give their jobs a terminal, at which a question would wait until the job is killed.
  if (isSilencedByCi(io, environment, { noInput }))
    (await runtime.output()).note('CI is set, so nothing is asked.');
  const ascii = findForeignLocale(environment) !== null;
  const options = { noInput: noInput || isPipeline(environment), signal, ascii };
  if (environment.TERM === 'dumb') {
    const { createPlainPrompter } = await import('../terminal/plain-prompter.ts');
    return createPlainPrompter(io, options);
  }
  const { createPrompter } = await import('../terminal/inquirer-prompter.ts');
  return createPrompter(io, options);
}

async function openOutputOf(runtime: Runtime, node: RuntimeParts['node']): Promise<Output> {
  const { io, clock, environment, globals, flight } = runtime;
  const { createOutput } = await import('../terminal/render-output.ts');
  const timeZone = await readTimeZone(runtime);
  const reword = createCommandReworder(programNameOf(environment, node), globals);
  const onDone = (what: string) => {
    flight.completed = { what, hint: 'There is no need to do it again.' };
  };
  const dumb = environment.TERM === 'dumb';
  const ascii = findForeignLocale(environment) === null ? (dumb ? 'borders' : undefined) : 'all';
  const options = outputOptions(globals);
  const filter = await openFilterOf(runtime);
  return createOutput(io, { ...options, filter, timeZone, ascii, dumb, reword, onDone }, clock);
}

/** The filter of `--jq`, if the line has one: only then is jq loaded. */
async function openFilterOf(runtime: Runtime): Promise<Filter | undefined> {
  const { jq } = runtime.globals;
  return jq === undefined ? undefined : (await import('./filter.ts')).openFilter(runtime, jq);
}

function once<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | undefined;
  return () => {
    made ??= make();
    return made;
  };
}
