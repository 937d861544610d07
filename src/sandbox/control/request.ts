/** Sends one request to a sandbox's control plane. */
import { getBuiltinModule } from 'node:process';
import { timerDelay } from '../../clock.ts';
import { PixctlError } from '../../errors.ts';

interface ControlRequest {
  readonly url: string;
  readonly token: string;
  readonly method: string;
  /** Path below `/__sandbox`. */
  readonly path: string;
  readonly body: Uint8Array | null;
  readonly type: string;
  readonly signal?: AbortSignal | undefined;
  /** Bound on the answer, milliseconds. Without it, the sandbox may take its time. */
  readonly timeoutMs?: number | undefined;
  /** What to do about a late answer. */
  readonly lateHint?: string | undefined;
}
export interface ControlReply {
  /** Whether a sandbox says that it answers. */
  readonly isSandbox: boolean;
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: Uint8Array;
}

/** Says with an event how often the log that it is from has been replaced by a restore. */
export const replacementsHeader = 'x-sandbox-replacements';

/** What to do if no sandbox answers. */
export const startHint = 'Start the sandbox in another terminal: pixctl sandbox start';
/** What to do if one answered, or may have, and the answer was not seen. */
export const checkFirstHint = 'Check what happened before you repeat it.';

/**
 * Sends the request. Rejects with `later` (75) when no sandbox answers, and `unknown` (81) when it may have been
 * carried out.
 */
export function sendControlRequest(it: ControlRequest): Promise<ControlReply> {
  return new Promise((resolve, reject) => {
    let reached = false;
    const fail = (cause: NodeJS.ErrnoException) => reject(toControlError(it, cause, reached));
    const headers: Record<string, string | number> = { authorization: `Bearer ${it.token}` };
    if (it.body !== null) headers['content-type'] = it.type;
    headers['content-length'] = it.body?.length ?? 0;
    const { method, signal } = it;
    const sent = getBuiltinModule('node:http').request(
      `${it.url}/__sandbox${it.path}`,
      { method, headers, agent: false, ...(signal && { signal }) },
      (response) => {
        const chunks: Buffer[] = [];
        response
          .on('data', (chunk: Buffer) => chunks.push(chunk))
          .on('end', () => {
            const { statusCode: status = 0, headers } = response;
            const isSandbox = headers['x-sandbox'] === 'pixctl';
            resolve({ isSandbox, status, headers, body: Buffer.concat(chunks) });
          })
          .on('error', fail);
      },
    );
    if (it.timeoutMs !== undefined)
      sent.setTimeout(timerDelay(it.timeoutMs), () => sent.destroy(timeoutError(it)));
    sent.on('socket', (socket) => socket.once('connect', () => (reached = true)));
    sent.on('error', fail).end(it.body);
  });
}

function toControlError(
  { url, method, signal }: ControlRequest,
  cause: NodeJS.ErrnoException,
  reached: boolean,
): Error {
  if (cause instanceof PixctlError) return cause;
  const why = cause.code ?? cause.message;
  if (reached && method !== 'GET') {
    const message = `The sandbox at ${url} did not answer the request (${why}). It may have carried it out.`;
    return new PixctlError('unknown', 'NO_ANSWER', message, {
      hint: checkFirstHint,
      cause,
    });
  }
  // A signal, and nothing that was requested is under way.
  if (signal?.aborted === true) return cause;
  return new PixctlError('later', 'NOT_REACHED', `No sandbox answers at ${url} (${why}).`, {
    hint: startHint,
    cause,
  });
}

/** The error for a late answer: a read has no effect, but of anything else nobody knows. */
function timeoutError({ url, method, timeoutMs = 0, lateHint }: ControlRequest): PixctlError {
  const read = method === 'GET';
  return new PixctlError(
    read ? 'later' : 'unknown',
    'TIMEOUT',
    `The sandbox at ${url} did not answer within ${timeoutMs / 1000} s.${read ? '' : ' It may have carried it out.'}`,
    { hint: lateHint },
  );
}
