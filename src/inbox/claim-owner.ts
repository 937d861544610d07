/** This process as an owner of claims, and whether another process has certainly ended. */
import { randomBytes } from 'node:crypto';
import { platform } from 'node:process';
import { createOwners } from '../owner/create-owners.ts';
import type { Owners, Owner as Process } from '../owner/owner.ts';
import type { ClaimOwner } from './heartbeat.ts';

/** `shared`: other machines may open this inbox too. */
export const createClaimOwner = async (shared: boolean): Promise<ClaimOwner> =>
  toClaimOwner(await createOwners(), shared || platform === 'linux');

/**
 * This process among others. If a process is wrongly taken for gone, its events are forwarded twice; if it is wrongly
 * taken for alive, its silence soon shows. So only proof of its end counts. A restart of the machine is no proof,
 * because cloned machines (and containers of one image) share a name and an id, and differ in just that. `shared`:
 * other machines, or containers of this one, may open the inbox.
 */
export function toClaimOwner({ self, liveness }: Owners, shared: boolean): ClaimOwner {
  return {
    id: `owner_${randomBytes(8).toString('hex')}`,
    process: JSON.stringify(self),
    async isGone(text) {
      const other = processIn(text);
      if (other === null || other.boot !== self.boot) return false;
      // Without a boot id, only the host's name distinguishes machines and containers.
      if (self.boot === '' && shared) return false;
      return (await liveness(other)) === 'gone';
    },
  };
}

/** Null for anything that this pixctl did not write. */
function processIn(text: string): Process | null {
  try {
    const { host, boot, pid, started } = JSON.parse(text) as Process;
    const texts = [host, boot, started].every((part) => typeof part === 'string');
    return texts && Number.isInteger(pid) && pid > 0 ? { host, boot, pid, started } : null;
  } catch {
    return null;
  }
}
