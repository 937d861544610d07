/** Checks whether the ledger opens, is the expected one, and holds a withdrawal of unknown outcome. */
import { statSync } from 'node:fs';
import type { PixctlError } from '../../errors.ts';
import { commandLineWithKey } from '../../flags/command-line.ts';
import { makeWritableHint } from '../../flags/file-remedies.ts';
import { type Intent, openStates, scopeOf } from '../../ledger/intent.ts';
import type { Ledger } from '../../ledger/ledger.ts';
import { createOwners } from '../../owner/create-owners.ts';
import { ledgerPathOf, pinnedLedgerId } from '../../runtime/open-ledger.ts';
import type { Runtime } from '../../runtime.ts';
import { isBeingSent, longestExchangeMs } from '../../sending/still-sending.ts';
import { type Finding, ok, wrong } from './finding.ts';
import { isUnwritable, notCreatedFinding } from './state-file.ts';

/** Opens the ledger as a withdrawal would, but makes no file for it. */
export async function ledgerFindings(runtime: Runtime): Promise<Finding[]> {
  const config = await runtime.config();
  const { PIXCTL_LEDGER_ID: given, PIXCTL_LEDGER_URL: url } = runtime.environment;
  if ((given ?? pinnedLedgerId(config)) === null && url === undefined) {
    // An existing ledger is opened even without an id: when the settings are lost, it still knows what was sent.
    const path = ledgerPathOf(config);
    const none = notCreatedFinding(config, path, { check: 'ledger', maker: 'withdrawal' });
    if (none !== null) return [none];
  }
  const ledger = await runtime.ledger();
  const damage = await damageIn(runtime, ledger);
  if (damage !== null) return [wrong('ledger', damage.message, damage.hint ?? '')];
  const found = isUnwritable(ledger.location)
    ? wrong(
        'ledger',
        `${ledger.location} can be read but not written: every withdrawal ends with 74`,
        makeWritableHint(ledger.location),
      )
    : ok('ledger', ledger.location);
  if (!hasProfile(config)) return [found];
  const open = await ledger.list(scopeOf(config.profile()), { states: openStates });
  return [found, ...(await Promise.all(open.map((intent) => openFinding(runtime, ledger, intent))))];
}

/** A send that its process is still working on is nothing to settle. */
async function openFinding(runtime: Runtime, ledger: Ledger, intent: Intent): Promise<Finding> {
  const { kind, idempotencyKey, state } = intent;
  const what = `${kind} ${idempotencyKey} is ${state}`;
  if (state === 'SENDING') {
    const timing = {
      ledger,
      clock: runtime.clock,
      owners: await createOwners(),
      requestTimeoutMs: longestExchangeMs,
    };
    if (await isBeingSent(timing, intent)) return ok('open intent', `${what}: another run is at it`);
  }
  const isWithdrawal = kind === 'withdrawal';
  return wrong(
    'open intent',
    `${what}: its outcome is not known${isWithdrawal ? ', and it blocks others' : ''}`,
    commandLineWithKey(['pixctl', kind, isWithdrawal ? 'reconcile' : 'resolve'], idempotencyKey),
  );
}

/** How many bytes are read in a moment. */
const soonRead = 64 * 1024 * 1024;

/**
 * Looks for damage. SQLite reads the whole file without giving anybody else a turn, so a long look is announced first.
 */
async function damageIn(runtime: Runtime, ledger: Ledger): Promise<PixctlError | null> {
  if (ledger.findDamage === undefined) return null;
  const size = statSync(ledger.location, { throwIfNoEntry: false })?.size ?? 0;
  if (size > soonRead && runtime.io.stderrIsTerminal)
    (await runtime.output()).note(`Reading the ledger, ${Math.round(size / 1024 / 1024)} MiB ...`);
  return ledger.findDamage();
}

function hasProfile(config: { profile(): unknown }): boolean {
  try {
    config.profile();
    return true;
  } catch {
    return false;
  }
}
