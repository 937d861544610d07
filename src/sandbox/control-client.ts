/** Calls the control plane of a sandbox in another process, for a test: what is refused there is thrown here. */
import { isErrorCode } from '../contract/error-codes.ts';
import { configError, messageOf, PixctlError, usageError } from '../errors.ts';
import { readRefusal, refusedKind } from './control/refused.ts';
import { type ControlReply, sendControlRequest } from './control/request.ts';
import { Refusal } from './rules/refusal.ts';

export interface ControlClient {
  /** Base URL of the sandbox, without trailing slash. */
  readonly url: string;
  /**
   * Makes one call, and resolves with its answer even if that is a refusal. Rejects if nobody answers, or something
   * that is no sandbox.
   */
  send(call: ControlCall): Promise<ControlReply>;
  /** Makes one call and resolves with what its JSON says. Rejects with what the sandbox refuses it with. */
  call<T>(method: string, path: string, body?: object): Promise<T>;
}

interface ControlCall {
  readonly method: string;
  /** Below `/__sandbox`, encoded. */
  readonly path: string;
  readonly body?: Uint8Array | null;
  readonly signal?: AbortSignal;
  /** Real milliseconds without a sign of life. By default five minutes: an advance of the clock may take two. */
  readonly timeoutMs?: number;
}

/** @param isOpen whether calls may still be made */
export function createControlClient(
  { url, token }: { readonly url: string; readonly token: string },
  isOpen: () => boolean = () => true,
): ControlClient {
  const send = async ({ timeoutMs = 300_000, body = null, ...call }: ControlCall) => {
    if (!isOpen()) throw usageError(`the connection to the sandbox at ${url} is closed`);
    const request = { url, token, type: 'application/json', timeoutMs, body, ...call };
    const reply = await sendControlRequest(request);
    if (!reply.isSandbox) throw notASandboxError(url);
    return reply;
  };
  return {
    url,
    send,
    async call<T>(method: string, path: string, body?: object) {
      const bytes = body === undefined ? null : toBytes(body);
      return toAnswer(url, await send({ method, path, body: bytes })) as T;
    },
  };
}

/** Returns the path of these names and ids, encoded. Throws a `Refusal` for an id that no path can have. */
export const pathOf = (...parts: readonly string[]): string =>
  parts
    .map((part) => {
      // These are removed from a path, which would then lead elsewhere: from one fault to all of them.
      if (/^\.{0,2}$/.test(part)) throw new Refusal('NOT_FOUND', `there is nothing with the id "${part}"`);
      return `/${encodeURIComponent(part.toWellFormed())}`;
    })
    .join('');

/** Returns the query of what was given, with its `?`. What is undefined counts as left out. */
export function queryOf(given: object): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(given)) if (value !== undefined) query.set(name, String(value));
  return `?${query}`;
}

function toBytes(body: object): Uint8Array {
  try {
    return Buffer.from(JSON.stringify(body));
  } catch (cause) {
    throw usageError(`what a sandbox in another process is sent must be JSON: ${messageOf(cause)}`);
  }
}

/** Returns what the answer's JSON says. Throws what it refuses with. */
export function toAnswer(url: string, reply: ControlReply): unknown {
  if (reply.status >= 300) throw refusedError(url, reply);
  return JSON.parse(Buffer.from(reply.body).toString('utf8'));
}

/** Returns the error of an answer that refuses: the one that the same call throws in the sandbox's own process. */
export function refusedError(url: string, { status, body }: ControlReply): Error {
  const { code, message, hint } = readRefusal(body) ?? {};
  if (code === undefined || message === undefined) return notASandboxError(url);
  if (code === 'NO_TOKEN') return otherSandboxError(url);
  return isErrorCode(code)
    ? new Refusal(code, message, status)
    : new PixctlError(refusedKind(status), code, message, { hint, httpStatus: status });
}

const notASandboxError = (url: string) =>
  configError('NOT_A_SANDBOX', `What answers at ${url} is not a pixctl sandbox.`);

const otherSandboxError = (url: string) =>
  configError(
    'OTHER_SANDBOX',
    `The sandbox at ${url} is another one than was connected to: it was started since, and has other keys.`,
  );
