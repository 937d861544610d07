/**
 * What a command is handed. Cheap things are values, costly ones thunks: a command that does not call `api()` loads no
 * undici, no zod and no database.
 */
import type { Api } from './api/client.ts';
import type { Clock } from './clock.ts';
import type { Config } from './config/profile.ts';
import type { PixctlError } from './errors.ts';
import type { Environment } from './flags/environment.ts';
import type { Globals } from './flags/globals.ts';
import type { Inbox } from './inbox/inbox.ts';
import type { Ledger } from './ledger/ledger.ts';
import type { CompletedAction } from './runtime/completed-action.ts';
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
    /** Whether the outcome of a send would be unknown if the process ended now: a second signal then ends with 81. */
    outcomeUnknown: boolean;
    /**
     * Whether bytes of a request that may change something have left this machine since its sender set this to false.
     */
    hasSent: boolean;
    /**
     * A sentence that says how a user who does not wait for the outcome can find it out. Null where only the service
     * itself can tell.
     */
    outcomeHint: string | null;
    /** What has been done but not shown yet; if it cannot be shown, the last words of the run report it. */
    completed: CompletedAction | null;
    /**
     * Whether the command goes on when the expression of `--jq` fails on what it shows, although it sends the service
     * nothing: it answers deliveries, or posts to an application.
     */
    continuesOnFilterError?: boolean;
    /** How a run ends that could not apply the expression of `--jq`, unless it ends with another error. */
    filterError?: PixctlError;
  };
  /**
   * Keeps the code compiled so far for the next run; for commands that may be ended by a kill. `reached`: 1 when the
   * command is ready, 2 when it has also served. Never throws.
   */
  saveCompiledCode(reached: 1 | 2): void;
  /**
   * Lets the run go on without reading any more files of the program, so that a newer version may be installed
   * meanwhile. Throws if one has been installed already (`runtime/replaced-error.ts`).
   */
  preloadCode(): void;
  /**
   * `view`: what the command will show. Throws (64) for a `--fields` that it does not have, before anything is sent.
   */
  output<T>(view?: View<T>): Promise<Output>;
  prompter(): Promise<Prompter>;
  config(): Promise<Config>;
  api(): Promise<Api>;
  /**
   * A client for an address and key that belong to no profile: `login` checks a key before storing it. The caller
   * closes it.
   */
  apiFor(target: { readonly baseUrl: string; readonly apiKey: string }): Promise<Api>;
  ledger(): Promise<Ledger>;
  inbox(): Promise<Inbox>;
}
