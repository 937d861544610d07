/** `profile list | use | remove`. */
import { PixctlError } from '../../errors.ts';
import type { Runtime } from '../../runtime.ts';
import { profileView } from './view.ts';

export async function listProfiles(runtime: Runtime): Promise<void> {
  const output = await runtime.output();
  const config = await runtime.config();
  const current = config.currentName();
  const profiles = config.list().map((profile) => ({ ...profile, current: profile.name === current }));
  await output.each(profileView, profiles);
  if (profiles.length === 0)
    output.note('pixctl login makes one, pixctl sandbox start another to try things with.');
}

export async function useProfile(runtime: Runtime, name: string): Promise<void> {
  const config = await runtime.config();
  await config.use(name);
  const profile = config.list().find((each) => each.name === name);
  (await runtime.output()).note(`Now using ${name} (${profile?.baseUrl}).`);
}

/** Throws `policy` (87) when nobody confirmed. */
export async function removeProfile(runtime: Runtime, name: string): Promise<void> {
  const config = await runtime.config();
  if (runtime.globals.yes !== true && config.list().some((profile) => profile.name === name)) {
    const prompter = await runtime.prompter();
    const message = `Remove the profile ${name} and its key?`;
    if (!prompter.canAsk || !(await prompter.confirm({ message }))) {
      throw new PixctlError(
        'policy',
        'NOT_CONFIRMED',
        `The profile ${name} was not removed: not confirmed.`,
        {
          hint: 'Add --yes.',
        },
      );
    }
  }
  await config.remove(name);
  const output = await runtime.output();
  output.note(`Removed the profile ${name} and its key.`);
  if (config.currentName() === null && config.list().length > 0) {
    output.note('No profile is current now: pixctl profile use <name>.');
  }
}
