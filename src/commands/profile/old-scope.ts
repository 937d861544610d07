/** Checks, before a profile gets another label or address, what the ledger knows under the old ones. */
import { existsSync } from 'node:fs';
import { parseBaseUrl } from '../../config/base-url.ts';
import type { Config, Profile } from '../../config/profile.ts';
import { keyName } from '../../config/stored-config.ts';
import { formatCents } from '../../contract/money.ts';
import { isPostgres, sqlitePathOf } from '../../database/address.ts';
import { orError, PixctlError } from '../../errors.ts';
import { commandLineWithKey } from '../../flags/command-line.ts';
import { type Intent, type Scope, scopeOf } from '../../ledger/intent.ts';
import { ledgerPathOf, pinnedLedgerId } from '../../runtime/open-ledger.ts';
import type { Runtime } from '../../runtime.ts';

type Named = Pick<Profile, 'name' | 'merchant' | 'baseUrl'>;

/**
 * Throws `blocked` (84) while a withdrawal of the old scope has no known outcome, because under another scope it would
 * be sent again. Warns if the old scope has other rows, or the ledger cannot be read. Makes no file for one.
 */
export async function checkOldScope(runtime: Runtime, before: Named, after: Named): Promise<void> {
  const scope = scopeAt(before);
  if (scope === scopeOf(after)) return;
  const found = await orError(rowsOf(runtime, scope));
  const where = `${before.merchant} at ${before.baseUrl}`;
  const { warn } = await runtime.output();
  if (found instanceof PixctlError) return warn(unread(found, where));
  if (found.open !== null) throw stillOpen(found.open, before);
  if (found.any)
    warn(
      `The ledger knows withdrawals or charges of ${where} by their idempotency keys. For ${after.merchant} at ${after.baseUrl} these keys are new: ${sentAgain(before, after)}`,
    );
}

/**
 * Says what would be sent again. Under the label that it was paid under, a withdrawal is a possible duplicate at
 * another address.
 */
const sentAgain = (before: Named, after: Named): string =>
  before.merchant === after.merchant
    ? 'the same command would create a charge again. A withdrawal that was paid is held up (86), unless either service runs on this machine: that would be sent again.'
    : 'the same command would send again.';

const unread = ({ message }: PixctlError, where: string): string =>
  `The ledger could not be read (${message}), so an unknown withdrawal of ${where} cannot be ruled out. The same command would send it again from here.`;

/** Throws `blocked` (84) as `checkOldScope` does, and says nothing otherwise. */
export async function refuseIfOpen(runtime: Runtime, before: Named): Promise<void> {
  const found = await orError(rowsOf(runtime, scopeAt(before)));
  if (!(found instanceof PixctlError) && found.open !== null) throw stillOpen(found.open, before);
}

/**
 * Checks, before a profile gets a key, the other profiles of its address, which have labels of their own. Throws
 * `blocked` (84) while a withdrawal of one that stores this very key has no known outcome, because it is the same
 * merchant. Warns if that one has other rows, or the ledger cannot be read. If the profile is new at this address or
 * under this label, it also warns of unknown outcomes under any label, whose merchant may be the same with another key.
 */
export async function checkOtherProfiles(
  runtime: Runtime,
  after: Named & { readonly isNew: boolean },
  key: string,
): Promise<void> {
  const config = await runtime.config();
  const { warn } = await runtime.output();
  const addressOf = ({ baseUrl }: Named) => scopeAt({ ...after, baseUrl });
  const others = config
    .list()
    .filter((one) => one.name !== after.name && one.merchant !== after.merchant)
    .filter((one) => addressOf(one) === addressOf(after));
  for (const other of others) {
    const found = await orError(rowsOf(runtime, scopeAt(other)));
    const isSame = (await keptKey(config, other)) === key;
    const { merchant } = other;
    if (found instanceof PixctlError) {
      if (isSame) warn(unread(found, `${merchant} at ${other.baseUrl}`));
      continue;
    }
    if (isSame && found.open !== null) throw stillOpen(found.open, other);
    if (isSame && found.any)
      warn(
        `The profile ${other.name} has this same key, under the label ${merchant}, and the ledger knows withdrawals or charges of it. For ${after.merchant} their idempotency keys are new: the same command would send again. To keep them: --merchant ${merchant}`,
      );
    else if (after.isNew && found.open !== null)
      warn(
        `${whatIsOpen(found.open, other)}. If ${after.merchant} is the same merchant, the same command would send it again: use the same label, --merchant ${merchant}`,
      );
  }
}

