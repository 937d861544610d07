/** Talks to the control plane of a running sandbox, on this machine and nowhere else. */
import { controlSecret, sandboxProfile } from '../../config/profile.ts';
import { sandboxKeyPrefix } from '../../contract/sandbox-key.ts';
import { asSentence, configError, PixctlError } from '../../errors.ts';
import { timeoutOf } from '../../flags/duration.ts';
import type { CompletedAction } from '../../runtime/completed-action.ts';
import { forgetfulSandbox } from '../../runtime/remedies.ts';
import { traceOf } from '../../runtime/trace.ts';
import type { Runtime } from '../../runtime.ts';
import { noSuchRoute, readRefusal, refusedKind } from '../../sandbox/control/refused.ts';
import {
  type ControlReply,
  checkFirstHint,
  sendControlRequest,
  startHint,
} from '../../sandbox/control/request.ts';
import type { View } from '../../terminal/view.ts';

export interface Control {
  readonly url: string;
  /** Calls `path` (below `/__sandbox`, encoded). Throws what the sandbox refuses with, in this program's words. */
  call<T>(method: string, path: string, body?: unknown): Promise<T>;
  /** Sends and receives bytes, for snapshots. */
  bytes(method: string, path: string, body?: Uint8Array): Promise<Uint8Array>;
}

/** Finds the sandbox and a token for it. Throws 78 if none was started here, 77 if there is no key for it. */
export async function openControl(runtime: Runtime): Promise<Control> {
  const { signal, globals, clock } = runtime;
  const trace = traceOf(runtime);
  const timeoutMs = timeoutOf(globals);
  const url = await addressOf(runtime);
  const stored = await readStoredToken(runtime, url);
  const first = stored ?? (await readSandboxKey(runtime));
  if (first === null) throw noKeyError(url);
  let token = first;
  const send = async (method: string, path: string, body: Uint8Array | null, type: string) => {
    const exchange = async () => {
      const begun = clock.monotonic();
      trace?.(`> ${method} ${url}/__sandbox${path}`);
      const request = { url, token, method, path, body, type, signal, timeoutMs };
      const reply = await sendControlRequest({ ...request, lateHint: 'Give a longer --timeout.' });
      trace?.(`< ${reply.status} (${Math.round(clock.monotonic() - begun)} ms)`);
      if (!reply.isSandbox) throw otherServerError(url);
      return reply;
    };
    let reply = await exchange();
    // Another sandbox has that address by now, whose token was not stored here. It did nothing.
    const key = reply.status === 401 && token === stored ? await readSandboxKey(runtime) : null;
    if (key !== null) {
      token = key;
      reply = await exchange();
    }
    if (reply.status >= 300) throw refusal(reply, path);
    if (method !== 'GET') runtime.flight.completed = requestCompleted(method, path);
    return reply.body;
  };
  return {
    url,
    async call<T>(method: string, path: string, body?: unknown) {
      const bytes = body === undefined ? null : Buffer.from(JSON.stringify(body));
      const answer = await send(method, path, bytes, 'application/json');
      return JSON.parse(Buffer.from(answer).toString('utf8')) as T;
    },
    bytes: (method, path, body) => send(method, path, body ?? null, 'application/octet-stream'),
  };
}

/** Makes one call and shows the sandbox's answer. */
export async function showAnswer<T extends object>(
  runtime: Runtime,
  view: View<T>,
  ...request: [method: string, path: string, body?: object]
): Promise<void> {
  const output = await runtime.output(view);
  const control = await openControl(runtime);
  await output.show(view, await control.call<T>(...request));
}

const requestCompleted = (method: string, path: string): CompletedAction => ({
  what: `The sandbox did what was asked (${method} ${path}).`,
  hint: checkFirstHint,
});

/**
 * Returns the address that flag or environment give; otherwise that of the profile that `sandbox start` wrote, even if
 * another one is current.
 */
async function addressOf({ config, globals, environment }: Runtime): Promise<string> {
  const { list, profile } = await config();
  const said =
    globals.profile ?? globals.baseUrl ?? (environment.PIXCTL_BASE_URL || environment.PIXCTL_PROFILE);
  const written = said ? undefined : list().find(({ name }) => name === sandboxProfile);
  if (!said && written === undefined) {
    throw configError(
      'NO_SANDBOX',
      'No sandbox was started with this configuration. Nothing was sent.',
      startHint,
    );
  }
  const { baseUrl } = written ?? profile();
  if (/^http:\/\/(localhost|127\.0\.0\.1|\[::1\])(:\d+)?$/.test(baseUrl)) return baseUrl;
  throw configError(
    'NOT_A_SANDBOX',
    `${baseUrl} is not a sandbox on this machine. Nothing was sent.`,
    otherAddressHint,
  );
}

const otherAddressHint = 'Start one with pixctl sandbox start, then give --profile sandbox.';

/** Returns the token that `sandbox start` stored for that address; null if it stored none. */
async function readStoredToken({ config }: Runtime, url: string): Promise<string | null> {
  const stored = await (await config()).ifReadable.readSecret(controlSecret);
  const known = stored === null ? null : (JSON.parse(stored) as { url: string; token: string });
  return known?.url === url ? known.token : null;
}

/** Returns the API key in use, which will do as well, if it is that of a sandbox. */
async function readSandboxKey({ config }: Runtime): Promise<string | null> {
  const key = await (await config()).apiKey();
  return key?.startsWith(sandboxKeyPrefix) ? key : null;
}

const keyHint = 'Set PIXCTL_API_KEY to the key that pixctl sandbox start showed.';

const noKeyError = (url: string) =>
  new PixctlError('auth', 'NO_KEY', `There is no key of a sandbox for ${url}. Nothing was sent.`, {
    hint: keyHint,
  });

function refusal({ status, body }: ControlReply, path: string): PixctlError {
  const error = readRefusal(body);
  const hints: Readonly<Record<number, string | undefined>> = {
    401: keyHint,
    404: error?.message === noSuchRoute ? undefined : missingHint(path),
  };
  return new PixctlError(
    refusedKind(status),
    error?.code ?? 'REFUSED',
    asSentence(error?.message ?? `the sandbox answered ${status}`),
    { hint: error?.hint ? asSentence(error.hint) : hints[status], httpStatus: status },
  );
}

/** A state keeps records, but no faults. */
const missingHint = (path: string): string =>
  path.startsWith('/faults/')
    ? 'pixctl sandbox fault list shows those in force.'
    : `Check its spelling. ${forgetfulSandbox}`;

/** The error for another program at that address: whatever it answered, nothing was saved, restored or reset. */
const otherServerError = (url: string) =>
  new PixctlError('unexpected', 'NOT_A_SANDBOX', `What answers at ${url} is not a pixctl sandbox.`, {
    hint: otherAddressHint,
  });
