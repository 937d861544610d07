/** Reuses endpoints of earlier runs, because the service documents no way to delete one. */
import { hideSecrets, PixctlError, rewordError } from '../../../../errors.ts';
import { commandLine } from '../../../../flags/command-line.ts';
import type { Runtime } from '../../../../runtime.ts';
import { makeVisible } from '../../../../terminal/escape.ts';
import {
  addLine,
  hasServiceId,
  readStoredEndpoints,
  type StoredEndpoint,
  secretName,
  storeAsNewest,
} from '../../endpoints/endpoints.ts';
import { identifySandbox } from '../../identify-sandbox.ts';

/** An endpoint that is already registered for this address. */
export interface KnownEndpoint {
  readonly id: string;
  readonly secret: string;
}

/**
 * Returns an endpoint that an earlier run registered for this very address, if the service still knows it. A sandbox
 * that continues from its state has it under another base URL, because its port changes each time; its key
 * distinguishes it from others.
 */
export async function findReusableEndpoint(
  runtime: Runtime,
  wanted: Pick<StoredEndpoint, 'baseUrl' | 'url' | 'events'>,
): Promise<KnownEndpoint | null> {
  const config = await runtime.config();
  const here = await identifySandbox(runtime);
  const events = [...wanted.events].sort().join();
  const stored = readStoredEndpoints(config).reverse();
  for (const known of stored) {
    const { id, baseUrl, url, sandbox } = known;
    const isMoved = baseUrl !== wanted.baseUrl;
    if (isMoved && (here === null || sandbox !== here)) continue;
    if (url !== wanted.url || [...known.events].sort().join() !== events) continue;
    const secret = await config.readSecret(secretName(id));
    if (secret === null) continue;
    if (!(await isStillKnown(runtime, known, isMoved))) continue;
    // For later runs, and for whoever signs what is sent there. This run has what it needs even if nothing can be
    // written.
    if (isMoved || known !== stored[0])
      await storeAsNewest(config, { ...known, baseUrl: wanted.baseUrl }).catch(() => {});
    return { id, secret };
  }
  return null;
}

/** Asks for its history, whose answer and query are not documented: only a 404 says that there is no such endpoint. */
async function isStillKnown(runtime: Runtime, endpoint: StoredEndpoint, isMoved: boolean): Promise<boolean> {
  const { id } = endpoint;
  // The service gave no id, so it cannot be asked. It forgets nothing that it has registered.
  if (!hasServiceId(endpoint)) return true;
  const api = await runtime.api();
  try {
    await api.page('listDeliveries', { path: { id }, query: { limit: 1 } });
    return true;
  } catch (cause) {
    // A sandbox that was reset has forgotten it, and one with the same seed never knew it.
    if (!(cause instanceof PixctlError)) throw cause;
    if (isMoved || cause.kind === 'notFound') return false;
    const isRefused = cause.kind === 'unexpected' || cause.kind === 'refused' || cause.httpStatus === 403;
    if (!isRefused) throw withoutAsking(cause, id);
    const { warn } = await runtime.output();
    warn(
      `The endpoint ${id} is assumed to be still registered, though its history cannot be read. ${hideSecrets(makeVisible(cause.message))} If nothing arrives, this registers another: ${addLine(endpoint)}`,
    );
    return true;
  }
}

/** Words the failure. A history that fails each time must not keep anybody from an endpoint that works. */
const withoutAsking = (cause: PixctlError, id: string): PixctlError =>
  cause.kind === 'later'
    ? rewordError(cause, {
        hint: `${cause.hint ?? 'Run it again later.'} To listen without asking whether ${id} is still registered, give ${commandLine(['--endpoint', id])} instead of --register.`,
      })
    : cause;