/** Returns the key that a profile stores. A keychain is not asked: it may ask its owner, once for each profile. */
async function keptKey(config: Config, { name, baseUrl, keySource }: Profile): Promise<string | null> {
  return keySource === 'file' ? config.readSecret(keyName(name, baseUrl)).catch(() => null) : null;
}

/**
 * Warns before a profile is removed and its label forgotten with it: under the label of the next one, by default its
 * name, what was paid would be sent again. It only warns, because a service may be gone for good.
 */
export async function warnOfLabel(runtime: Runtime, profile: Named): Promise<void> {
  const scope = scopeAt(profile);
  const found = await orError(rowsOf(runtime, scope, { mayOpen: false }));
  if (found instanceof PixctlError || !found.any) return;
  const { name, merchant, baseUrl } = profile;
  const { warn } = await runtime.output();
  if (found.open !== null)
    return warn(
      `${whatIsOpen(found.open, profile)}. The ledger has it under the label ${merchant} at ${baseUrl}: under another label or address the same command would send it again.`,
    );
  const others = (await runtime.config()).list().filter((one) => one.name !== name);
  if (others.some((one) => scopeAt(one) === scope)) return;
  warn(
    `The ledger knows withdrawals or charges of ${merchant} at ${baseUrl} by their idempotency keys. Under another label these keys are new: the same command would send again. To keep them, log in to this merchant with --merchant ${merchant}`,
  );
}

/**
 * Returns the scope, reading the address as commands of the profile do: a file edited by hand may spell it differently.
 */
function scopeAt({ merchant, baseUrl }: Named): Scope {
  try {
    return scopeOf({ merchant, baseUrl: parseBaseUrl(baseUrl) });
  } catch {
    return scopeOf({ merchant, baseUrl });
  }
}

/** Returns the withdrawal without a known outcome, and whether there are rows at all; nothing if there is no ledger. */
async function rowsOf(
  runtime: Runtime,
  scope: Scope,
  { mayOpen = true } = {},
): Promise<{ readonly open: Intent | null; readonly any: boolean }> {
  if (!(await mayHaveLedger(runtime, mayOpen))) return { open: null, any: false };
  const ledger = await runtime.ledger();
  return { open: await ledger.findOpen(scope), any: (await ledger.list(scope, { limit: 1 })).length > 0 };
}

/**
 * Whether a ledger is expected, or there is one that these settings do not know yet: other hosts may have sent from it,
 * or earlier settings were lost. False for a file that does not exist, which must not be made for a look.
 */
async function mayHaveLedger({ environment, config, globals }: Runtime, mayOpen: boolean): Promise<boolean> {
  const settings = await config();
  const { PIXCTL_LEDGER_ID: id, PIXCTL_LEDGER_URL: url = ledgerPathOf(settings) } = environment;
  if (id || pinnedLedgerId(settings) !== null) return true;
  // To open one that these settings do not know makes its tables and stores its id.
  if (!mayOpen || globals.dryRun === true) return false;
  // An empty address is an error that opening it reports.
  return url === '' || isPostgres(url) || existsSync(sqlitePathOf(url));
}

const whatIsOpen = ({ idempotencyKey, amount }: Intent, { merchant }: Named): string =>
  `The outcome of a withdrawal of ${merchant} (key ${idempotencyKey}, ${formatCents(amount)}) is unknown`;

function stillOpen(intent: Intent, before: Named): PixctlError {
  // Both are named: this run may have been given another address, which is put into what it reports.
  const where = ['--profile', before.name, '--base-url', before.baseUrl];
  return new PixctlError(
    'blocked',
    'BLOCKED',
    `${whatIsOpen(intent, before)}: under another label or address the same command would send it again. Nothing was changed.`,
    {
      hint: `Settle it first: ${commandLineWithKey(['pixctl', 'withdrawal', 'reconcile'], intent.idempotencyKey, ...where)}`,
    },
  );
}
