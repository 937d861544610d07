/** Finds out who is calling (document: "Authentication"). */
import { ownerOfKey } from '../rules/keys.ts';
import { type Assume, Refusal } from '../rules/refusal.ts';
import type { World } from '../world/world.ts';

/** Returns the merchant of the bearer token. Throws `Refusal` UNAUTHORIZED if it is missing, invalid or revoked. */
export function authenticate(world: World, authorization: string | undefined, assume: Assume): string {
  if (authorization === undefined) throw unauthorized('the header Authorization: Bearer <token> is missing');
  const token = /^bearer +(\S+)$/i.exec(authorization)?.[1];
  if (token === undefined) throw unauthorized('the header Authorization is not of the form Bearer <token>');
  const merchantId = ownerOfKey(world, token);
  if (merchantId !== null) return merchantId;
  // Three parts with dots are a JWT of the dashboard.
  if (/^[\w-]+\.[\w-]+\.[\w-]+$/.test(token)) assume('dashboard-token');
  throw unauthorized('the token is invalid or revoked');
}

const unauthorized = (message: string) => new Refusal('UNAUTHORIZED', message);
