/**
 * What a command is handed. Cheap things are values, costly ones thunks: whoever does not call `api()`
 * does not load undici, zod or a database.
 */
import type { Api } from './api/client.ts';
import type { Clock } from './clock.ts';
import type { Config } from './config/profile.ts';
import type { Environment } from './flags/environment.ts';
import type { Globals } from './flags/globals.ts';
import type { Inbox } from './inbox/inbox.ts';
import type { Ledger } from './ledger/ledger.ts';
import type { Done } from './runtime/done.ts';
import type { Io } from './terminal/io.ts';
import type { Output } from './terminal/output.ts';
import type { Prompter } from './terminal/prompter.ts';
import type { View } from './terminal/view.ts';

export interface Runtime {
  readonly io: Io;
  readonly clock: Clock;
  /** A copy of the environment. */
  readonly environment: Environment;
  /** The global flags, known once the command line has been parsed. */
  readonly globals: Globals;
  /** Aborts at the first SIGINT, SIGTERM or SIGHUP; its reason is the signal's name. */
  readonly signal: AbortSignal;
  readonly flight: {
    /** If the process ended now, the outcome of a send would be unknown: a second signal then ends with 81. */
    unknown: boolean;
    /** Bytes of a request that may change something have left this machine, since its sender set this to false. */
    left: boolean;
    /** How whoever does not wait for the outcome finds it out, a sentence; null where only a look does. */
    findOut: string | null;
    /** What has been done but not shown yet; reported as the last words if it cannot be shown. */
    done: Done | null;
  };
  /**
   * Keeps what has been compiled so far for the next run: for what may be ended by a kill. `reached`: 1 where
   * the command is ready, 2 where it has served too. Never throws.
   */
  keepCode(reached: 1 | 2): void;
  /**
   * From now on the run needs no file of the program any more, so that a newer version may be installed in its place.
   * Throws where one has been already (`runtime/replaced.ts`).
   */
  holdCode(): void;
  /** `view`: what the command will show; refuses (64) a `--fields` that it does not have, before anything is sent. */
  output<T>(view?: View<T>): Promise<Output>;
  prompter(): Promise<Prompter>;
  config(): Promise<Config>;
  api(): Promise<Api>;
  /** A client for an address and key of no profile: `login` checks a key before it stores it. The caller closes it. */
  apiFor(target: { readonly baseUrl: string; readonly apiKey: string }): Promise<Api>;
  ledger(): Promise<Ledger>;
  inbox(): Promise<Inbox>;
}
