/** Which ledger, and that it is the one expected. */
import type { Config } from '../config/profile.ts';
import { configError } from '../errors.ts';
import type { Ledger } from '../ledger/ledger.ts';
import type { Runtime } from '../runtime.ts';

/**
 * The ledger of `PIXCTL_LEDGER_URL`, else of the state directory. Its id is pinned in the settings at first
 * use (`PIXCTL_LEDGER_ID` where there are none), so that a deleted, emptied or exchanged ledger is noticed.
 */
export async function openLedgerOf(runtime: Runtime): Promise<Ledger> {
  const { clock, environment } = runtime;
  const config = await runtime.config();
  const { openLedger } = await import('../ledger/open.ts');
  const pinned = environment.PIXCTL_LEDGER_ID ?? config.get('ledger.id');
  const url = environment.PIXCTL_LEDGER_URL ?? `${config.directories.state}/ledger.sqlite`;
  const ledger = await openLedger({ url, expectedId: typeof pinned === 'string' ? pinned : null, clock });
  if (pinned === undefined) await pin(ledger, config);
  return ledger;
}

async function pin(ledger: Ledger, config: Config): Promise<void> {
  try {
    await config.set('ledger.id', ledger.id);
  } catch (cause) {
    await ledger.close();
    throw configError(
      'LEDGER_NOT_PINNED',
      'the ledger was opened, but its id could not be kept in the settings; nothing was sent',
      `Make ${config.path} writable, or set PIXCTL_LEDGER_ID=${ledger.id}.`,
      { cause },
    );
  }
}
