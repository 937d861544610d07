/** How deliveries reach the listener: its public address, the tunnel to it, the endpoint registered for it. */
import { eventNames } from '../../../../contract/event-names.ts';
import { isLoopback } from '../../../../contract/loopback.ts';
import { isPrivateHost } from '../../../../contract/private-host.ts';
import { PixctlError, usageError } from '../../../../errors.ts';
import { inUrl, isWildcard } from '../../../../flags/host.ts';
import { findAddressLeadingTo, portOf } from '../../../../listener/posting/target.ts';
import type { KeptTunnel } from '../../../../listener/tunnel/keep-tunnel.ts';
import { waitUntilReachable } from '../../../../listener/tunnel/probe.ts';
import type { Runtime } from '../../../../runtime.ts';
import { addLine, readStoredEndpoints } from '../../endpoints/endpoints.ts';
import { identifySandbox } from '../../identify-sandbox.ts';
import { stoppedError } from '../../stopped-error.ts';
import { obtainSecrets, type SecretsRequest } from './obtain-secrets.ts';
import { openTunnel, publicAddress } from './open-tunnel.ts';
import { otherEndpoints } from './other-endpoints.ts';
import { findReusableEndpoint, type KnownEndpoint } from './reusable-endpoint.ts';
import type { SecretSource } from './secret-source.ts';

export interface Ingress {
  readonly localUrl: string;
  readonly publicUrl: string | null;
  readonly endpoint: string | null;
  /** What the endpoint was registered for from here, if that is known and less than everything. */
  readonly subscribed: readonly string[] | null;
  /** The address that the endpoint was registered for from here; null if not known. */
  readonly registeredFor: string | null;
  readonly secrets: readonly string[];
  /** Ends the tunnel, and says what stays behind at the service. */
  close(): Promise<void>;
}

interface IngressOptions extends SecretsRequest {
  readonly onTrouble: (cause: unknown) => void;
  /** Aborts when the listener is told to stop. */
  readonly stopped: AbortSignal;
}

/** Null if the listener was told to stop before anything was registered, which cannot be undone. */
export async function openIngress(runtime: Runtime, way: IngressOptions): Promise<Ingress | null> {
  const { options, listener } = way;
  refuseItself(way);
  const output = await runtime.output();
  // Every address of the machine is no address to deliver to.
  const host = isWildcard(options.host) ? '127.0.0.1' : inUrl(options.host);
  const localUrl = `http://${host}:${listener.port}${options.path ?? '/'}`;
  let tunnel: KeptTunnel | null = null;
  const close = async () => tunnel?.stop();
  try {
    tunnel = await openTunnel(runtime, options, listener);
    const publicUrl = publicAddress(options, tunnel);
    const address = publicUrl ?? localUrl;
    if (way.secretSource.kind === 'register') {
      await refuseUnreachable(runtime, address);
    }
    const known = await findRegistered(runtime, way, address);
    const secretsNow = secretsInHand(way.secretSource, known);
    // An existing endpoint delivers while its address is being proved, and after a few seconds repeats nothing.
    if (secretsNow !== null) await takeDeliveries(runtime, way, { localUrl, publicUrl }, secretsNow);
    const registers = way.secretSource.kind === 'register' && known === null;
    if (publicUrl !== null) {
      await proveReachable(
        runtime,
        way,
        publicUrl,
        options.tunnel !== null || (registers && !isPlainPrivate(publicUrl)),
      );
    }
    if (registers && way.stopped.aborted) {
      await close();
      return null;
    }
    const { secrets, endpoint, made } = await obtainSecrets(runtime, way, address, known);
    if (secretsNow === null) await takeDeliveries(runtime, way, { localUrl, publicUrl }, secrets);
    return {
      localUrl,
      publicUrl,
      endpoint,
      ...(endpoint === null
        ? { subscribed: null, registeredFor: null }
        : await registration(runtime, endpoint)),
      secrets,
      async close() {
        await close();
        if (made && publicUrl !== null) {
          output.note(
            `The endpoint ${endpoint} stays registered: the service documents no way to delete one. Its deliveries to ${publicUrl} will fail from now on.`,
          );
        }
      },
    };
  } catch (cause) {
    await close();
    throw cause;
  }
}

/** Throws a usage error (64) if an address to forward to leads to this listener. */
function refuseItself({ options, listener: { port } }: IngressOptions): void {
  const itself = findAddressLeadingTo(options.targets.all, { host: options.host, port });
  if (itself === undefined) return;
  throw usageError(
    `${itself} is this listener itself (port ${port}), not your application: it would receive what it forwards. Nothing was registered.`,
    'Give the port of your application to --forward-to and --route, or another port to --port.',
  );
}

