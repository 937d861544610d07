/** Connects to a sandbox in another process: checks where it is, that it is one, and that its version fits. */
import { isLoopback } from '../contract/loopback.ts';
import { isPrivateHost } from '../contract/private-host.ts';
import { isSandboxKey } from '../contract/sandbox-key.ts';
import { configError, PixctlError, usageError } from '../errors.ts';
import { version } from '../version.ts';
import type { ConnectedSandbox, ConnectOptions } from './connected-sandbox.ts';
import type { Connection } from './control/connection.ts';
import { createControlClient, toAnswer } from './control-client.ts';
import { createConnectedSandbox } from './create-connected-sandbox.ts';
import { anObject, describeValue } from './input/property-rules.ts';

/** Real milliseconds. */
const patienceMs = 10_000;

/**
 * Connects to a running sandbox in another process, to drive it like one that `startSandbox` started in this one.
 * Rejects with an `Error` whose `code` is `USAGE` (an option), `NOT_REACHED` or `TIMEOUT` (nobody answers),
 * `NOT_A_SANDBOX`, `UNAUTHORIZED` (it does not know the key), `FOREIGN` (it takes no control calls under this name:
 * `--allow-host`) or `VERSION` (it is of another version of pixctl).
 */
export async function connectSandbox(options: ConnectOptions): Promise<ConnectedSandbox> {
  const { url, apiKey } = checkedOptions(options);
  const call = { method: 'GET', path: '/connection', timeoutMs: patienceMs };
  const reply = await createControlClient({ url, token: apiKey }).send(call);
  if (reply.status === 401)
    throw new PixctlError(
      'auth',
      'UNAUTHORIZED',
      `The sandbox at ${url} does not know this API key, or it was revoked.`,
    );
  if (reply.status === 404) throw versionError(url, 'another version');
  const connection = toAnswer(url, reply) as Connection;
  if (lineOf(connection.version) !== lineOf(version)) throw versionError(url, `pixctl ${connection.version}`);
  return createConnectedSandbox({ url, apiKey }, connection);
}

/** What may differ within one minor version changes nothing that both sides must agree on. */
const lineOf = (text: string): string => text.split('.', 2).join('.');

const versionError = (url: string, theirs: string) =>
  configError(
    'VERSION',
    `The sandbox at ${url} is of ${theirs}, and this is pixctl ${version}: use the same version for both.`,
  );

function checkedOptions(options: ConnectOptions): ConnectOptions {
  if (!anObject.holds(options))
    throw usageError(`connectSandbox takes { url, apiKey }, not ${describeValue(options)}`);
  const { url, apiKey } = options;
  const address = typeof url === 'string' ? URL.parse(url) : null;
  if (address?.protocol !== 'http:' || address.href !== `${address.origin}/`)
    throw usageError(
      `url: must be the address of a sandbox, like http://127.0.0.1:4010, not ${describeValue(url)}`,
    );
  if (!isLoopback(address.hostname) && !isPrivateHost(address.hostname))
    throw usageError(
      `url: must be on this machine or have a private name or address, because the key goes there unencrypted; not ${describeValue(url)}`,
    );
  // Without what was given: it may be a real key.
  if (typeof apiKey !== 'string' || !isSandboxKey(apiKey))
    throw usageError('apiKey: must be a key of the sandbox (svc_sandbox_...)');
  return { url: address.origin, apiKey };
}
