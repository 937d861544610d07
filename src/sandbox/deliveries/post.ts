/**
 * Sends one POST to an endpoint over a fresh connection: the far side may close a kept-alive one just as we send, which
 * would look like a failed attempt. Redirects are not followed.
 */
import type { ClientRequest, IncomingMessage } from 'node:http';
import { getBuiltinModule } from 'node:process';
import { timerDelay, timers } from '../../clock.ts';
import { isMetadataAddress } from '../../contract/private-host.ts';
import type { AttemptOutcome } from './delivery-policy.ts';

interface PostRequest {
  readonly url: string;
  /** Real milliseconds until the attempt counts as timed out (document: 10 seconds). */
  readonly timeoutMs: number;
  /** Ends the attempt early, because the sandbox is closing. */
  readonly signal: AbortSignal;
  /** Called once, when the connection is up and just before the bytes leave, or when it has failed. */
  readonly prepare: () => PreparedRequest;
}

export interface PreparedRequest {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array;
}

export interface PostResult {
  readonly outcome: AttemptOutcome;
  /** What came back, bounded; null if nothing did. */
  readonly response: Reply | null;
}

export interface Reply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** The first 4 KiB, as text. */
  readonly body: string;
}

const keptBytes = 4_096;
/** The status decides. The body is for people, and an endless one must not hold anything up. */
const bodyPatienceMs = 1_000;

/** Sends the POST. Null: the sandbox closed first. */
export async function post(it: PostRequest): Promise<PostResult | null> {
  let begun: { readonly sent: ClientRequest; readonly secure: boolean };
  try {
    begun = begin(it.url);
  } catch (error) {
    // No request can be made to this address. The attempt still counts, or it would be repeated for ever.
    if (it.signal.aborted) return null;
    it.prepare();
    return { outcome: { kind: 'network', reason: reasonOf(error) }, response: null };
  }
  return exchange(begun, it);
}

function begin(url: string) {
  // Taken from the parsed URL, because HTTPS may be written in capitals.
  const secure = new URL(url).protocol === 'https:';
  // Loaded with the first attempt, because loading it takes a good part of a start.
  const { request } = getBuiltinModule(secure ? 'node:https' : 'node:http');
  return { sent: request(url, { method: 'POST', agent: false }), secure };
}

const reasonOf = (error: unknown): string => {
  const { code, message } = error as NodeJS.ErrnoException;
  return code ?? message;
};

const metadata = (address: string): string =>
  `it leads to ${address}, where clouds hand out credentials, so nothing is sent there`;

function exchange(
  { sent, secure }: { readonly sent: ClientRequest; readonly secure: boolean },
  { timeoutMs, signal, prepare }: PostRequest,
): Promise<PostResult | null> {
  const { promise, resolve, reject } = Promise.withResolvers<PostResult | null>();
  let prepared: PreparedRequest | undefined;
  let done = false;

  const end = (result: () => PostResult | null) => {
    if (done) return;
    done = true;
    timers.clearTimeout(deadline);
    signal.removeEventListener('abort', close);
    try {
      resolve(result());
    } catch (error) {
      reject(error);
    }
    sent.destroy();
  };
  const fail = (outcome: AttemptOutcome) =>
    end(() => {
      prepared ??= prepare();
      return { outcome, response: null };
    });
  const close = () => end(() => null);
  const deadline = timers.setTimeout(
    () => fail({ kind: 'timeout', afterMs: timeoutMs }),
    timerDelay(timeoutMs),
  );

  signal.addEventListener('abort', close, { once: true });
  sent.on('error', (error) => fail({ kind: 'network', reason: reasonOf(error) }));
  sent.on('close', () => fail({ kind: 'network', reason: 'the connection was closed without an answer' }));
  sent.on('socket', (socket) =>
    socket.once(secure ? 'secureConnect' : 'connect', () => {
      if (done) return;
      // Here, because only the connection shows where a name has led.
      const { remoteAddress = '' } = socket;
      if (isMetadataAddress(remoteAddress)) return fail({ kind: 'network', reason: metadata(remoteAddress) });
      try {
        prepared = prepare();
      } catch (error) {
        return end(() => {
          throw error;
        });
      }
      write(sent, prepared);
    }),
  );
  sent.on('response', (answer) => {
    timers.clearTimeout(deadline);
    // From here on, the end of the connection is the end of the body, whether that was complete or not.
    sent.removeAllListeners('close').removeAllListeners('error');
    readAnswer(sent, answer, (response) =>
      end(() => ({ outcome: { kind: 'answered', status: response.status }, response })),
    );
  });
  if (signal.aborted) close();
  return promise;
}

function write(sent: ClientRequest, { headers, body }: PreparedRequest): void {
  for (const [name, value] of Object.entries(headers)) sent.setHeader(name, value);
  sent.setHeader('content-length', body.byteLength);
  sent.setHeader('connection', 'close');
  sent.end(body);
}

function readAnswer(sent: ClientRequest, answer: IncomingMessage, done: (reply: Reply) => void): void {
  const chunks: Buffer[] = [];
  let size = 0;
  const finish = () => {
    timers.clearTimeout(patience);
    done({
      status: answer.statusCode ?? 0,
      headers: flattenHeaders(answer.headersDistinct),
      body: Buffer.concat(chunks).subarray(0, keptBytes).toString('utf8'),
    });
  };
  const patience = timers.setTimeout(finish, bodyPatienceMs);
  sent.on('error', finish).on('close', finish);
  answer.on('error', finish).on('end', finish);
  answer.on('data', (chunk: Buffer) => {
    chunks.push(chunk);
    size += chunk.length;
    if (size >= keptBytes) finish();
  });
}

const flattenHeaders = (headers: NodeJS.Dict<string[]>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(headers)
      .slice(0, 50)
      .map(([name, values]) => [name, (values ?? []).join(', ').slice(0, 1_024)]),
  );
