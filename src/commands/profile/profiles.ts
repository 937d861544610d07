/** `profile list | use | remove`. */
import { confirmChange } from '../../runtime/confirm.ts';
import { checkNamedProfile } from '../../runtime/every-profile.ts';
import type { Runtime } from '../../runtime.ts';
import { profileView } from './view.ts';

export async function listProfiles(runtime: Runtime): Promise<void> {
  const output = await runtime.output();
  await checkNamedProfile(runtime);
  const config = await runtime.config();
  const current = config.currentName();
  const profiles = config.list().map((profile) => ({ ...profile, current: profile.name === current }));
  await output.each(profileView, profiles);
  if (profiles.length === 0)
    output.note('pixctl login creates one; pixctl sandbox start creates one to try things with.');
}

/** Throws `config` (78) for a name that no profile has. */
export async function useProfile(runtime: Runtime, name: string): Promise<void> {
  const output = await runtime.output(profileView);
  await checkNamedProfile(runtime, 'changed');
  const config = await runtime.config();
  await config.use(name);
  for (const profile of config.list().filter((each) => each.name === name))
    await output.done(profileView, { ...profile, current: true }, `Now using ${name} (${profile.baseUrl}).`);
}

/** Removes a profile. Throws 64 without `--yes` if nobody can be asked, 87 if the answer is no. */
export async function removeProfile(runtime: Runtime, name: string): Promise<void> {
  const output = await runtime.output(profileView);
  await checkNamedProfile(runtime, 'changed');
  const config = await runtime.config();
  const profile = config.list().find((each) => each.name === name);
  if (profile !== undefined) {
    await (await import('./old-scope.ts')).warnOfLabel(runtime, profile);
    await confirmChange(runtime, `Remove the profile ${name} and its key?`);
  }
  await config.remove(name);
  if (profile !== undefined)
    await output.done(
      profileView,
      { ...profile, current: false },
      `Removed the profile ${name} and its key.`,
    );
  if (config.currentName() === null && config.list().length > 0) {
    output.note('No profile is current now: pixctl profile use <name>.');
  }
}
