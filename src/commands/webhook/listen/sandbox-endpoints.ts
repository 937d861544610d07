/** The endpoints of a sandbox, asked of its control plane, so that no fault is used up and no call is recorded. */
import { sendControl } from '../../../sandbox/control/request.ts';

export interface SandboxAccess {
  readonly baseUrl: string;
  readonly apiKey: string;
}

/** Real milliseconds. */
const patienceMs = 3_000;

/** `unknown-key`: it knows another key only. Null where it does not answer, or in another way. */
export async function sandboxEndpoints(
  { baseUrl, apiKey }: SandboxAccess,
  signal: AbortSignal,
): Promise<readonly { readonly id: string; readonly url: string }[] | 'unknown-key' | null> {
  try {
    const { status, body } = await sendControl({
      url: baseUrl,
      token: apiKey,
      method: 'GET',
      path: '/endpoints',
      body: null,
      type: 'application/json',
      signal,
      timeoutMs: patienceMs,
    });
    if (status === 401) return 'unknown-key';
    return status === 200 ? JSON.parse(Buffer.from(body).toString('utf8')) : null;
  } catch {
    return null;
  }
}
