/** The proxy that the environment names for https. */
import { isDecodable } from '../contract/percent.ts';
import { configError } from '../errors.ts';
import type { Environment } from '../flags/environment.ts';

/** The environment variable that names a proxy; null if none does. An empty one names none. */
export const proxyVariable = (environment: Environment): 'https_proxy' | 'HTTPS_PROXY' | null =>
  environment.https_proxy ? 'https_proxy' : environment.HTTPS_PROXY ? 'HTTPS_PROXY' : null;

/** The proxy's address, or null. Throws `configError` (78) if it is not one: no later try would do better. */
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
  // Not repeated: it may hold a password.
  throw configError(
    'PROXY',
    `${variable} is not the address of an http or https proxy. Nothing was sent.`,
    `Write it as ${variable}=http://proxy.example.com:3128, or unset it.`,
  );
}

/** The hosts that are reached without it, as `NO_PROXY` has them. An empty variable names none, and hides none. */
export const passedBy = (environment: Environment): string =>
  environment.no_proxy || environment.NO_PROXY || '';
