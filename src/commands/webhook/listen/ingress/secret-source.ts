/** Decides which secret a listener uses: a given one, one that registering will bring, or one made here. */
import { randomBytes } from 'node:crypto';
import { sandboxProfile } from '../../../../config/profile.ts';
import { PixctlError, usageError } from '../../../../errors.ts';
import type { Runtime } from '../../../../runtime.ts';
import { identifySandbox } from '../../identify-sandbox.ts';
import { localSecretName, readNamedSecrets } from '../../secrets/secrets.ts';
import type { ListenFlags, ListenOptions } from '../options.ts';

export type SecretSource =
  | { readonly kind: 'given'; readonly secrets: readonly string[]; readonly endpoint: string | null }
  /** Register the address. Until then, deliveries are answered with 503. */
  | { readonly kind: 'register'; readonly why: 'asked' | 'sandbox' }
  /** Nothing comes from outside: events are made here. */
  | { readonly kind: 'local'; readonly secret: string };

/**
 * Chooses the secret. Throws `usageError` (64) if there is no way to one, and 78 if that is for a profile that does not
 * exist.
 */
export async function chooseSecretSource(
  runtime: Runtime,
  flags: ListenFlags,
  options: ListenOptions,
): Promise<SecretSource> {
  // Before it says that it listens, because without a profile it would have nothing to read.
  if (options.pollMs !== null) await runtime.api();
  if (options.register) {
    const old = flags.endpoint ?? flags.secretFile?.[0] ?? flags.secretStdin;
    if (old === undefined) return { kind: 'register', why: 'asked' };
    throw usageError(
      '--register gets a new secret from the service, so no other one can be given. Nothing was started.',
    );
  }
  const secrets = await readNamedSecrets(runtime, flags);
  if (secrets !== null) return { kind: 'given', secrets, endpoint: flags.endpoint ?? null };
  if (options.pollMs !== null) return { kind: 'local', secret: await localSecret(runtime) };
  if ((await identifySandbox(runtime)) !== null) return { kind: 'register', why: 'sandbox' };
  const again = (await hasProfile(runtime)) ? `with --profile ${sandboxProfile}` : 'again';
  throw usageError(
    'The signing secret is not known, so no delivery could be verified. Nothing was started.',
    `Give --secret-file, --secret-stdin, --endpoint or PIXCTL_WEBHOOK_SECRET; or --register to register this address now. Without an account: run pixctl sandbox start, then this command ${again}.`,
  );
}

/**
 * Whether a service is chosen, whose place a started sandbox must not take. Throws for a misspelt profile: the name
 * that was meant may be a sandbox's, which needs no secret.
 */
async function hasProfile(runtime: Runtime): Promise<boolean> {
  const config = await runtime.config();
  try {
    config.profile();
    return true;
  } catch (cause) {
    if (cause instanceof PixctlError && cause.code === 'UNKNOWN_PROFILE') throw cause;
    return false;
  }
}

async function localSecret(runtime: Runtime): Promise<string> {
  const config = await runtime.config();
  const stored = await config.readSecret(localSecretName);
  return (
    stored ?? config.readOrCreateSecret(localSecretName, `whsec_local_${randomBytes(24).toString('hex')}`)
  );
}
