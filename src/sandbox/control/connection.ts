/** `/__sandbox/connection`: what a program elsewhere needs to drive this sandbox (`connectSandbox`). */
import { Hono } from 'hono';
import { version } from '../../version.ts';
import type { Assembly } from '../assembly.ts';
import { ownerOfKey } from '../rules/keys.ts';
import { tokenOf } from './guard.ts';

export interface Connection {
  /** Version of the pixctl that runs the sandbox. */
  readonly version: string;
  /**
   * Goes on opening the control plane when the key that asked is revoked, or forgotten by a reset. Whoever has a key
   * can read and make keys here anyway.
   */
  readonly controlToken: string;
  /** Whose key asked; with the control token, the first merchant. */
  readonly merchantId: string;
  readonly isFirstMerchant: boolean;
}

export const connectionRoutes = (sandbox: Pick<Assembly, 'world' | 'controlToken' | 'merchantId'>): Hono =>
  new Hono().get('/', (context) => {
    const token = tokenOf(context.req.header('authorization'));
    const first = sandbox.merchantId;
    const merchantId = (token === undefined ? null : ownerOfKey(sandbox.world, token)) ?? first;
    return context.json({
      version,
      controlToken: sandbox.controlToken,
      merchantId,
      isFirstMerchant: merchantId === first,
    } satisfies Connection);
  });
