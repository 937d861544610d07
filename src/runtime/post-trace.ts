/** `--debug`: shows on stderr what an application is sent and what it answers, in the form of the API's trace. */
import { outgoingHeaders } from '../listener/posting/outgoing-headers.ts';
import type { PostTrace } from '../listener/posting/post.ts';
import type { Runtime } from '../runtime.ts';
import { traceOf } from './trace.ts';

/**
 * The trace of posts to an application; undefined if this run has no `--debug`. Several posts may be under way at once,
 * so each has a number, which the line of its answer repeats. A header not known to be harmless is shown by name only:
 * what `--header` adds, and what a delivery brings along, may be the application's secrets. `signatureHeader` is no
 * secret: it proves one body, and goes to the application anyway.
 */
export async function postTraceOf(
  runtime: Pick<Runtime, 'io' | 'globals'>,
  signatureHeader: string,
): Promise<PostTrace | undefined> {
  const trace = traceOf(runtime);
  if (trace === undefined) return undefined;
  const { redactBody, redactHeaders, redactPath } = await import('../api/trace.ts');
  const ours = ['host', 'user-agent', 'pixctl-edited', 'pixctl-synthetic', signatureHeader.toLowerCase()];
  let posts = 0;
  return (outgoing) => {
    const number = `#${++posts}`;
    const { origin, host, pathname, search } = new URL(outgoing.url);
    const headers = redactHeaders(outgoingHeaders(outgoing, host), ours);
    trace(
      `> POST ${origin}${redactPath(pathname + search)} ${number} ${headers} ${redactBody(outgoing.body)}`,
    );
    return (result) => {
      const took = `${number} (${Math.round(result.ms)} ms)`;
      trace(
        result.error === undefined
          ? `< ${result.status} ${took} ${redactBody(result.body)}`
          : `< ${took} ${result.error}`,
      );
    };
  };
}
