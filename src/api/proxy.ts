/** The proxy that the environment names for https. */
import { configError } from '../errors.ts';
import type { Environment } from '../flags/environment.ts';

/** The environment variable that names a proxy; null if none does. An empty one names none. */
export const proxyVariable = (environment: Environment): 'https_proxy' | 'HTTPS_PROXY' | null =>
  environment.https_proxy ? 'https_proxy' : environment.HTTPS_PROXY ? 'HTTPS_PROXY' : null;

/** The proxy's address, or null. Throws `configError` (78) if it is not one: no later try would do better. */
export function proxyOf(environment: Environment): string | null {
  const variable = proxyVariable(environment);
  const text = variable === null ? null : (environment[variable] ?? null);
  if (text === null || /^https?:$/.test(URL.canParse(text) ? new URL(text).protocol : '')) return text;
  // Not repeated: it may hold a password.
  throw configError(
    'PROXY',
    `${variable} is not the address of an http or https proxy. Nothing was sent.`,
    `Give it like ${variable}=http://proxy.example.com:3128, or unset it.`,
  );
}
