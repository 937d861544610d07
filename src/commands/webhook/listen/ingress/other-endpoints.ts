/** Endpoints of earlier runs at the listener's present address: the service goes on delivering for them. */
import type { OtherSecret } from '../../../../listener/receiving/delivery-verifier.ts';
import type { Runtime } from '../../../../runtime.ts';
import { readStoredEndpoints, secretName } from '../../endpoints/endpoints.ts';

/** How many are recognised. A delivery for any further one is reported like a stranger's. */
const most = 10;

/**
 * Returns the newest whose addresses lead to this listener, under any path, and whose secrets it does not use itself.
 */
export async function otherEndpoints(
  runtime: Runtime,
  { address, leadsHere }: { readonly address: string; readonly leadsHere: (url: string) => boolean },
  now: { readonly secrets: readonly string[]; readonly events: readonly string[] },
): Promise<OtherSecret[]> {
  const config = await runtime.config();
  const namesOf = (events: readonly string[]) => [...events].sort().join(', ');
  const others: OtherSecret[] = [];
  for (const { id, url, events } of readStoredEndpoints(config)
    .filter((kept) => leadsHere(kept.url))
    .slice(-most)) {
    // Without it, nothing is lost but a clearer message.
    const secret = await config.readSecret(secretName(id)).catch(() => null);
    if (secret === null || now.secrets.includes(secret)) continue;
    const names = namesOf(events);
    const which = names === namesOf(now.events) ? '' : ` with other events (${names})`;
    const where = url === address ? 'this address' : url;
    others.push({
      secret,
      description: `signed for ${id}, which an earlier run registered for ${where}${which}`,
    });
  }
  return others;
}