/** The secrets that are known before anything is registered; null if none is. */
function secretsInHand(source: SecretSource, known: KnownEndpoint | null): readonly string[] | null {
  if (source.kind === 'given') return source.secrets;
  return known === null ? null : [known.secret];
}

/**
 * Proves that the address leads here. `required`: for a tunnel that we started, and for what will be registered, which
 * cannot be undone. Any other address may not be up yet, which is only reported.
 */
async function proveReachable(
  runtime: Runtime,
  way: IngressOptions,
  url: string,
  required: boolean,
): Promise<void> {
  const output = await runtime.output();
  const { clock, signal } = runtime;
  const { instance } = way.listener;
  output.note(`Waiting until ${url} answers ...`);
  const wrong = await waitUntilReachable({
    url,
    instance,
    clock,
    signal: way.stopped,
    timeoutMs: required ? 60_000 : 3_000,
  });
  if (wrong === null) return output.note(`${url} leads to this listener.`);
  if (signal.aborted) throw stoppedError(signal, 'nothing was registered');
  if (way.stopped.aborted) return;
  const message = `${url} does not lead to this listener (${wrong}).`;
  if (required) {
    throw new PixctlError('later', 'TUNNEL', `${message} Nothing was registered.`, {
      hint:
        way.options.tunnel === null
          ? `Start your tunnel to port ${way.listener.port}, and try again. If this machine cannot reach the address itself, ${addLine({ url, events: way.options.events ?? eventNames })} registers it anyway; give its id as --endpoint.`
          : 'Run the tunnel program by hand to see what it says, or give --public-url.',
    });
  }
  output.warn(`${message} Deliveries will not arrive until it does.`);
}

/** Returns what was registered before. Null also if nothing is to be registered. */
async function findRegistered(
  runtime: Runtime,
  { secretSource, options }: IngressOptions,
  url: string,
): Promise<KnownEndpoint | null> {
  if (secretSource.kind !== 'register') return null;
  const { baseUrl } = (await runtime.config()).profile();
  return findReusableEndpoint(runtime, { baseUrl, url, events: options.events ?? eventNames });
}

/**
 * Takes deliveries, knowing the secrets of other endpoints of these addresses, so that what those signed is reported as
 * theirs.
 */
async function takeDeliveries(
  runtime: Runtime,
  { listener, options }: IngressOptions,
  at: Pick<Ingress, 'localUrl' | 'publicUrl'>,
  secrets: readonly string[],
): Promise<void> {
  const events = options.events ?? eventNames;
  const here = { address: at.publicUrl ?? at.localUrl, leadsHere: (url: string) => leadsHere(url, at) };
  listener.setSecrets(secrets, await otherEndpoints(runtime, here, { secrets, events }));
}

async function registration(
  runtime: Runtime,
  endpoint: string,
): Promise<Pick<Ingress, 'subscribed' | 'registeredFor'>> {
  const stored = readStoredEndpoints(await runtime.config()).findLast(({ id }) => id === endpoint);
  const events = stored?.events ?? eventNames;
  return {
    subscribed: eventNames.every((name) => events.includes(name)) ? null : events,
    registeredFor: stored?.url ?? null,
  };
}

/** Whether what is delivered to that address comes to this listener, as far as the address shows. */
export function leadsHere(
  url: string,
  { localUrl, publicUrl }: Pick<Ingress, 'localUrl' | 'publicUrl'>,
): boolean {
  if (!URL.canParse(url)) return false;
  if (publicUrl !== null && new URL(publicUrl).host === new URL(url).host) return true;
  const here = new URL(localUrl);
  return findAddressLeadingTo([url], { host: here.hostname, port: portOf(here) }) !== undefined;
}

/** Whether it is plain http to a private name, which may be known only to containers, not here. */
const isPlainPrivate = (address: string): boolean =>
  address.startsWith('http:') && isPrivateHost(new URL(address).hostname);

/** A sandbox may have been started so that it takes plain http to private names, and refuses it otherwise. */
async function refuseUnreachable(runtime: Runtime, url: string): Promise<void> {
  const { baseUrl } = (await runtime.config()).profile();
  if (url.startsWith('https:') || [url, baseUrl].every((address) => isLoopback(new URL(address).hostname)))
    return;
  if (isPlainPrivate(url) && (await identifySandbox(runtime)) !== null) return;
  throw usageError(
    `${url} cannot be registered at ${baseUrl}: the service delivers to HTTPS addresses only. Nothing was registered.`,
    'Add --tunnel cloudflared, --tunnel ngrok, or your own --public-url https://...',
  );
}
