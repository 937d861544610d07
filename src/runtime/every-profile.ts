/**
 * `--profile` beside what holds for every profile: settings, the policy, saved destinations. It chooses nothing there,
 * but whoever gives it may believe so, and a cap that is raised "for one shop" is raised for all of them.
 */
import { unknownProfile } from '../config/resolve-profile.ts';
import type { Runtime } from '../runtime.ts';

/** Throws 78 for a profile that does not exist: the name is a slip, or the user is at another machine's settings. */
export async function checkNamedProfile(
  runtime: Runtime,
  spared: 'sent' | 'changed' = 'sent',
): Promise<void> {
  const { profile } = runtime.globals;
  if (profile === undefined) return;
  const names = (await runtime.config()).list().map(({ name }) => name);
  if (!names.includes(profile)) throw unknownProfile(profile, names, spared);
}

/** As `checkNamedProfile`, before a change; where there are several profiles, the change is said to be for all. */
export async function changesForAll(runtime: Runtime, subject: string): Promise<void> {
  await checkNamedProfile(runtime, 'changed');
  if (runtime.globals.profile === undefined || (await runtime.config()).list().length < 2) return;
  (await runtime.output()).note(`${subject} for every profile, not only for ${runtime.globals.profile}.`);
}
