/** `pixctl policy show`. */
import { checkNamedProfile } from '../../runtime/every-profile.ts';
import type { Runtime } from '../../runtime.ts';
import { readPolicy, toStoredPolicy } from '../../withdrawal/policy/settings.ts';
import { policyView } from './view.ts';

export async function show(runtime: Runtime): Promise<void> {
  const output = await runtime.output(policyView);
  await checkNamedProfile(runtime);
  await output.show(policyView, toStoredPolicy(readPolicy(await runtime.config())));
}
