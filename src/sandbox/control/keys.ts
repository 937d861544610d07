/** `/__sandbox/keys`: creates and revokes API keys. */
import { Hono } from 'hono';
import * as z from 'zod/mini';
import { isoTime } from '../../clock.ts';
import type { Assembly } from '../assembly.ts';
import { type ApiKey, addKey, revokeKey } from '../rules/keys.ts';
import { readMerchant } from '../rules/merchants.ts';
import { readBody } from './input.ts';

const addBody = z.strictObject({ merchantId: z.optional(z.string()) });
const revokeBody = z.strictObject({ key: z.string() });

/** A key as it is shown, with ISO times. */
export type ShownKey = Pick<ApiKey, 'key' | 'merchantId'> & {
  readonly createdAt: string;
  readonly revokedAt: string | null;
};

export const toShownKey = ({ revokedAt, createdAt, ...key }: ApiKey): ShownKey => ({
  ...key,
  createdAt: isoTime(createdAt),
  revokedAt: revokedAt === null ? null : isoTime(revokedAt),
});

export function keyRoutes(sandbox: Pick<Assembly, 'world' | 'merchantId'>): Hono {
  const { world } = sandbox;
  return new Hono()
    .post('/', async (context) => {
      const { merchantId = sandbox.merchantId } = await readBody(context, addBody);
      return context.json(toShownKey(addKey(world, readMerchant(world, merchantId).id)), 201);
    })
    .post('/revoke', async (context) => {
      const { key } = await readBody(context, revokeBody);
      return context.json(toShownKey(revokeKey(world, key)));
    });
}
