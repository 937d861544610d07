/** `webhook listen` beside a sandbox, whose reset or restart forgets its endpoints: it would wait in silence. */
import type { Runtime } from '../../../runtime.ts';
import { sendControl } from '../../../sandbox/control/request.ts';
import type { Output } from '../../../terminal/output.ts';
import { whichSandbox } from '../which-sandbox.ts';
import type { Keys } from './keys.ts';

interface Watched {
  readonly baseUrl: string;
  readonly apiKey: string;
  readonly endpoint: string;
}

/** Real milliseconds between two looks. */
const everyMs = 3_000;

/**
 * Warns once, when what answers at the sandbox's address no longer knows the endpoint. The control plane is asked, so
 * that no fault is used up and no call is recorded; a sandbox that does not answer may come back with its state.
 */
export async function watchSandbox(
  runtime: Runtime,
  { keys, endpoint }: { readonly keys: Pick<Keys, 'kind'>; readonly endpoint: string | null },
  output: Pick<Output, 'warn'>,
  signal: AbortSignal,
): Promise<void> {
  // One that was given may be another service's than that of the profile in use.
  if (keys.kind !== 'register' || endpoint === null || (await whichSandbox(runtime)) === null) return;
  const config = await runtime.config();
  const watched = { baseUrl: config.profile().baseUrl, apiKey: (await config.apiKey()) ?? '', endpoint };
  while (!signal.aborted) {
    await runtime.clock.sleep(everyMs, signal);
    const why = await whyDeaf(watched, signal);
    if (why === null || signal.aborted) continue;
    return output.warn(
      `${why}. Start this listener again, or nothing may arrive; the signing secret may then be another.`,
    );
  }
}

async function whyDeaf({ baseUrl, apiKey, endpoint }: Watched, signal: AbortSignal): Promise<string | null> {
  try {
    const { status, body } = await sendControl({
      url: baseUrl,
      token: apiKey,
      method: 'GET',
      path: '/endpoints',
      body: null,
      type: 'application/json',
      signal,
      timeoutMs: everyMs,
    });
    if (status === 401)
      return `The sandbox at ${baseUrl} does not know this listener's key: it was started again without --state, or the key was revoked`;
    if (status !== 200) return null;
    const endpoints = JSON.parse(Buffer.from(body).toString('utf8')) as readonly { readonly id: string }[];
    return endpoints.some(({ id }) => id === endpoint)
      ? null
      : `The sandbox at ${baseUrl} no longer knows the endpoint ${endpoint}: it was reset or restored`;
  } catch {
    return null;
  }
}
