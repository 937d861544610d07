/**
 * What a command is handed. Cheap things are values, costly ones thunks: whoever does not call `api()`
 * does not load undici, zod or a database.
 */
import type { Api } from './api/client.ts';
import type { Clock } from './clock.ts';
import { type Config, sandboxProfile } from './config/profile.ts';
import { configError, usageError } from './errors.ts';
import { parseDuration } from './flags/duration.ts';
import type { Globals } from './flags/globals.ts';
import type { Inbox } from './inbox/inbox.ts';
import type { Ledger } from './ledger/ledger.ts';
import { makeVisible } from './terminal/escape.ts';
import type { Io } from './terminal/io.ts';
import type { Output } from './terminal/output.ts';
import type { Prompter } from './terminal/prompter.ts';

export interface Runtime {
  readonly io: Io;
  readonly clock: Clock;
  /** A copy of the environment. */
  readonly environment: Environment;
  /** The global flags, known once the command line has been parsed. */
  readonly globals: Globals;
  /** Aborts at the first SIGINT or SIGTERM; its reason is the signal's name. */
  readonly signal: AbortSignal;
  /** Dying this moment would leave unknown what became of a send: a second signal then ends with 81. */
  readonly flight: { unknown: boolean };
  output(): Promise<Output>;
  prompter(): Promise<Prompter>;
  config(): Promise<Config>;
  api(): Promise<Api>;
  /** A client for an address and a key that no profile holds yet: `login` checks before it keeps. The caller closes it. */
  apiFor(target: { readonly baseUrl: string; readonly apiKey: string }): Promise<Api>;
  ledger(): Promise<Ledger>;
  inbox(): Promise<Inbox>;
}

export type Environment = Readonly<Record<string, string | undefined>>;

export interface RuntimeParts {
  readonly io: Io;
  readonly clock: Clock;
  readonly environment: Environment;
  readonly platform: NodeJS.Platform;
  /** The effective user id, where the platform has one. */
  readonly uid: number | undefined;
  /** The path of this Node, which the keychain is asked with. */
  readonly node: string;
  /** Of this program, for the User-Agent. */
  readonly version: string;
  readonly signal: AbortSignal;
  /** Read when a thunk first runs, that is, after parsing. */
  readonly globals: () => Globals;
}

/** A runtime whose thunks each run once, and a `close` for whatever they opened. */
export function createRuntime(parts: RuntimeParts): Runtime & { close(): Promise<void> } {
  const { io, clock, environment, platform, uid, node, signal } = parts;
  const opened: { close(): Promise<void> }[] = [];
  const kept = async <T extends { close(): Promise<void> }>(opening: Promise<T>): Promise<T> => {
    const it = await opening;
    opened.push(it);
    return it;
  };
  const runtime: Runtime = {
    io,
    clock,
    environment,
    signal,
    flight: { unknown: false },
    get globals() {
      return parts.globals();
    },
    output: once(async () => {
      const { createOutput } = await import('./terminal/render-output.ts');
      const chosen = environment.TZ || (await timeZoneSet(runtime));
      const options = {
        ...outputOptions(runtime.globals),
        // Asked for late: the first look at the system's zone costs as much as starting Node.
        get timeZone() {
          return chosen ?? Intl.DateTimeFormat().resolvedOptions().timeZone;
        },
      };
      return createOutput(io, options, clock);
    }),
    prompter: once(async () => {
      const { createPrompter } = await import('./terminal/ask.ts');
      return createPrompter(io, { noInput: runtime.globals.input === false, signal });
    }),
    config: once(async () => {
      const { openConfig } = await import('./config/open-config.ts');
      return openConfig({ environment, globals: runtime.globals, platform, uid, node });
    }),
    api: once(() => kept(openApi(runtime, parts.version))),
    apiFor: ({ baseUrl, apiKey }) => clientFor(runtime, parts.version, baseUrl, async () => apiKey),
    ledger: once(() => kept(openLedgerOf(runtime))),
    inbox: once(() => kept(openInboxOf(runtime))),
  };
  const close = async () => {
    for (const it of opened.reverse()) await it.close();
  };
  return Object.defineProperty(runtime, 'close', { value: close }) as Runtime & { close(): Promise<void> };
}

function once<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | undefined;
  return () => {
    made ??= make();
    return made;
  };
}

