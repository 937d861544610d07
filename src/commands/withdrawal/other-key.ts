/** Warns of a key from the environment under the label of a stored profile: it may be another merchant's. */
import { originOf } from '../../config/base-url.ts';
import type { Config, Profile } from '../../config/profile.ts';
import { keyName } from '../../config/stored-config.ts';
import type { Runtime } from '../../runtime.ts';

/**
 * Warns if the key is not the one that the profile stores, unless PIXCTL_MERCHANT says whose it is. The ledger takes
 * both for one merchant, and answers a key that one of them has paid without sending anything for the other.
 */
export async function warnOfOtherKey(runtime: Runtime): Promise<void> {
  const { environment } = runtime;
  const config = await runtime.config();
  const profile = config.profile();
  const variable = variableOf(profile);
  if (variable === null || environment.PIXCTL_MERCHANT) return;
  const stored = storedFor(config, profile);
  if (stored === undefined) return;
  const verdict = await compare(config, stored);
  if (verdict === 'same') return;
  const { name, merchant } = stored;
  (await runtime.output()).warn(
    `the key of ${variable} ${verdict === 'other' ? 'is not' : 'may not be'} the one stored in the profile ${name}, and the ledger records this withdrawal under the merchant label of that profile, ${merchant}: an idempotency key that was paid there is not paid again here. If the key belongs to another merchant, set PIXCTL_MERCHANT.`,
  );
}

function variableOf({ keySource }: Profile): string | null {
  if (keySource === 'environment') return 'PIXCTL_API_KEY';
  return keySource === 'key-file' ? 'PIXCTL_API_KEY_FILE' : null;
}

/** Returns the profile whose label is used and which stores a key for this very origin. */
const storedFor = (config: Config, { name, merchant, baseUrl }: Profile): Profile | undefined =>
  config
    .list()
    .find(
      (one) =>
        one.name === name &&
        one.merchant === merchant &&
        one.keySource !== 'none' &&
        originOf(one.baseUrl) === originOf(baseUrl),
    );

/**
 * Compares the keys. A keychain is not asked: it may ask its owner, and whoever sets the variable wants no questions.
 */
async function compare(config: Config, { name, baseUrl, keySource }: Profile) {
  if (keySource === 'keychain') return 'unseen';
  try {
    const [used, kept] = await Promise.all([config.apiKey(), config.readSecret(keyName(name, baseUrl))]);
    return used === kept ? 'same' : 'other';
  } catch {
    return 'unseen';
  }
}
