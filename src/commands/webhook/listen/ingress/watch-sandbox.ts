/**
 * Watches for a sandbox that has no endpoint for `webhook listen`, or forgets it: the listener would wait in silence.
 */
import type { Runtime } from '../../../../runtime.ts';
import { sendControlRequest } from '../../../../sandbox/control/request.ts';
import type { Output } from '../../../../terminal/output.ts';
import { identifySandbox } from '../../identify-sandbox.ts';
import { type Ingress, leadsHere } from './ingress.ts';
import type { SecretSource } from './secret-source.ts';

interface WatchOptions extends Pick<Ingress, 'localUrl' | 'publicUrl' | 'endpoint'> {
  readonly secretSource: Pick<SecretSource, 'kind'>;
  /** Whether it makes its events by itself. */
  readonly polls: boolean;
}

/** Pause between two looks. Real milliseconds. */
const everyMs = 3_000;

/**
 * Says once that nothing comes from the sandbox in use. A sandbox that does not answer may come back with its state.
 */
export async function watchSandbox(
  runtime: Runtime,
  { secretSource: { kind }, endpoint, polls, ...addresses }: WatchOptions,
  output: Pick<Output, 'warn' | 'note'>,
  signal: AbortSignal,
): Promise<void> {
  const isOwn = kind === 'register' && endpoint !== null;
  // A given endpoint may belong to another service than the profile's.
  const isUnnamed = kind === 'given' && endpoint === null && !polls;
  if (!(isOwn || isUnnamed) || (await identifySandbox(runtime)) === null) return;
  const config = await runtime.config();
  const sandbox = { baseUrl: config.profile().baseUrl, apiKey: (await config.apiKey()) ?? '' };
  while (!signal.aborted) {
    await runtime.clock.sleep(everyMs, signal);
    const known = await sandboxEndpoints(sandbox, signal);
    if (known === null || signal.aborted) continue;
    if (isOwn) {
      const why = explainSilence(sandbox.baseUrl, endpoint, known);
      if (why === null) continue;
      return output.warn(
        `${why}. Start this listener again, or nothing may arrive; the signing secret may then be another.`,
      );
    }
    const missing = explainMissing(sandbox.baseUrl, addresses, known);
    return missing === null ? undefined : output.note(missing);
  }
}

/** Why the sandbox sends nothing to these addresses; null if it does, or if that is not known. */
function explainMissing(
  baseUrl: string,
  addresses: Pick<Ingress, 'localUrl' | 'publicUrl'>,
  known: SandboxEndpoints,
): string | null {
  if (known === 'unknown-key' || known.some(({ url }) => leadsHere(url, addresses))) return null;
  return `The sandbox at ${baseUrl} has no endpoint for ${addresses.publicUrl ?? addresses.localUrl}, so nothing comes from it: a listener that is given its secret (--secret-file, --secret-stdin or PIXCTL_WEBHOOK_SECRET) registers nothing. Start it without, and it registers this address.`;
}

/** Why the listener's own endpoint gets nothing any more; null if it does. */
function explainSilence(baseUrl: string, endpoint: string, known: SandboxEndpoints): string | null {
  if (known === 'unknown-key')
    return `The sandbox at ${baseUrl} does not know this listener's key: it was started again without --state, or the key was revoked`;
  return known.some(({ id }) => id === endpoint)
    ? null
    : `The sandbox at ${baseUrl} no longer knows the endpoint ${endpoint}: it was reset or restored`;
}

/** `unknown-key`: the sandbox knows only another key. */
type SandboxEndpoints = readonly { readonly id: string; readonly url: string }[] | 'unknown-key';

interface SandboxAccess {
  readonly baseUrl: string;
  readonly apiKey: string;
}

/** How long it may take to answer. Real milliseconds. */
const patienceMs = 3_000;

/**
 * Asks the sandbox's control plane for its endpoints, so that no fault is used up and no call is recorded. Null if it
 * does not answer, or not as expected.
 */
async function sandboxEndpoints(
  { baseUrl, apiKey }: SandboxAccess,
  signal: AbortSignal,
): Promise<SandboxEndpoints | null> {
  try {
    const { isSandbox, status, body } = await sendControlRequest({
      url: baseUrl,
      token: apiKey,
      method: 'GET',
      path: '/endpoints',
      body: null,
      type: 'application/json',
      signal,
      timeoutMs: patienceMs,
    });
    if (!isSandbox) return null;
    if (status === 401) return 'unknown-key';
    return status === 200 ? JSON.parse(Buffer.from(body).toString('utf8')) : null;
  } catch {
    return null;
  }
}
