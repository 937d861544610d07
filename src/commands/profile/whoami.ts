/** `whoami`: shows the profile that a command would use now. The service has no such call; a list of one shows it. */
import { createHash } from 'node:crypto';
import { PixctlError } from '../../errors.ts';
import type { Runtime } from '../../runtime.ts';
import { checkKey } from './check-key.ts';
import { type Identity, identityView } from './view.ts';

/** Shows what is known. Then throws `auth` (77) without a good key, or whatever the question failed with (75). */
export async function whoami(runtime: Runtime, { offline = false }: { offline?: boolean }): Promise<void> {
  const output = await runtime.output(identityView);
  const config = await runtime.config();
  const profile = config.profile();
  const key = await config.apiKey();
  const keyFingerprint = key === null ? null : createHash('sha256').update(key).digest('hex').slice(0, 8);

  const { check, failure } =
    offline || key === null ? { check: 'not asked' as const, failure: undefined } : await ask(runtime);
  await output.show(identityView, { ...profile, keyFingerprint, check });
  if (failure !== undefined) throw failure;
  if (key === null) {
    const { missingKey } = (await runtime.api()).remedies;
    throw new PixctlError('auth', 'NO_KEY', `There is no API key for ${profile.baseUrl}.`, {
      hint: missingKey,
    });
  }
  if (check === 'refused') {
    const { refusedKey } = (await runtime.api()).remedies;
    throw new PixctlError('auth', 'UNAUTHORIZED', `${profile.baseUrl} does not accept this key.`, {
      hint: refusedKey,
    });
  }
}

async function ask(runtime: Runtime): Promise<{ check: Identity['check']; failure?: unknown }> {
  try {
    return { check: await checkKey(await runtime.api()) };
  } catch (failure) {
    if (!(failure instanceof PixctlError) || !isOfTheService(failure)) throw failure;
    return { check: checkResultOf(failure), failure };
  }
}

/** Whether the failure is about the service. Whoever doubts an address wants to see the profile even then. */
const isOfTheService = ({ kind }: PixctlError): boolean =>
  ['later', 'refused', 'notFound', 'unexpected'].includes(kind);

const checkResultOf = ({ kind, httpStatus }: PixctlError): Identity['check'] => {
  if (httpStatus === 429) return 'rate limited';
  return kind === 'later' && httpStatus === undefined ? 'not reached' : 'not told';
};
