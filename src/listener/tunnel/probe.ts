/** Checks whether a public address really leads to this very listener: a GET there answers with its instance. */
import { get as httpGet } from 'node:http';
import { get as httpsGet } from 'node:https';
import type { Clock } from '../../clock.ts';

/** The name under which our own requests come. */
export const probeUserAgent = 'pixctl';

interface ProbeOptions {
  readonly url: string;
  /** What this listener answers to a GET. */
  readonly instance: string;
  readonly clock: Clock;
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
  /** Bound on one answer, to its last byte: an event stream, which another program may have there, never ends. */
  readonly answerMs?: number;
}

/** Waits until the address answers. Null once it does; otherwise the last answer, in words. */
export async function waitUntilReachable(options: ProbeOptions): Promise<string | null> {
  const { clock, signal } = options;
  const deadline = clock.monotonic() + options.timeoutMs;
  for (let pause = 200; ; pause = Math.min(2_000, pause * 2)) {
    const found = await probe(options);
    if (found === null || signal.aborted || clock.monotonic() >= deadline) return found;
    await clock.sleep(pause, signal);
  }
}

function probe({ url, instance, signal, answerMs = 5_000 }: ProbeOptions): Promise<string | null> {
  const bound = AbortSignal.timeout(answerMs);
  return new Promise((resolve) => {
    const get = url.startsWith('https:') ? httpsGet : httpGet;
    const request = get(
      url,
      { agent: false, headers: { 'User-Agent': probeUserAgent }, signal: AbortSignal.any([signal, bound]) },
      (answer) => {
        let text = '';
        answer.setEncoding('utf8');
        answer.on('data', (chunk: string) => {
          text += chunk;
          if (text.length > 65_536) answer.destroy();
        });
        answer.on('close', () => {
          const accepts = /"accepts":"([^"]*)"/.exec(text)?.[1];
          if (!text.includes(`"instance":"${instance}"`)) {
            resolve(`it answers ${answer.statusCode}, from elsewhere`);
          } else {
            resolve(accepts === undefined ? null : `deliveries are accepted at its path ${accepts} only`);
          }
        });
      },
    );
    request.on('error', (cause: NodeJS.ErrnoException) =>
      resolve(bound.aborted ? `no whole answer within ${answerMs / 1_000} s` : (cause.code ?? cause.message)),
    );
  });
}
