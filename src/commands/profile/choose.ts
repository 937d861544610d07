/** Asks which profile is meant. */
import { choose } from '../../runtime/choose.ts';
import type { Runtime } from '../../runtime.ts';

export async function chooseProfile(runtime: Runtime) {
  return choose(runtime, {
    which: 'Which profile?',
    typed: null,
    async loadChoices() {
      const config = await runtime.config();
      const current = config.currentName();
      return config.list().map(({ name, baseUrl }) => ({
        value: name,
        name: `${name}  ${baseUrl}${name === current ? '  (current)' : ''}`,
      }));
    },
  });
}
