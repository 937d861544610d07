/** The secret to sign or verify with, where there must be one. */
import { sandboxProfile } from '../../../config/profile.ts';
import { usageError } from '../../../errors.ts';
import type { Runtime } from '../../../runtime.ts';
import { likeliest, type Place } from './likeliest-secret.ts';
import {
  type KeptSecret,
  keptWithEndpoints,
  localEndpoint,
  namedSecrets,
  type SecretFlags,
} from './secrets.ts';

/**
 * Flags, then the environment, then what was kept here: of several the likeliest, which is told. `target` is the URL
 * that is sent to. Throws usage (64) without one, or where several may be meant.
 */
export async function oneSecret(
  runtime: Runtime,
  flags: SecretFlags,
  target: string | null = null,
): Promise<string> {
  const [named] = (await namedSecrets(runtime, flags)) ?? [];
  if (named !== undefined) return named;
  const kept = await keptWithEndpoints(runtime);
  const meant = likeliest(kept, await placeOf(runtime, target));
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
  await tell(runtime, one, different(kept));
  return one.secret;
}

/** Nobody has named it: where a signature then does not hold, it is the first thing to look at. */
async function tell(runtime: Runtime, used: KeptSecret, among: number): Promise<void> {
  const output = await runtime.output();
  if (among === 1) return output.note(`Using the secret of ${nameOf(used)}, the only one stored here.`);
  // A guess that turns out wrong must not look like bad data, where notes are not shown either.
  const say = runtime.globals.quiet === true ? output.warn : output.note;
  say(`Using the secret of ${nameOf(used)}, one of ${among} stored here; --endpoint <id> chooses another.`);
}

async function placeOf(runtime: Runtime, target: string | null): Promise<Place> {
  const config = await runtime.config();
  const sandbox = config.list().find(({ name }) => name === sandboxProfile)?.baseUrl ?? null;
  try {
    return { target, sandbox, baseUrl: config.profile().baseUrl };
  } catch {
    // Nothing is asked of a service here, so none need be known.
    return { target, sandbox, baseUrl: null };
  }
}

const different = (kept: readonly KeptSecret[]): number => new Set(kept.map(({ secret }) => secret)).size;

const nameOf = ({ endpoint }: KeptSecret): string =>
  endpoint === null ? `${localEndpoint} (--poll)` : `${endpoint.id} (${endpoint.url})`;
