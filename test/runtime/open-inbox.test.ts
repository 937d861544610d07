/** Where received events are kept. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { systemClock } from '../../src/clock.ts';
import { openInboxOf } from '../../src/runtime/open-inbox.ts';
import type { Runtime } from '../../src/runtime.ts';
import { emptyHome } from '../support/run.ts';

it.each(['"postgres://pix@db.internal/pix"', 'jdbc:postgresql://db.internal/pix', 'db.internal:5432/pix'])(
  'is no file of this host where the address of a shared ledger is written wrongly: %s',
  async (url) => {
    const state = emptyHome();
    const runtime = {
      clock: systemClock,
      environment: { PIXCTL_LEDGER_URL: url },
      config: async () => ({ directories: { state } }),
    };
    await expect(openInboxOf(runtime as unknown as Runtime)).rejects.toMatchObject({
      kind: 'config',
      code: 'DATABASE_URL',
    });
    expect(existsSync(join(state, 'inbox.sqlite'))).toBe(false);
  },
);
