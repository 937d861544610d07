/** What was stored when endpoints were registered, however many there are. */
import { expect, it } from 'vitest';
import { readStoredSecrets } from '../../../../src/commands/webhook/secrets/secrets.ts';
import type { Config } from '../../../../src/config/profile.ts';
import type { Runtime } from '../../../../src/runtime.ts';

it('reads four secrets at a time, because each may take a process, and keeps their order', async () => {
  const ids = Array.from({ length: 30 }, (_, at) => `wh_${at}`);
  let reading = 0;
  let most = 0;
  const config: Pick<Config, 'get' | 'readSecret'> = {
    get: () =>
      ids.map((id) => ({ id, baseUrl: 'https://pay.example', url: 'https://a.example', events: [] })),
    async readSecret(name) {
      most = Math.max(most, ++reading);
      await new Promise(setImmediate);
      reading -= 1;
      return name === 'webhook:wh_7' ? null : `whsec_${name}`;
    },
  };
  const found = await readStoredSecrets({ config: async () => config } as unknown as Runtime);
  expect(found.map(({ secret }) => secret)).toEqual(
    [...ids.filter((id) => id !== 'wh_7'), 'local'].map((id) => `whsec_webhook:${id}`),
  );
  expect(most).toBe(4);
});
