/** Asks whether the service accepts a key, by reading a list of one, which changes nothing. */
import type { Api } from '../../api/client.ts';
import { RefusedError } from '../../api/refusal.ts';
import { PixctlError } from '../../errors.ts';

/** Resolves also if the key is refused. Rejects with any other failure of the read (not reached: 75). */
export async function checkKey(api: Api): Promise<'accepted' | 'forbidden' | 'refused'> {
  try {
    await api.page('listCharges', { query: { limit: 1 } });
    return 'accepted';
  } catch (error) {
    // 403 in the envelope: the service knows the key but denies this merchant the list. Any other 403 is a firewall's.
    if (error instanceof RefusedError && error.httpStatus === 403) return 'forbidden';
    if (error instanceof PixctlError && error.kind === 'auth') return 'refused';
    throw error;
  }
}
