/** What was asked of the service, as far as the verdict on its answer depends on it. */
import type { OutgoingRequest } from './exchange.ts';
import type { Read } from './lasting.ts';
import type { Remedies } from './remedies.ts';

export interface Asked extends Read {
  readonly method: OutgoingRequest['method'];
  /** Path as in the document, for messages. */
  readonly path: string;
  /** The path that was asked for, with its query, if it is another. */
  readonly asSent?: string;
  readonly host: string;
  readonly remedies: Remedies;
  /** The path is of the user's own choice, and the caller shows the whole answer itself (`pixctl api`). */
  readonly isShown?: boolean;
}