function outputOptions(globals: Globals) {
  const format = globals.json === true ? 'json' : (globals.output ?? 'table');
  if (globals.json === true && globals.output !== undefined && globals.output !== 'json')
    throw usageError(`--json and -o ${globals.output} contradict each other`, 'Give one of them.');
  return {
    format,
    fields: globals.fields === undefined ? null : globals.fields.split(',').map((field) => field.trim()),
    quiet: globals.quiet === true,
    csvLocale: globals.csvLocale ?? 'machine',
  } as const;
}

/** The setting, if any. Only people read local times; a broken setting must not hide an answer. */
async function timeZoneSet({ io, config }: Runtime): Promise<string | undefined> {
  if (!io.stdoutIsTerminal) return undefined;
  const set = await config().then(
    (it) => it.get('timeZone'),
    () => undefined,
  );
  return typeof set === 'string' ? set : undefined;
}

/** The bound on one exchange where neither flag nor setting says otherwise, milliseconds. */
const defaultTimeoutMs = 30_000;

async function openApi(runtime: Runtime, version: string): Promise<Api> {
  const config = await runtime.config();
  return clientFor(runtime, version, config.profile().baseUrl, () => config.apiKey());
}

async function clientFor(
  runtime: Runtime,
  version: string,
  baseUrl: string,
  apiKey: () => Promise<string | null>,
): Promise<Api> {
  const { io, clock, environment, globals, signal } = runtime;
  const { createClient } = await import('./api/create-client.ts');
  return createClient({
    baseUrl,
    apiKey,
    clock,
    timeoutMs: await timeoutOf(runtime),
    environment,
    signal,
    userAgent: `pixctl/${version}`,
    sandboxOrigins: await sandboxOriginsOf(runtime),
    readsOnly: globals.dryRun === true,
    ...(globals.debug === true ? { trace: (line: string) => io.writeError(makeVisible(line)) } : {}),
  });
}

/** Where a sandbox was started last. */
async function sandboxOriginsOf({ config }: Runtime): Promise<string[]> {
  const profiles = await config().then((it) => it.list());
  return profiles.filter(({ name }) => name === sandboxProfile).map(({ baseUrl }) => new URL(baseUrl).origin);
}

/** Flag, setting, default. */
async function timeoutOf({ globals, config }: Runtime): Promise<number> {
  const typed = globals.timeout ?? (await config()).get('timeout');
  return typeof typed === 'string' ? parseDuration(typed) : defaultTimeoutMs;
}

/**
 * The ledger of `PIXCTL_LEDGER_URL`, else of the state directory. Its id is pinned in the settings at first
 * use (`PIXCTL_LEDGER_ID` where there are none), so that a deleted, emptied or exchanged ledger is noticed.
 */
async function openLedgerOf(runtime: Runtime): Promise<Ledger> {
  const { clock, environment } = runtime;
  const config = await runtime.config();
  const { openLedger } = await import('./ledger/open.ts');
  const pinned = environment.PIXCTL_LEDGER_ID ?? config.get('ledger.id');
  const url = environment.PIXCTL_LEDGER_URL ?? `${config.directories.state}/ledger.sqlite`;
  const ledger = await openLedger({ url, expectedId: typeof pinned === 'string' ? pinned : null, clock });
  if (pinned === undefined) await pin(ledger, config);
  return ledger;
}

async function pin(ledger: Ledger, config: Config): Promise<void> {
  try {
    await config.set('ledger.id', ledger.id);
  } catch (cause) {
    await ledger.close();
    throw configError(
      'LEDGER_NOT_PINNED',
      'the ledger was opened, but its id could not be kept in the settings; nothing was sent',
      `Make ${config.path} writable, or set PIXCTL_LEDGER_ID=${ledger.id}.`,
      { cause },
    );
  }
}

/** Beside the ledger where hosts share a PostgreSQL; a file of its own otherwise. */
async function openInboxOf({ clock, environment, config }: Runtime): Promise<Inbox> {
  const [{ openInbox }, { join }] = await Promise.all([import('./inbox/open.ts'), import('node:path')]);
  const shared = environment.PIXCTL_LEDGER_URL ?? '';
  const url = /^postgres(ql)?:/i.test(shared)
    ? shared
    : join((await config()).directories.state, 'inbox.sqlite');
  return openInbox({ url, clock });
}
