/** `pixctl policy show`. */
import type { Runtime } from '../../runtime.ts';
import { readPolicy } from '../../withdrawal/policy-settings.ts';
import { policyView, shownPolicy } from './view.ts';

export async function show(runtime: Runtime): Promise<void> {
  const policy = readPolicy(await runtime.config());
  await (await runtime.output()).show(policyView, shownPolicy(policy));
}
