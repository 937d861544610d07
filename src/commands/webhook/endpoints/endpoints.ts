/** Endpoints registered from here: what is known about them, and their secrets, which the service shows once. */
import { createHash } from 'node:crypto';
import type { Config } from '../../../config/profile.ts';
import type { WebhookEndpoint } from '../../../contract/webhook.ts';
import { PixctlError } from '../../../errors.ts';
import { commandLine } from '../../../flags/command-line.ts';
import { rethrowUnsent, runToCompletion } from '../../../runtime/sending.ts';
import type { Runtime } from '../../../runtime.ts';
import { identifySandbox } from '../identify-sandbox.ts';
import { isMasked, isUsableSecret } from '../secrets/masked.ts';
import { doubtfulError, missingSecretError, toRegistrationError } from './failed-registration.ts';

export interface StoredEndpoint {
  readonly id: string;
  readonly baseUrl: string;
  readonly url: string;
  readonly events: readonly string[];
  /** The sandbox that it is registered at (`identifySandbox`), whatever its port is now; absent for the service. */
  readonly sandbox?: string;
}

export interface Registered extends StoredEndpoint {
  readonly secret: string;
  /** Where the secret is stored; null if it could not be. */
  readonly storedIn: 'keychain' | 'file' | null;
  readonly answer: WebhookEndpoint;
  /** What the run ends with (81) once it has shown the secret, where the answer names an error beside success. */
  readonly doubt: PixctlError | null;
}

const setting = 'webhook.endpoints';

/**
 * How many endpoints of the sandbox in use are kept, and how many of all others. A sandbox in memory takes its
 * endpoints with it, and nobody is told; one with a state gets a new one for each free port that a listener takes.
 * Those of the service are never forgotten.
 */
const keptOfSandboxes = 30;

export const secretName = (endpointId: string): string => `webhook:${endpointId}`;

export const readStoredEndpoints = (config: Config): StoredEndpoint[] => endpointsIn(config.get(setting));

const endpointsIn = (value: unknown): StoredEndpoint[] =>
  Array.isArray(value) ? value.filter(isStoredEndpoint) : [];

/**
 * Registers an endpoint and stores its secret before anybody sees it. Rejects with 81 if the answer was lost: the
 * endpoint may exist, and its secret cannot be read again.
 */
export const registerEndpoint = (runtime: Runtime, wanted: EndpointRequest): Promise<Registered> =>
  runToCompletion(
    runtime,
    () => registerNow(runtime, wanted),
    () => null,
  );

interface EndpointRequest {
  readonly url: string;
  readonly events: readonly string[];
  readonly urlField?: string;
  /** Whether to send nothing (78) if the secret could not be stored here. */
  readonly mustKeep: boolean;
}

async function registerNow(runtime: Runtime, wanted: EndpointRequest): Promise<Registered> {
  const config = await runtime.config();
  const { baseUrl } = config.profile();
  const sandbox = await identifySandbox(runtime);
  if (wanted.mustKeep) await config.proveWritable().catch(rethrowUnsent);
  const { answer, doubt } = await sendRegistration(runtime, wanted);
  const { secret } = answer;
  if (!isUsableSecret(secret)) throw missingSecretError(answer, wanted.url);
  const id = answer.id ?? generatedId(wanted.url, secret);
  const endpoint: StoredEndpoint = {
    id,
    baseUrl,
    url: wanted.url,
    events: [...wanted.events],
    ...(sandbox === null ? {} : { sandbox }),
  };
  const storedIn = await storeEndpoint(config, endpoint, secret);
  const shownDoubt = doubt && doubtfulError(doubt, answer.id ?? null, wanted.url);
  return { ...endpoint, secret, storedIn, answer, doubt: shownDoubt };
}

/**
 * Returns a name for an endpoint without an id. Two registrations of one address must not replace each other's secret.
 */
const generatedId = (url: string, secret: string): string =>
  `url-${createHash('sha256').update(`${url}\n${secret}`).digest('hex').slice(0, 12)}`;

/** Whether the service gave its id. Otherwise it has a name that is known only here. */
export const hasServiceId = ({ id }: StoredEndpoint): boolean => !/^url-[0-9a-f]{12}$/.test(id);

