/** Opens the ledger, and makes sure that it is the one expected. */
import { join } from 'node:path';
import type { Config } from '../config/profile.ts';
import { isObject } from '../contract/json-object.ts';
import { configError, isReplaced, messageOf, PixctlError } from '../errors.ts';
import type { Ledger } from '../ledger/ledger.ts';
import type { Runtime } from '../runtime.ts';

/** The file of a ledger for which `PIXCTL_LEDGER_URL` names no other place. */
export const ledgerPathOf = ({ directories }: Pick<Config, 'directories'>): string =>
  join(directories.state, 'ledger.sqlite');

/**
 * Opens the ledger of `PIXCTL_LEDGER_URL`, or else of the state directory. Its id is pinned in the settings on first
 * use (`PIXCTL_LEDGER_ID` where there are none), so that a deleted, emptied or exchanged ledger is noticed.
 */
export async function openLedgerOf(runtime: Runtime): Promise<Ledger> {
  const { clock, environment } = runtime;
  const config = await runtime.config();
  // Without the settings, the merchant's label may be a different one, and with it the record of what was paid.
  config.settings();
  const { openLedger } = await import('../ledger/open.ts');
  const expectedId = environment.PIXCTL_LEDGER_ID ?? pinnedLedgerId(config);
  // Taken for an id, it would lead to the error that this is another ledger, and to the advice to unpin the expected
  // one.
  if (expectedId === '')
    throw configError(
      'LEDGER_ID',
      'PIXCTL_LEDGER_ID is empty, so it is not known which ledger is expected. Nothing was sent.',
      'Give the id of the ledger, or unset the variable to use the id in the settings.',
    );
  // It was most likely meant to be filled in, and this host's own file does not know what other hosts have sent.
  if (environment.PIXCTL_LEDGER_URL === '')
    throw configError(
      'LEDGER_URL',
      'PIXCTL_LEDGER_URL is empty, so it is not known which ledger is meant. Nothing was sent.',
      'Give the address of the shared PostgreSQL, or unset the variable to use the file of this machine.',
    );
  const url = environment.PIXCTL_LEDGER_URL ?? ledgerPathOf(config);
  const ledger = await openLedger({
    url,
    expectedId,
    idIsGiven: environment.PIXCTL_LEDGER_ID !== undefined,
    clock,
    signal: runtime.signal,
  });
  if (expectedId === null) await pinLedger(ledger, config);
  return ledger;
}

/**
 * The id in the settings; null if no ledger was ever used. Throws `config` (78) if it is no id: then nobody knows which
 * ledger was used, and a different one would not know what was sent.
 */
export function pinnedLedgerId(config: Pick<Config, 'get' | 'path'>): string | null {
  const [ledger, id] = [config.get('ledger'), config.get('ledger.id')];
  if (ledger === undefined) return null;
  if (typeof id === 'string' && id !== '') return id;
  if (id === undefined && isObject(ledger)) return null;
  throw configError(
    'LEDGER_PIN',
    `the settings hold ${JSON.stringify(id === undefined ? ledger : id)} where the id of the ledger should be, so it is not known whether the ledger is the one used before; nothing was sent`,
    `Put ledger.id back in ${config.path}. Only if the ledger itself was certainly not touched, or to begin a new one that knows no earlier key: pixctl config unset ledger.id.`,
  );
}

async function pinLedger(ledger: Ledger, config: Config): Promise<void> {
  try {
    await config.update('ledger.id', (found) => {
      // Another run was also the first, and used a different ledger.
      if (found !== undefined && found !== ledger.id)
        throw configError(
          'LEDGER_PIN',
          `another run has just made ${String(found)} the ledger of these settings; nothing was sent`,
          'Run again with the same PIXCTL_STATE_DIR or PIXCTL_LEDGER_URL as that one.',
        );
      return ledger.id;
    });
  } catch (cause) {
    await ledger.close();
    if (isReplaced(cause) || (cause instanceof PixctlError && cause.code === 'LEDGER_PIN')) throw cause;
    throw configError(
      'LEDGER_NOT_PINNED',
      `the ledger was opened, but its id could not be stored in the settings (${reasonOf(cause)}); nothing was sent`,
      `Make ${config.path} writable and make sure that its disk has room, or set PIXCTL_LEDGER_ID=${ledger.id}.`,
      { cause },
    );
  }
}

/** What the system said, if that is known: a full disk calls for another remedy than missing permissions. */
const reasonOf = (cause: unknown): string =>
  messageOf(cause instanceof PixctlError ? (cause.cause ?? cause) : cause).replace(/\.$/, '');
