/**
 * What a command is handed. Cheap things are values, costly ones thunks: whoever does not call `api()`
 * does not load undici, zod or a database.
 */
import type { Api } from './api/client.ts';
import type { Clock } from './clock.ts';
import type { Config } from './config/profile.ts';
import type { Globals } from './flags/globals.ts';
import type { Inbox } from './inbox/inbox.ts';
import type { Ledger } from './ledger/ledger.ts';
import type { Io } from './terminal/io.ts';
import type { Output } from './terminal/output.ts';
import type { Prompter } from './terminal/prompter.ts';

export interface Runtime {
  readonly io: Io;
  readonly clock: Clock;
  /** A copy of the environment. */
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** The global flags, known once the command line has been parsed. */
  readonly globals: Globals;
  /** Aborts at the first SIGINT or SIGTERM; its reason tells which. */
  readonly signal: AbortSignal;
  output(): Promise<Output>;
  prompter(): Promise<Prompter>;
  config(): Promise<Config>;
  api(): Promise<Api>;
  ledger(): Promise<Ledger>;
  inbox(): Promise<Inbox>;
}
