/** The secret to sign or verify with, where there must be one. */
import { usageError } from '../../errors.ts';
import type { Runtime } from '../../runtime.ts';
import { keptSecrets, namedSecrets, type SecretFlags } from './secrets.ts';

/** Flags, then the environment, then the only one that was kept here. Throws usage (64) without one. */
export async function oneSecret(runtime: Runtime, flags: SecretFlags): Promise<string> {
  const [named] = (await namedSecrets(runtime, flags)) ?? [];
  if (named !== undefined) return named;
  const kept = [...new Set(await keptSecrets(runtime))];
  const [only] = kept;
  if (only !== undefined && kept.length === 1) return only;
  throw usageError(
    kept.length === 0
      ? 'A signing secret is missing. Nothing was sent.'
      : `${kept.length} signing secrets are kept here. Nothing was sent.`,
    kept.length === 0
      ? 'Give --secret-file, --secret-stdin or PIXCTL_WEBHOOK_SECRET.'
      : 'Say which with --endpoint <id>, or give --secret-file.',
  );
}
