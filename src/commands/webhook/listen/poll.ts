/** `listen --poll`: hands the poller its lists, its memory and a place for its events. */
import { PixctlError } from '../../../errors.ts';
import type { Inbox } from '../../../inbox/inbox.ts';
import type { Listener } from '../../../listener/listen.ts';
import { poll } from '../../../listener/poll/poll.ts';
import type { Runtime } from '../../../runtime.ts';
import { identifySandbox } from '../identify-sandbox.ts';
import type { ListenOptions } from './options.ts';
import { createPollPages } from './poll-pages.ts';

interface PollingOptions {
  readonly options: ListenOptions;
  readonly listener: Listener;
  readonly inbox: Inbox;
  readonly secret: string;
  /** When the command began. Milliseconds since the epoch. */
  readonly startedAt: number;
  readonly signal: AbortSignal;
  /** Called for a round that failed. The next one tries again, unless the inbox has become unusable. */
  readonly trouble: (cause: unknown) => void;
}

/** Polls. Resolves when the signal aborts. Rejects if the service refuses the key. */
export async function startPolling(runtime: Runtime, polling: PollingOptions): Promise<void> {
  const { options, listener, inbox, secret, startedAt, signal, trouble } = polling;
  const [api, output, config] = await Promise.all([runtime.api(), runtime.output(), runtime.config()]);
  const { baseUrl, merchant } = config.profile();
  const everyMs = options.pollMs ?? 0;
  const sandbox = await identifySandbox(runtime);
  output.note(
    `Reading ${baseUrl} every ${everyMs / 1000} s; what changes there becomes an event, marked as made here.`,
  );
  await poll(
    {
      clock: runtime.clock,
      everyMs,
      scope: `${baseUrl} ${merchant}`,
      since: options.since,
      startedAt,
      pages: createPollPages(api, output.warn, signal),
      marks: {
        read: (scope) => inbox.readPollMarks(scope),
        write: (scope, marks, forgotten) => inbox.writePollMarks(scope, marks, forgotten),
      },
      storeEvent: ({ headers, body }) => listener.receiveSynthetic(headers, body, secret),
      secret,
      signatureHeader: options.signatureHeader,
      onTrouble(cause, againInMs) {
        const { kind, code, message } = cause;
        const hint =
          againInMs === everyMs
            ? `Trying again every ${everyMs / 1000} s.`
            : `Trying again in ${Math.ceil(againInMs / 1000)} s, as the service asked.`;
        trouble(kind === 'storage' ? cause : new PixctlError(kind, code, message, { hint }));
      },
    },
    signal,
  ).catch(async (cause: unknown) => {
    throw await startedAnew(runtime, cause, sandbox, baseUrl);
  });
}

/** How long a sandbox that has just been started may take to write its profile. Milliseconds. */
const profileMs = 1_000;

/** Explains a new key: a sandbox without `--state` has another one each time, which the profile has by now. */
async function startedAnew(
  runtime: Runtime,
  cause: unknown,
  before: string | null,
  baseUrl: string,
): Promise<unknown> {
  if (!(cause instanceof PixctlError) || cause.kind !== 'auth' || before === null) return cause;
  let now = await identifySandbox(runtime);
  if (now === before) {
    // A sandbox answers before it has written its profile.
    await runtime.clock.sleep(profileMs, runtime.signal);
    now = await identifySandbox(runtime);
  }
  if (now === null || now === before) return cause;
  return new PixctlError(
    'auth',
    cause.code,
    `The sandbox at ${baseUrl} was restarted during this run, with another key.`,
    { hint: 'Start this command again.', cause },
  );
}
