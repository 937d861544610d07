/** Endpoints registered from here: what is known about them, and their secrets, which the service shows once. */
import { createHash } from 'node:crypto';
import type { Config } from '../../../config/profile.ts';
import type { WebhookEndpoint } from '../../../contract/webhook.ts';
import { commandLine } from '../../../flags/command-line.ts';
import { heardToItsEnd, unsent } from '../../../runtime/sending.ts';
import type { Runtime } from '../../../runtime.ts';
import { isMasked, isWhole } from '../secrets/masked.ts';
import { whichSandbox } from '../which-sandbox.ts';
import { failedRegistration, noSecret } from './failed-registration.ts';

export interface KeptEndpoint {
  readonly id: string;
  readonly baseUrl: string;
  readonly url: string;
  readonly events: readonly string[];
  /** The sandbox that it is registered at (`whichSandbox`), whatever its port is now; absent for the service. */
  readonly sandbox?: string;
}

export interface Registered extends KeptEndpoint {
  readonly secret: string;
  /** Where the secret is stored; null if it could not be. */
  readonly kept: 'keychain' | 'file' | null;
  readonly answer: WebhookEndpoint;
}

const setting = 'webhook.endpoints';

/**
 * How many endpoints of other sandboxes are kept besides those of the one in use: a sandbox in memory takes its
 * endpoints with it, and nobody is told. Those of the service are never forgotten.
 */
const keptOfSandboxes = 30;

export const secretName = (endpointId: string): string => `webhook:${endpointId}`;

export const keptEndpoints = (config: Config): KeptEndpoint[] => endpointsIn(config.get(setting));

const endpointsIn = (value: unknown): KeptEndpoint[] => (Array.isArray(value) ? value.filter(isKept) : []);

/**
 * Registers an endpoint and stores its secret before anybody sees it. Rejects with 81 if the answer was lost: the
 * endpoint may exist, and its secret cannot be read again.
 */
export const register = (runtime: Runtime, wanted: Wanted): Promise<Registered> =>
  heardToItsEnd(
    runtime,
    () => registerNow(runtime, wanted),
    () => null,
  );

interface Wanted {
  readonly url: string;
  readonly events: readonly string[];
  readonly urlField?: string;
  /** Whether to send nothing (78) if the secret could not be stored here. */
  readonly mustKeep: boolean;
}

async function registerNow(runtime: Runtime, wanted: Wanted): Promise<Registered> {
  const config = await runtime.config();
  const { baseUrl } = config.profile();
  const sandbox = await whichSandbox(runtime);
  if (wanted.mustKeep)
    await config.proveWritable().catch((cause: unknown) => {
      throw unsent(cause);
    });
  const answer = await ask(runtime, wanted);
  const { secret } = answer;
  if (!isWhole(secret)) throw noSecret(answer, wanted.url);
  const id = answer.id ?? ownName(wanted.url, secret);
  const endpoint: KeptEndpoint = {
    id,
    baseUrl,
    url: wanted.url,
    events: [...wanted.events],
    ...(sandbox === null ? {} : { sandbox }),
  };
  const kept = await keep(config, endpoint, secret);
  return { ...endpoint, secret, kept, answer };
}

/**
 * Returns a name for an endpoint without an id. Two registrations of one address must not replace each other's secret.
 */
const ownName = (url: string, secret: string): string =>
  `url-${createHash('sha256').update(`${url}\n${secret}`).digest('hex').slice(0, 12)}`;

/** Whether the service gave its id. Otherwise it has a name that is known only here. */
export const hasOwnId = ({ id }: KeptEndpoint): boolean => !/^url-[0-9a-f]{12}$/.test(id);

/** Returns the line that registers it from another place than this run. */
export const addLine = ({ url, events }: Pick<KeptEndpoint, 'url' | 'events'>): string =>
  commandLine(['pixctl', 'webhook', 'add', '--url', url, '--events', events.join(',')]);

async function keep(config: Config, endpoint: KeptEndpoint, secret: string): Promise<Registered['kept']> {
  try {
    const ofSandbox = endpoint.sandbox !== undefined;
    const place = await config.writeSecret(secretName(endpoint.id), secret, ofSandbox);
    await keepAsNewest(config, endpoint);
    return place;
  } catch {
    // The caller, who still holds the only copy, says so.
    return null;
  }
}

/** Stores an endpoint as the newest, also when a known one is used again at its sandbox's present address. */
export async function keepAsNewest(config: Config, endpoint: KeptEndpoint): Promise<void> {
  let forgotten: readonly KeptEndpoint[] = [];
  await config.update(setting, (value) => {
    const all = [...endpointsIn(value).filter(({ id }) => id !== endpoint.id), endpoint];
    const others = all.filter(({ sandbox }) => sandbox !== undefined && sandbox !== endpoint.sandbox);
    forgotten = others.slice(0, -keptOfSandboxes);
    return all.filter((each) => !forgotten.includes(each));
  });
  // A keychain that holds on to an old secret must not stop the registration.
  for (const { id } of forgotten) await config.deleteSecret(secretName(id)).catch(() => {});
}

async function ask(runtime: Runtime, { url, events, urlField = 'url' }: Wanted): Promise<WebhookEndpoint> {
  const api = await runtime.api();
  const request = { method: 'POST', path: '/webhooks', timeoutMs: api.timeoutMs } as const;
  const exchange = await api.send({ ...request, body: JSON.stringify({ [urlField]: url, events }) });
  const { answerOf, breach } = await import('../../../api/classify.ts');
  const { webhookEndpoint } = await import('../../../contract/webhook.ts');
  const { inAnswer } = await import('./secret-in-answer.ts');
  const { host } = new URL(api.baseUrl);
  const asked = { ...request, host, success: 201, now: runtime.clock.now(), remedies: api.remedies };
  const found = inAnswer(exchange);
  try {
    const { data } = answerOf(asked, exchange);
    if (!webhookEndpoint().safeParse(data).success) throw breach(asked, 'does not fit the contract at data');
    const answer = data as WebhookEndpoint;
    if (isWhole(answer.secret)) return { ...found, ...answer };
  } catch (cause) {
    if (found === null) throw failedRegistration(cause, urlField);
  }
  await tellUnusual(runtime, found);
  // Only this, not the rest of the answer, which is shown: there the secret stands where nothing would remove it.
  return found ?? {};
}

/** Reports a secret in an unusual place, because whoever reads the answer may look for more than the secret. */
async function tellUnusual(runtime: Runtime, found: Pick<WebhookEndpoint, 'secret'> | null): Promise<void> {
  if (found?.secret === undefined || isMasked(found.secret)) return;
  const { warn } = await runtime.output();
  warn(
    'The service has registered the endpoint, but its answer is not as documented; the secret was found in it and is used.',
  );
}

const isKept = (value: unknown): value is KeptEndpoint => {
  const { id, baseUrl, url, events } = (value ?? {}) as Record<string, unknown>;
  return [id, baseUrl, url].every((text) => typeof text === 'string') && Array.isArray(events);
};
