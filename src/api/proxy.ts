/** The proxy that the environment names for https. */
import { isDecodable } from '../contract/percent.ts';
import { configError } from '../errors.ts';
import type { Environment } from '../flags/environment.ts';

/** The environment variable that names a proxy; null if none does. An empty variable names none. */
export const proxyVariable = (environment: Environment): 'https_proxy' | 'HTTPS_PROXY' | null =>
  environment.https_proxy ? 'https_proxy' : environment.HTTPS_PROXY ? 'HTTPS_PROXY' : null;

/** The proxy's address, or null. Throws `configError` (78) if it is not an address: no later try would do better. */
export function proxyOf(environment: Environment): string | null {
  const variable = proxyVariable(environment);
  const text = variable === null ? null : (environment[variable] ?? null);
  if (text === null) return null;
  const { protocol = '', username = '', password = '' } = URL.parse(text) ?? {};
  if (/^https?:$/.test(protocol)) {
    if (isDecodable(username + password)) return text;
    throw configError(
      'PROXY',
      `The user name or password in ${variable} has a % that is not part of a percent code. Nothing was sent.`,
      'Write %25 for each literal %.',
    );
  }
  // The message does not repeat it, because it may hold a password.
  throw configError(
    'PROXY',
    `${variable} is not the address of an http or https proxy. Nothing was sent.`,
    `Write it as ${variable}=http://proxy.example.com:3128, or unset it.`,
  );
}

/** The hosts that are reached without the proxy, as in `NO_PROXY`. An empty variable names none, and hides no other. */
export const noProxyHosts = (environment: Environment): string =>
  environment.no_proxy || environment.NO_PROXY || '';
