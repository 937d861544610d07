/** Decides which of the stored secrets is meant if nobody says so. Pure. */
import { isLoopback } from '../../../contract/loopback.ts';
import { isThisMachine, portOf } from '../../../listener/posting/target.ts';
import type { StoredEndpoint } from '../endpoints/endpoints.ts';
import type { StoredSecret } from './secrets.ts';

export interface SecretQuery {
  /** The URL that is sent to; null if nothing is sent. */
  readonly target: string | null;
  /** The service that the command would talk to; null if none is known. */
  readonly baseUrl: string | null;
  /** The sandbox that was started last. */
  readonly sandbox: string | null;
}

/**
 * Returns the narrowest choice. `stored` is oldest first. Endpoints of a sandbox that is neither in use nor the one
 * started last do not count as long as there is another secret; among only such endpoints, the newest is chosen.
 */
export function chooseLikeliest(
  stored: readonly StoredSecret[],
  query: SecretQuery,
): readonly StoredSecret[] {
  const registered = stored.filter(isOfEndpoint);
  let left = registered.filter(({ endpoint }) => !isGone(endpoint, query));
  if (left.length === 0) return stored.slice(-1);
  for (const fits of [isTarget, isHere, isLocal]) {
    const fitting = left.filter(({ endpoint }) => fits(endpoint, query));
    if (fitting.length > 0) left = fitting;
  }
  return left.filter(
    ({ endpoint }, at) => !left.slice(at + 1).some((later) => replaces(later.endpoint, endpoint)),
  );
}

interface OfEndpoint extends StoredSecret {
  readonly endpoint: StoredEndpoint;
}
const isOfEndpoint = (stored: StoredSecret): stored is OfEndpoint => stored.endpoint !== null;

const isGone = ({ sandbox, baseUrl }: StoredEndpoint, query: SecretQuery): boolean =>
  sandbox !== undefined && baseUrl !== query.baseUrl && baseUrl !== query.sandbox;

const isTarget = ({ url }: StoredEndpoint, { target }: SecretQuery): boolean =>
  target !== null && hostAndPort(url) === hostAndPort(target);

const isHere = ({ baseUrl }: StoredEndpoint, query: SecretQuery): boolean => baseUrl === query.baseUrl;

/** Whether it is a listener on this machine, which passes on what it gets. */
const isLocal = ({ url }: StoredEndpoint): boolean => isLoopback(URL.parse(url)?.hostname ?? '');

/**
 * Whether a later registration replaces an earlier one: a sandbox that was reset has forgotten that. The service
 * forgets none.
 */
const replaces = (later: StoredEndpoint, { sandbox, baseUrl, url }: StoredEndpoint): boolean =>
  sandbox !== undefined && later.baseUrl === baseUrl && later.url === url;

/** Returns host and port. Every name of this machine counts as `localhost`. */
function hostAndPort(text: string): string {
  const url = URL.parse(text) ?? { protocol: '', hostname: text, port: '' };
  return `${isThisMachine(url.hostname) ? 'localhost' : url.hostname}:${portOf(url)}`;
}
