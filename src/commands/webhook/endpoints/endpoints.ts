/** Endpoints registered from here: what is known of them, and their secrets, which the service shows once. */
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
  /** The sandbox that it is registered at (`whichSandbox`), whatever port that runs at now; none for the service. */
  readonly sandbox?: string;
}

export interface Registered extends KeptEndpoint {
  readonly secret: string;
  /** Where the secret lies now; null when it could not be kept. */
  readonly kept: 'keychain' | 'file' | null;
  readonly answer: WebhookEndpoint;
}

const setting = 'webhook.endpoints';

/**
 * A sandbox in memory takes its endpoints with it and nobody hears of that: so many are kept besides those of the one
 * in use. One of the service is never forgotten.
 */
const keptOfSandboxes = 30;

export const secretName = (endpointId: string): string => `webhook:${endpointId}`;

export const keptEndpoints = (config: Config): KeptEndpoint[] => endpointsIn(config.get(setting));

const endpointsIn = (value: unknown): KeptEndpoint[] => (Array.isArray(value) ? value.filter(isKept) : []);

/**
 * Registers an endpoint and keeps its secret before anybody sees it. Rejects with 81 when the answer was
 * lost: the endpoint may exist, and its secret cannot be read again.
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
  /** Nothing is sent (78) where the secret could not be stored here. */
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

/** Of two registrations of one address none replaces the other's secret. */
const ownName = (url: string, secret: string): string =>
  `url-${createHash('sha256').update(`${url}\n${secret}`).digest('hex').slice(0, 12)}`;

/** Whether the service told its id; otherwise it has a name that is known here only. */
export const hasOwnId = ({ id }: KeptEndpoint): boolean => !/^url-[0-9a-f]{12}$/.test(id);

/** Registers it from another place than this run. */
export const addLine = ({ url, events }: Pick<KeptEndpoint, 'url' | 'events'>): string =>
  commandLine(['pixctl', 'webhook', 'add', '--url', url, '--events', events.join(',')]);

async function keep(config: Config, endpoint: KeptEndpoint, secret: string): Promise<Registered['kept']> {
  try {
    const ofSandbox = endpoint.sandbox !== undefined;
    const place = await config.writeSecret(secretName(endpoint.id), secret, ofSandbox);
    await keepAsNewest(config, endpoint);
    return place;
  } catch {
    // Said by the caller, who still holds the only copy.
    return null;
  }
}

/** Also where a known one is used again, at the address that its sandbox has now. */
export async function keepAsNewest(config: Config, endpoint: KeptEndpoint): Promise<void> {
  let forgotten: readonly KeptEndpoint[] = [];
  await config.update(setting, (value) => {
    const all = [...endpointsIn(value).filter(({ id }) => id !== endpoint.id), endpoint];
    const others = all.filter(({ sandbox }) => sandbox !== undefined && sandbox !== endpoint.sandbox);
    forgotten = others.slice(0, -keptOfSandboxes);
    return all.filter((each) => !forgotten.includes(each));
  });
  // A keychain that holds on to one keeps nobody from what was registered.
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
  // Not the rest of the answer, which is shown: it holds the secret where nobody would take it out.
  return found ?? {};
}

/** Told, because whoever reads it may look for more than the secret. */
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
