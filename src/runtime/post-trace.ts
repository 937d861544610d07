/** `--debug`: what an application is sent, and what it answers, told on stderr in the form of the API's trace. */
import { outgoingHeaders } from '../listener/posting/outgoing-headers.ts';
import type { PostTrace } from '../listener/posting/post.ts';
import type { Runtime } from '../runtime.ts';
import { traceOf } from './trace.ts';

/**
 * The trace of posts to an application; undefined where this run has no `--debug`. Several may be under way at once:
 * each has a number, which the line of its answer repeats. Of a header that is not known to be harmless only the name
 * is told: what `--header` adds and what a delivery brings along may be the application's secrets. `signatureHeader`
 * is none: it proves one body, and goes to the application anyhow.
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
