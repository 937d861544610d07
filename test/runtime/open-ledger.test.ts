/** Which ledger the settings are pinned to, where two first runs meet. */
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { systemClock } from '../../src/clock.ts';
import { openConfig } from '../../src/config/open-config.ts';
import { openLedgerOf } from '../../src/runtime/open-ledger.ts';
import type { Runtime } from '../../src/runtime.ts';
import { emptyHome, placesIn } from '../support/run.ts';

it('keeps one ledger: the second of two first runs on different ones sends nothing', async () => {
  const home = emptyHome();
  const first = async (state: string) => {
    const environment = {
      HOME: home,
      ...placesIn(home),
      PIXCTL_KEYCHAIN: 'off',
      PIXCTL_STATE_DIR: join(home, state),
    };
    const config = await openConfig({
      environment,
      globals: {},
      platform: process.platform,
      uid: process.geteuid?.(),
    });
    const runtime = { clock: systemClock, environment, config: async () => config };
    const ledger = await openLedgerOf(runtime as unknown as Runtime);
    await ledger.close();
    return ledger.id;
  };
  const both = await Promise.allSettled([first('one'), first('other')]);
  const [opened] = both.flatMap((it) => (it.status === 'fulfilled' ? [it.value] : []));
  const [refused] = both.flatMap((it) => (it.status === 'rejected' ? [it.reason] : []));
  expect(both.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
  expect(refused).toMatchObject({ kind: 'config', code: 'LEDGER_PIN' });
  expect(refused.message).toContain(opened);
  expect(refused.message).toContain('nothing was sent');
});
