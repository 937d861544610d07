/** Decides who may use the control plane: whoever has the token, under a name that only this machine has. */
import { timingSafeEqual } from 'node:crypto';
import type { MiddlewareHandler } from 'hono';
import { isLocalRequest } from '../../page/loopback.ts';
import type { Assembly } from '../assembly.ts';
import { ownerOfKey } from '../rules/keys.ts';

interface GuardOptions {
  /** Names under which it may be called, besides those of loopback. */
  readonly hosts: readonly string[];
  /** Paths that need no token. Host and Origin are checked even there. */
  readonly open: readonly string[];
}

export function guard(
  sandbox: Pick<Assembly, 'world' | 'controlToken'>,
  { hosts, open }: GuardOptions,
): MiddlewareHandler {
  return async (context, next) => {
    context.header('x-sandbox', 'pixctl');
    if (!isLocalRequest(context.req.header('host'), context.req.header('origin'), hosts)) {
      const message =
        'the control plane does not answer to this Host or Origin: it takes 127.0.0.1, localhost, the address of --host and the names of --allow-host, and no other origin';
      return context.json({ error: { code: 'FOREIGN', message } }, 403);
    }
    const token =
      tokenOf(context.req.header('authorization')) ??
      queryToken(context.req.method, context.req.query('token'));
    if (!open.includes(context.req.path) && !isAllowed(sandbox, token)) {
      const message = 'the control plane needs Authorization: Bearer <control token>';
      return context.json({ error: { code: 'NO_TOKEN', message } }, 401);
    }
    return next();
  };
}

export const tokenOf = (authorization: string | undefined): string | undefined =>
  /^bearer +(\S+)$/i.exec(authorization ?? '')?.[1];

/** Accepts a token in the query for reads only: a page is opened by its address. */
const queryToken = (method: string, token: string | undefined): string | undefined =>
  method === 'GET' ? token : undefined;

function isAllowed(
  { world, controlToken }: Pick<Assembly, 'world' | 'controlToken'>,
  token: string | undefined,
): boolean {
  if (token === undefined) return false;
  const [given, wanted] = [Buffer.from(token), Buffer.from(controlToken)];
  if (given.length === wanted.length && timingSafeEqual(given, wanted)) return true;
  return ownerOfKey(world, token) !== null;
}
