/** `listen --poll`: hands the poller its lists, its memory and a place for its events. */
import { isChargeStatus } from '../../../contract/charge.ts';
import { listLimit } from '../../../contract/pagination.ts';
import { isWithdrawalStatus, type Withdrawal } from '../../../contract/withdrawal.ts';
import { PixctlError } from '../../../errors.ts';
import type { Inbox } from '../../../inbox/inbox.ts';
import type { Listener } from '../../../listener/listen.ts';
import { poll } from '../../../listener/poll/poll.ts';
import type { Runtime } from '../../../runtime.ts';
import { makeVisible } from '../../../terminal/escape.ts';
import { whichSandbox } from '../which-sandbox.ts';
import type { ListenOptions } from './options.ts';

export interface PollingOptions {
  readonly options: ListenOptions;
  readonly listener: Listener;
  readonly inbox: Inbox;
  readonly secret: string;
  /** When the command began, milliseconds since the epoch. */
  readonly startedAt: number;
  readonly signal: AbortSignal;
  /** Told of a round that failed; the next one tries again, unless the inbox is of no use any more. */
  readonly trouble: (cause: unknown) => void;
}

/** Resolves when the signal aborts. Rejects when the service refuses the key. */
export async function startPolling(runtime: Runtime, polling: PollingOptions): Promise<void> {
  const { options, listener, inbox, secret, startedAt, signal, trouble } = polling;
  const [api, output, config] = await Promise.all([runtime.api(), runtime.output(), runtime.config()]);
  const { baseUrl, merchant } = config.profile();
  const everyMs = options.pollMs ?? 0;
  const sandbox = await whichSandbox(runtime);
  output.note(
    `Reading ${baseUrl} every ${everyMs / 1000} s; what changes there becomes an event, marked as made here.`,
  );
  const tellUnnamed = once(() =>
    output.warn(
      'The service lists withdrawals without an id. No events are made for them: they cannot be told apart.',
    ),
  );
  const tellUnpaged = once(() =>
    output.warn(
      'The service lists withdrawals without pagination: of those that are not on its one page no events are made.',
    ),
  );
  const unknown = new Set<string>();
  const tellUnknown = (what: string, statuses: readonly string[]) => {
    for (const status of statuses) {
      if (unknown.size === mostUnknown || unknown.has(`${what} ${status}`)) continue;
      unknown.add(`${what} ${status}`);
      output.warn(
        `The service lists ${what} with the status ${makeVisible(status.slice(0, 100))}, which its document does not show. No event is made for a change to it.`,
      );
    }
  };
  const paging = { limit: listLimit.max, signal };
  await poll(
    {
      clock: runtime.clock,
      everyMs,
      scope: `${baseUrl} ${merchant}`,
      since: options.since,
      startedAt,
      pages: {
        async *charge() {
          for await (const { items } of api.pages('listCharges', undefined, paging)) {
            tellUnknown(
              'charges',
              statusesOf(items).filter((status) => !isChargeStatus(status)),
            );
            yield items;
          }
        },
        async *withdrawal() {
          for await (const page of api.pages('listWithdrawals', undefined, paging)) {
            if (page.isUnpaged) tellUnpaged();
            const named = page.items.filter(hasId);
            if (named.length < page.items.length) tellUnnamed();
            tellUnknown(
              'withdrawals',
              statusesOf(named).filter((status) => !isWithdrawalStatus(status)),
            );
            yield named;
          }
        },
      },
      marks: {
        read: (scope) => inbox.pollSeen(scope),
        write: (scope, marks, forgotten) => inbox.pollRemember(scope, marks, forgotten),
      },
      take: ({ headers, body }) => listener.takeSynthetic(headers, body, secret),
      secret,
      signatureHeader: options.signatureHeader,
      onTrouble(cause, againInMs) {
        const { kind, code, message } = cause;
        const hint =
          againInMs === everyMs
            ? `Read again every ${everyMs / 1000} s.`
            : `Read again in ${Math.ceil(againInMs / 1000)} s, as the service asked.`;
        trouble(kind === 'storage' ? cause : new PixctlError(kind, code, message, { hint }));
      },
    },
    signal,
  ).catch(async (cause: unknown) => {
    throw await startedAnew(runtime, cause, sandbox, baseUrl);
  });
}

/** A sandbox without `--state` has another key each time, which the profile has by now: nobody needs to log in. */
async function startedAnew(
  runtime: Runtime,
  cause: unknown,
  before: string | null,
  baseUrl: string,
): Promise<unknown> {
  if (!(cause instanceof PixctlError) || cause.kind !== 'auth' || before === null) return cause;
  const now = await whichSandbox(runtime);
  if (now === null || now === before) return cause;
  return new PixctlError(
    'auth',
    cause.code,
    `The sandbox at ${baseUrl} was restarted during this run, with another key.`,
    { hint: 'Start this again.', cause },
  );
}

const hasId = (withdrawal: Withdrawal): withdrawal is Withdrawal & { id: string } =>
  withdrawal.id !== undefined;

/** More are no names of a status: one with a time in it would be another each round. */
const mostUnknown = 20;

const statusesOf = (all: readonly { readonly status: string }[]): string[] => all.map(({ status }) => status);

function once(tell: () => void): () => void {
  let told = false;
  return () => {
    if (!told) tell();
    told = true;
  };
}
