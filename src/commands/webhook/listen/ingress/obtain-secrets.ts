/** The secrets of a listener whose address is known: given, made here, from an earlier run, or registered now. */
import { eventNames } from '../../../../contract/event-names.ts';
import { PixctlError, rewordError } from '../../../../errors.ts';
import type { Listener } from '../../../../listener/listen.ts';
import type { Runtime } from '../../../../runtime.ts';
import { addLine, registerEndpoint, type StoredEndpoint } from '../../endpoints/endpoints.ts';
import { localEndpoint } from '../../secrets/secrets.ts';
import type { ListenOptions } from '../options.ts';
import type { KnownEndpoint } from './reusable-endpoint.ts';
import type { SecretSource } from './secret-source.ts';

export interface SecretsRequest {
  readonly options: ListenOptions;
  readonly secretSource: SecretSource;
  readonly listener: Listener;
}

interface ObtainedSecrets {
  readonly secrets: readonly string[];
  readonly endpoint: string | null;
  /** Whether it was registered in this run. */
  readonly made: boolean;
}

/** Returns the secrets, registering at once what has to be. `known`: what an earlier run registered for `url`. */
export async function obtainSecrets(
  runtime: Runtime,
  { secretSource, options, listener }: SecretsRequest,
  url: string,
  known: KnownEndpoint | null,
): Promise<ObtainedSecrets> {
  if (secretSource.kind === 'given')
    return { secrets: secretSource.secrets, endpoint: secretSource.endpoint, made: false };
  const output = await runtime.output();
  if (secretSource.kind === 'local') {
    if (!options.printSecret) {
      output.note(
        `Events are signed with a secret made on this machine, not with that of an endpoint: --print-secret shows it, and webhook verify --endpoint ${localEndpoint} uses it.`,
      );
    }
    return { secrets: [secretSource.secret], endpoint: null, made: false };
  }
  if (known !== null) {
    output.note(`The endpoint ${known.id} is registered for ${url} already.`);
    return { secrets: [known.secret], endpoint: known.id, made: false };
  }
  const { baseUrl } = (await runtime.config()).profile();
  const events = options.events ?? eventNames;
  const { id, secret, storedIn, doubt } = await registerEndpoint(runtime, {
    url,
    events,
    mustKeep: secretSource.why === 'asked',
  }).catch((cause: unknown) => {
    throw wantsAnAnswer(cause, { url, events }, listener.earlyRequestMethod());
  });
  if (doubt !== null) {
    output.note(`The secret of ${id} is ${storedIn === null ? 'NOT stored' : `stored here (${storedIn})`}.`);
    throw doubt;
  }
  const why = secretSource.why === 'sandbox' ? ' (a sandbox, so this is done without asking)' : '';
  const shown = options.printSecret ? '' : '; --print-secret shows it, for your application';
  output.note(
    `Registered ${url} at ${baseUrl} as ${id}${why}; its secret is ${storedIn === null ? 'NOT stored' : `stored here (${storedIn})`}${shown}.`,
  );
  if (storedIn === null) output.warn('The secret could not be stored: only this run knows it.');
  return { secrets: [secret], endpoint: id, made: true };
}

/** Explains a refusal: a service may try an address before it registers it, but nothing of that is documented. */
function wantsAnAnswer(
  cause: unknown,
  wanted: Pick<StoredEndpoint, 'url' | 'events'>,
  came: ReturnType<Listener['earlyRequestMethod']>,
): unknown {
  if (came === null || !(cause instanceof PixctlError) || cause.kind !== 'refused') return cause;
  const answered = {
    POST: 'with 503, because the secret was not known yet. If the service wants a 2xx first: let another program answer there with 200',
    GET: 'with 200, and no more than that it listens. If the service wants another answer first, such as its challenge: let another program give that there',
  }[came];
  return rewordError(cause, {
    hint: `${cause.hint === undefined ? '' : `${cause.hint} `}A ${came} came to ${wanted.url} before the endpoint was registered, and was answered ${answered} while ${addLine(wanted)} registers it, then pixctl webhook listen --endpoint <id>.`,
  });
}