/** Returns the line that registers it from another place than this run. */
export const addLine = ({ url, events }: Pick<StoredEndpoint, 'url' | 'events'>): string =>
  commandLine(['pixctl', 'webhook', 'add', '--url', url, '--events', events.join(',')]);

async function storeEndpoint(
  config: Config,
  endpoint: StoredEndpoint,
  secret: string,
): Promise<Registered['storedIn']> {
  try {
    const ofSandbox = endpoint.sandbox !== undefined;
    const place = await config.writeSecret(secretName(endpoint.id), secret, ofSandbox);
    await storeAsNewest(config, endpoint);
    return place;
  } catch {
    // The caller, who still holds the only copy, says so.
    return null;
  }
}

/** Stores an endpoint as the newest, also when a known one is used again at its sandbox's present address. */
export async function storeAsNewest(config: Config, endpoint: StoredEndpoint): Promise<void> {
  let forgotten: readonly StoredEndpoint[] = [];
  await config.update(setting, (value) => {
    const all = [...endpointsIn(value).filter(({ id }) => id !== endpoint.id), endpoint];
    const ofSandboxes = all.filter(({ sandbox }) => sandbox !== undefined);
    const isInUse = ({ sandbox }: StoredEndpoint) => sandbox === endpoint.sandbox;
    const groups = [ofSandboxes.filter(isInUse), ofSandboxes.filter((each) => !isInUse(each))];
    forgotten = groups.flatMap((group) => group.slice(0, -keptOfSandboxes));
    return all.filter((each) => !forgotten.includes(each));
  });
  // A keychain that holds on to an old secret must not stop the registration.
  for (const { id } of forgotten) await config.deleteSecret(secretName(id)).catch(() => {});
}

async function sendRegistration(
  runtime: Runtime,
  { url, events, urlField = 'url' }: EndpointRequest,
): Promise<{ readonly answer: WebhookEndpoint; readonly doubt: PixctlError | null }> {
  const api = await runtime.api();
  const request = { method: 'POST', path: '/webhooks', timeoutMs: api.timeoutMs } as const;
  const exchange = await api.send({ ...request, body: JSON.stringify({ [urlField]: url, events }) });
  const { answerOf, contractError } = await import('../../../api/classify.ts');
  const { webhookEndpoint } = await import('../../../contract/webhook.ts');
  const { findSecretInAnswer, namesError } = await import('./secret-in-answer.ts');
  const { host } = new URL(api.baseUrl);
  const context = { ...request, host, success: 201, now: runtime.clock.now(), remedies: api.remedies };
  const found = findSecretInAnswer(exchange);
  let doubt: PixctlError | null = null;
  try {
    const { data } = answerOf(context, exchange);
    if (!webhookEndpoint().safeParse(data).success)
      throw contractError(context, 'does not fit the contract at data');
    const answer = data as WebhookEndpoint;
    if (isUsableSecret(answer.secret)) return { answer: { ...found, ...answer }, doubt };
  } catch (cause) {
    if (found === null) throw toRegistrationError(cause, urlField);
    if (cause instanceof PixctlError && namesError(exchange)) doubt = cause;
  }
  if (doubt === null) await tellUnusual(runtime, found);
  // Only this, not the rest of the answer, which is shown: there the secret stands where nothing would remove it.
  return { answer: found ?? {}, doubt };
}

/** Reports a secret in an unusual place, because whoever reads the answer may look for more than the secret. */
async function tellUnusual(runtime: Runtime, found: Pick<WebhookEndpoint, 'secret'> | null): Promise<void> {
  if (found?.secret === undefined || isMasked(found.secret)) return;
  const { warn } = await runtime.output();
  warn(
    'The service has registered the endpoint, but its answer is not as documented; the secret was found in it and is used.',
  );
}

const isStoredEndpoint = (value: unknown): value is StoredEndpoint => {
  const { id, baseUrl, url, events } = (value ?? {}) as Record<string, unknown>;
  return [id, baseUrl, url].every((text) => typeof text === 'string') && Array.isArray(events);
};
