/** Asks which profile is meant. */
import { usageError } from '../../errors.ts';
import { choose } from '../../runtime/choose.ts';
import type { Runtime } from '../../runtime.ts';

export async function chooseProfile(runtime: Runtime) {
  return choose(runtime, {
    which: 'Which profile?',
    typed: null,
    async loadChoices() {
      const config = await runtime.config();
      if (config.list().length === 0)
        throw usageError(
          'There are no profiles. Nothing was changed.',
          'pixctl login creates one; pixctl sandbox start creates one to try things with.',
        );
      const current = config.currentName();
      return config.list().map(({ name, baseUrl }) => ({
        value: name,
        name: `${name}  ${baseUrl}${name === current ? '  (current)' : ''}`,
      }));
    },
  });
}
