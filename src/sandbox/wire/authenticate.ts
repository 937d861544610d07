/** Finds out who is calling (document: "Authentication"). */
import { ownerOfKey } from '../rules/keys.ts';
import { type Assume, Refusal } from '../rules/refusal.ts';
import type { World } from '../world/world.ts';

/** Returns the merchant of the bearer token. Throws `Refusal` UNAUTHORIZED if it is missing, invalid or revoked. */
export function authenticate(world: World, authorization: string | undefined, assume: Assume): string {
  if (authorization === undefined) throw unauthorized('the header Authorization: Bearer <token> is missing');
  const token = tokenOf(authorization);
  if (token === undefined) throw unauthorized('the header Authorization is not of the form Bearer <token>');
  const merchantId = ownerOfKey(world, token);
  if (merchantId !== null) return merchantId;
  // Three parts with dots are a JWT of the dashboard.
  if (/^[\w-]+\.[\w-]+\.[\w-]+$/.test(token)) assume('dashboard-token');
  throw unauthorized('the token is invalid or revoked');
}

/**
 * Returns whose call it is, for the log of a call that a fault answers; null if it is nobody's. Also null if the state
 * cannot be read: the fault answers all the same.
 */
export function findCaller(world: World, authorization: string | undefined): string | null {
  const token = authorization === undefined ? undefined : tokenOf(authorization);
  try {
    return token === undefined ? null : ownerOfKey(world, token);
  } catch {
    return null;
  }
}

const tokenOf = (authorization: string): string | undefined => /^bearer +(\S+)$/i.exec(authorization)?.[1];

const unauthorized = (message: string) => new Refusal('UNAUTHORIZED', message);
