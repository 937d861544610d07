/**
 * `--profile` on commands that act on every profile: settings, the policy, saved destinations. It selects nothing
 * there, but its user may believe that it does, and a cap raised "for one shop" is raised for all of them.
 */
import { unknownProfile } from '../config/resolve-profile.ts';
import type { Runtime } from '../runtime.ts';

/** Throws 78 for a profile that does not exist: the name is a slip, or these are another machine's settings. */
export async function checkNamedProfile(
  runtime: Runtime,
  spared: 'sent' | 'changed' = 'sent',
): Promise<void> {
  const { profile } = runtime.globals;
  if (profile === undefined) return;
  const names = (await runtime.config()).list().map(({ name }) => name);
  if (!names.includes(profile)) throw unknownProfile(profile, names, spared);
}

/** Like `checkNamedProfile`, before a change. If there are several profiles, says that the change holds for all. */
export async function noteChangeForAllProfiles(runtime: Runtime, subject: string): Promise<void> {
  await checkNamedProfile(runtime, 'changed');
  if (runtime.globals.profile === undefined || (await runtime.config()).list().length < 2) return;
  (await runtime.output()).note(`${subject} for every profile, not only for ${runtime.globals.profile}.`);
}
