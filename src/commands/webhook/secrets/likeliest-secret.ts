/** Decides which of the stored secrets is meant if nobody says so. Pure. */
import { isLoopback } from '../../../contract/loopback.ts';
import { isThisMachine, portOf } from '../../../listener/posting/target.ts';
import type { KeptEndpoint } from '../endpoints/endpoints.ts';
import type { KeptSecret } from './secrets.ts';

export interface Place {
  /** The URL that is sent to; null if nothing is sent. */
  readonly target: string | null;
  /** The service that the command would talk to; null if none is known. */
  readonly baseUrl: string | null;
  /** The sandbox that was started last. */
  readonly sandbox: string | null;
}

/**
 * Returns the narrowest choice. `kept` is oldest first. Endpoints of a sandbox that is neither in use nor the one
 * started last do not count as long as there is another secret; among only such endpoints, the newest is chosen.
 */
export function likeliest(kept: readonly KeptSecret[], place: Place): readonly KeptSecret[] {
  const registered = kept.filter(isOfEndpoint);
  let left = registered.filter(({ endpoint }) => !isGone(endpoint, place));
  if (left.length === 0) return kept.slice(-1);
  for (const fits of [isTarget, isHere, isLocal]) {
    const fitting = left.filter(({ endpoint }) => fits(endpoint, place));
    if (fitting.length > 0) left = fitting;
  }
  return left.filter(
    ({ endpoint }, at) => !left.slice(at + 1).some((later) => replaces(later.endpoint, endpoint)),
  );
}

interface OfEndpoint extends KeptSecret {
  readonly endpoint: KeptEndpoint;
}
const isOfEndpoint = (kept: KeptSecret): kept is OfEndpoint => kept.endpoint !== null;

const isGone = ({ sandbox, baseUrl }: KeptEndpoint, place: Place): boolean =>
  sandbox !== undefined && baseUrl !== place.baseUrl && baseUrl !== place.sandbox;

const isTarget = ({ url }: KeptEndpoint, { target }: Place): boolean =>
  target !== null && hostAndPort(url) === hostAndPort(target);

const isHere = ({ baseUrl }: KeptEndpoint, place: Place): boolean => baseUrl === place.baseUrl;

/** Whether it is a listener on this machine, which passes on what it gets. */
const isLocal = ({ url }: KeptEndpoint): boolean => isLoopback(URL.parse(url)?.hostname ?? '');

/**
 * Whether a later registration replaces an earlier one: a sandbox that was reset has forgotten that. The service
 * forgets none.
 */
const replaces = (later: KeptEndpoint, { sandbox, baseUrl, url }: KeptEndpoint): boolean =>
  sandbox !== undefined && later.baseUrl === baseUrl && later.url === url;

/** Returns host and port. Every name of this machine counts as `localhost`. */
function hostAndPort(text: string): string {
  const url = URL.parse(text) ?? { protocol: '', hostname: text, port: '' };
  return `${isThisMachine(url.hostname) ? 'localhost' : url.hostname}:${portOf(url)}`;
}
