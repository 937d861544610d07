/**
 * The control plane: everything that drives the world, under `/__sandbox/`. Host and Origin must be loopback or a name
 * that was allowed, so that no page from elsewhere reads or drives anything, and everything but the description needs
 * the control token (or a sandbox key, for a shell that knows nothing else). The pages open on loopback only.
 */
import type { RequestListener } from 'node:http';
import { getRequestListener } from '@hono/node-server';
import { Hono } from 'hono';
import { HTTPException } from 'hono/http-exception';
import { PixctlError } from '../../errors.ts';
import type { Assembly } from '../assembly.ts';
import { pagePath } from '../page/path.ts';
import { Refusal } from '../rules/refusal.ts';
import { diagnoseError } from '../store/diagnose-error.ts';
import { CorruptStateError, corruptStateHint, isStorageFailure } from '../store/store-failures.ts';
import { chargeRoutes } from './charges.ts';
import { clockRoutes } from './clock.ts';
import { connectionRoutes } from './connection.ts';
import { customerRoutes } from './customers.ts';
import { deliveryRoutes, endpointRoutes } from './deliveries.ts';
import { eventRoutes } from './events.ts';
import { faultRoutes } from './faults.ts';
import { guard } from './guard.ts';
import { keyRoutes } from './keys.ts';
import { merchantRoutes } from './merchants.ts';
import { openapi } from './openapi.ts';
import { noSuchRoute } from './refused.ts';
import { snapshotRoutes } from './snapshot.ts';
import { withdrawalRoutes } from './withdrawals.ts';
import { worldRoutes } from './world.ts';

/** @param hosts names under which it may be called, besides those of loopback (`controlHosts`) */
export function createControlPlane(sandbox: Assembly, hosts: readonly string[]): RequestListener {
  let pages: Promise<Hono> | undefined;
  const app = new Hono({ strict: false })
    .basePath('/__sandbox')
    // The pages have a guard of their own, because a browser holds a cookie, not a bearer token.
    .all('/ui/*', async (context) => {
      pages ??= import('../page/app.tsx').then(({ sandboxPages }) => sandboxPages(sandbox));
      return (await pages).fetch(context.req.raw);
    })
    .get('/', async (context, next) => {
      if (!context.req.header('accept')?.includes('text/html')) return next();
      return context.redirect(`${pagePath}/${new URL(context.req.url).search}`, 303);
    })
    .use(guard(sandbox, { hosts, open: ['/__sandbox/openapi.json'] }))
    .get('/openapi.json', (context) => context.json(openapi(sandbox.world)))
    .route('/charges', chargeRoutes(sandbox))
    .route('/clock', clockRoutes(sandbox))
    .route('/connection', connectionRoutes(sandbox))
    .route('/customers', customerRoutes(sandbox))
    .route('/deliveries', deliveryRoutes(sandbox))
    .route('/endpoints', endpointRoutes(sandbox))
    .route('/events', eventRoutes(sandbox))
    .route('/faults', faultRoutes(sandbox))
    .route('/keys', keyRoutes(sandbox))
    .route('/merchants', merchantRoutes(sandbox))
    .route('/withdrawals', withdrawalRoutes(sandbox))
    .route('/', snapshotRoutes(sandbox))
    .route('/', worldRoutes(sandbox));
  app.notFound((context) => context.json({ error: { code: 'NOT_FOUND', message: noSuchRoute } }, 404));
  app.onError((thrown, context) => {
    const meant = toErrorBody(thrown);
    const error = meant.status === 500 ? diagnoseError(sandbox.world.store, thrown) : thrown;
    const told = error === thrown ? meant : toErrorBody(error);
    if (told.status === 500 || isStorageFailure(error) || error instanceof CorruptStateError)
      sandbox.report(error);
    return context.json({ error: told.error }, told.status as 400);
  });
  return getRequestListener(app.fetch, { overrideGlobalObjects: false });
}

interface ErrorBody {
  readonly status: number;
  readonly error: { readonly code: string; readonly message: string; readonly hint?: string | undefined };
}

function toErrorBody(error: unknown): ErrorBody {
  if (error instanceof Refusal) {
    return { status: error.status, error: { code: error.code, message: error.message } };
  }
  if (error instanceof PixctlError) {
    const status = error.kind === 'storage' ? 507 : 400;
    return { status, error: { code: error.code, message: error.message, hint: error.hint } };
  }
  if (error instanceof HTTPException) {
    return { status: error.status, error: { code: 'BAD_REQUEST', message: error.message } };
  }
  if (error instanceof CorruptStateError) {
    const message = `the state of this sandbox cannot be read: ${error.message}`;
    return { status: 507, error: { code: 'STATE_UNUSABLE', message, hint: corruptStateHint } };
  }
  if (isStorageFailure(error)) {
    const message = `the sandbox cannot use its state: ${error.message}`;
    const hint = 'check the disk where it keeps its state, then try again';
    return { status: 507, error: { code: 'STATE_UNUSABLE', message, hint } };
  }
  return { status: 500, error: { code: 'INTERNAL_ERROR', message: 'unexpected error in the sandbox' } };
}
