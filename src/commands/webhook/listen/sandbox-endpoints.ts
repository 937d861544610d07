/** Asks a sandbox's control plane for its endpoints, so that no fault is used up and no call is recorded. */
import { sendControlRequest } from '../../../sandbox/control/request.ts';

export interface SandboxAccess {
  readonly baseUrl: string;
  readonly apiKey: string;
}

/** Real milliseconds. */
const patienceMs = 3_000;

/**
 * Returns the endpoints. `unknown-key`: the sandbox knows only another key. Null if it does not answer, or not as
 * expected.
 */
export async function sandboxEndpoints(
  { baseUrl, apiKey }: SandboxAccess,
  signal: AbortSignal,
): Promise<readonly { readonly id: string; readonly url: string }[] | 'unknown-key' | null> {
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
