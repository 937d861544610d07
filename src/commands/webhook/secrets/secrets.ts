/** Where signing secrets come from: files, stdin, the environment, and what was stored when registering. */
import { configError, usageError } from '../../../errors.ts';
import { inputLimits, isStdin } from '../../../flags/input.ts';
import { decodeUtf8 } from '../../../flags/utf8-text.ts';
import type { Runtime } from '../../../runtime.ts';
import type { StoredEndpoint } from '../endpoints/endpoints.ts';
import { isMasked } from './masked.ts';

export interface SecretFlags {
  readonly secretFile?: readonly string[] | string;
  readonly secretStdin?: boolean;
  readonly endpoint?: string;
}

/** Returns the secrets that the flags or the environment name; null if they name none. */
export async function readNamedSecrets(runtime: Runtime, flags: SecretFlags): Promise<string[] | null> {
  const files = [flags.secretFile ?? []].flat();
  const ways = Object.entries({
    '--secret-file': files.length > 0,
    '--secret-stdin': flags.secretStdin === true,
    '--endpoint': flags.endpoint !== undefined,
  }).flatMap(([flag, isGiven]) => (isGiven ? [flag] : []));
  if (ways.length > 1)
    throw usageError(`${ways.join(' and ')} contradict each other. Nothing was sent.`, 'Give one of them.');
  if (files.length > 0) return Promise.all(files.map((path) => readSecretFile(runtime, path)));
  if (flags.secretStdin === true)
    return [secretIn(await runtime.io.readInput({ atMost: inputLimits.secret }), 'stdin')];
  if (flags.endpoint !== undefined) return [await keptSecret(runtime, flags.endpoint)];
  const fromEnvironment = runtime.environment.PIXCTL_WEBHOOK_SECRET;
  if (fromEnvironment === undefined || fromEnvironment === '') return null;
  return [secretOf(fromEnvironment, 'PIXCTL_WEBHOOK_SECRET')];
}

/** Throws usage (64) if the secret comes from stdin, which can be read only once. */
export function refuseSecondRead({ secretStdin, secretFile = [] }: SecretFlags): void {
  if (secretStdin === true || [secretFile].flat().some(isStdin))
    throw usageError(
      'stdin cannot be both the secret and the payload. Nothing was sent.',
      'Give the secret in a file (--secret-file) or in PIXCTL_WEBHOOK_SECRET.',
    );
}

export interface StoredSecret {
  /** Null for the secret that `--poll` signs with on this machine. */
  readonly endpoint: StoredEndpoint | null;
  readonly secret: string;
}

/** Returns what was stored when endpoints were registered here, oldest first, and this machine's own secret last. */
export async function readStoredSecrets(runtime: Runtime): Promise<StoredSecret[]> {
  const { readStoredEndpoints, secretName } = await import('../endpoints/endpoints.ts');
  const config = await runtime.config();
  const places = [...readStoredEndpoints(config), null];
  const read = async (endpoint: StoredEndpoint | null): Promise<StoredSecret[]> => {
    const secret = await config.readSecret(endpoint === null ? localSecretName : secretName(endpoint.id));
    return secret === null ? [] : [{ endpoint, secret }];
  };
  const found: StoredSecret[] = [];
  for (let at = 0; at < places.length; at += together)
    found.push(...(await Promise.all(places.slice(at, at + together).map(read))).flat());
  return found;
}

/** How many are read at once: the keychain is asked by a process for each, which has three seconds. */
const together = 4;

/** Returns every secret that is stored here. */
export const readSecretTexts = async (runtime: Runtime): Promise<string[]> =>
  (await readStoredSecrets(runtime)).map(({ secret }) => secret);

/** Signs what is made on this machine (`--poll` without an endpoint). */
export const localSecretName = 'webhook:local';
/** What `--endpoint` calls it. */
export const localEndpoint = 'local';

async function keptSecret(runtime: Runtime, endpoint: string): Promise<string> {
  const { secretName } = await import('../endpoints/endpoints.ts');
  const secret = await (await runtime.config()).readSecret(secretName(endpoint));
  if (secret !== null) return secret;
  throw configError(
    'NO_SECRET',
    `No secret is stored here for the endpoint ${endpoint}. Nothing was sent.`,
    'pixctl webhook endpoints lists those whose secret is stored. The service shows one only once, at registration: give it with --secret-file, or register again (pixctl webhook add).',
  );
}

async function readSecretFile(runtime: Runtime, path: string): Promise<string> {
  const { readInputFile } = await import('../../../runtime/input-file.ts');
  return secretIn(await readInputFile(runtime, path, { atMost: inputLimits.secret }), path);
}

const secretIn = (bytes: Uint8Array, where: string): string =>
  secretOf(decodeUtf8(bytes, `The signing secret from ${where}`), where);

const aloneHint =
  'Put the secret there, and nothing else: the service showed it when the endpoint was registered.';

/** Reads a secret from text. Editors and `echo` end a file with a line break, which is not part of it. */
function secretOf(text: string, where: string): string {
  const secret = text.replace(/^\ufeff/, '').replace(/\r?\n$/, '');
  if (secret.trim() === '')
    throw usageError(`The signing secret from ${where} is empty. Nothing was sent.`, aloneHint);
  if (/[\r\n]/.test(secret))
    throw usageError(`The signing secret from ${where} has more than one line. Nothing was sent.`, aloneHint);
  // This is what bytes that are not UTF-8 become in the environment.
  if (secret.includes('\ufffd'))
    throw usageError(`The signing secret from ${where} is not UTF-8 text. Nothing was sent.`, aloneHint);
  if (isMasked(secret))
    throw usageError(
      `The signing secret from ${where} is masked (most of it is covered). Nothing was sent.`,
      'Copy the whole secret: where it is shown masked, there may be a button that reveals it.',
    );
  return secret;
}
