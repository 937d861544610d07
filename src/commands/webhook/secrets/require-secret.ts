/** The secret to sign or verify with, where one is required. */
import { sandboxProfile } from '../../../config/profile.ts';
import { usageError } from '../../../errors.ts';
import type { Runtime } from '../../../runtime.ts';
import { chooseLikeliest, type SecretQuery } from './likeliest-secret.ts';
import {
  localEndpoint,
  readNamedSecrets,
  readStoredSecrets,
  type SecretFlags,
  type StoredSecret,
} from './secrets.ts';

/**
 * Returns the secret from flags, else from the environment, else from what is stored here: the likeliest of several,
 * which is reported. `target`: the URL that is sent to. Throws usage (64) without a secret, or if several may be meant.
 */
export async function requireSecret(
  runtime: Runtime,
  flags: SecretFlags,
  target: string | null = null,
): Promise<string> {
  const [named] = (await readNamedSecrets(runtime, flags)) ?? [];
  if (named !== undefined) return named;
  const stored = await readStoredSecrets(runtime);
  const meant = chooseLikeliest(stored, await secretQueryOf(runtime, target));
  const [one] = meant;
  if (one === undefined) {
    throw usageError(
      'A signing secret is missing. Nothing was sent.',
      `Give --secret-file, --secret-stdin or PIXCTL_WEBHOOK_SECRET${target === null ? '' : ': the one that your application knows, or any text if it has none yet'}. None is stored here; pixctl webhook add stores one, and on a sandbox so does pixctl webhook listen.`,
    );
  }
  if (different(meant) > 1) {
    throw usageError(
      `${meant.length} endpoints with a stored signing secret could be meant. Nothing was sent.`,
      `Choose one with --endpoint <id>, or give --secret-file. The choices are ${meant.map(nameOf).join(', ')}.`,
    );
  }
  await tell(runtime, one, different(stored));
  return one.secret;
}

/**
 * Reports which secret is used, since nobody named it: if a signature does not hold, it is the first thing to check.
 */
async function tell(runtime: Runtime, used: StoredSecret, among: number): Promise<void> {
  const output = await runtime.output();
  if (among === 1) return output.note(`Using the secret of ${nameOf(used)}, the only one stored here.`);
  // A wrong guess must not look like bad data, even where notes are not shown.
  const say = runtime.globals.quiet === true ? output.warn : output.note;
  say(`Using the secret of ${nameOf(used)}, one of ${among} stored here; --endpoint <id> chooses another.`);
}

async function secretQueryOf(runtime: Runtime, target: string | null): Promise<SecretQuery> {
  const config = await runtime.config();
  const sandbox = config.list().find(({ name }) => name === sandboxProfile)?.baseUrl ?? null;
  try {
    return { target, sandbox, baseUrl: config.profile().baseUrl };
  } catch {
    // Nothing is asked of a service here, so none needs to be known.
    return { target, sandbox, baseUrl: null };
  }
}

const different = (stored: readonly StoredSecret[]): number =>
  new Set(stored.map(({ secret }) => secret)).size;

const nameOf = ({ endpoint }: StoredSecret): string =>
  endpoint === null ? `${localEndpoint} (--poll)` : `${endpoint.id} (${endpoint.url})`;
